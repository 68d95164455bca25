//! Text form of functions.

use std::fmt::{self, Display, Formatter};

use crate::function::{Declaration, Function};
use crate::instruction::{Instruction, Trips, ValueId};
use crate::shader::Shader;

impl Display for Shader {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.function().fmt(out)
    }
}

/// One line per declaration and instruction, with indented loop bodies. Invalid functions can be printed, too.
impl Display for Function {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(out, "shader {}", self.name)?;
        declarations(out, "constant c", &self.constants)?;
        declarations(out, "input in", &self.inputs)?;
        let mut next_value = 0;
        let mut depth = 1usize;
        for instruction in &self.body {
            if matches!(instruction, Instruction::EndLoop { .. }) {
                depth = depth.saturating_sub(1);
            }
            write!(out, "{:indent$}", "", indent = depth.min(Self::MAX_DEPTH + 1) * 2)?;
            let defined = instruction.defines();
            line(out, instruction, next_value, defined)?;
            next_value += defined;
            if matches!(instruction, Instruction::Loop { .. }) {
                depth += 1;
            }
        }
        writeln!(out, "  return {}", List(&self.outputs))
    }
}

fn declarations(out: &mut Formatter<'_>, sigil: &str, declared: &[Declaration]) -> fmt::Result {
    let mut lines = declared.iter().enumerate();
    lines.try_for_each(|(index, slot)| writeln!(out, "  {sigil}{index} {}: {}", slot.name, slot.ty))
}

fn line(out: &mut Formatter<'_>, instruction: &Instruction, first: usize, defined: usize) -> fmt::Result {
    let name = |op: &dyn fmt::Debug| format!("{op:?}").to_lowercase();
    match instruction {
        Instruction::Loop { trips, .. } => {
            write!(out, "loop %{first}")?;
            (first + 1..first + defined).try_for_each(|value| write!(out, ", %{value}"))?;
            match trips {
                Trips::Constant(count) => write!(out, " = {count} trips")?,
                Trips::Dynamic { count, bound } => write!(out, " = {count} trips up to {bound}")?,
            }
        }
        Instruction::EndLoop { .. } => {
            out.write_str("end")?;
            (first..first + defined).try_for_each(|value| write!(out, "{} %{value}", comma(value > first)))?;
            out.write_str(" =")?;
        }
        _ => write!(out, "%{first} = ")?,
    }
    match instruction {
        Instruction::Literal { ty, word } => writeln!(out, "{ty} {}", word.display(*ty)),
        Instruction::Constant { slot } => writeln!(out, "{slot}"),
        Instruction::ConstantAt { first, count, index } => writeln!(out, "{first}[{index} of {count}]"),
        Instruction::Input { input } => writeln!(out, "{input}"),
        Instruction::Unary { op, a } => writeln!(out, "{} {a}", name(op)),
        Instruction::Binary { op, a, b } => writeln!(out, "{} {a}, {b}", name(op)),
        Instruction::Compare { op, a, b } => writeln!(out, "{} {a}, {b}", name(op)),
        Instruction::Fma { a, b, c } => writeln!(out, "fma {a}, {b}, {c}"),
        Instruction::Select { condition, on_true, on_false } => {
            writeln!(out, "select {condition}, {on_true}, {on_false}")
        }
        Instruction::Convert { to, a } => writeln!(out, "convert.{to} {a}"),
        Instruction::Bitcast { to, a } => writeln!(out, "bitcast.{to} {a}"),
        Instruction::Loop { initial: carried, .. } => writeln!(out, ", from {}", List(carried)),
        Instruction::EndLoop { next } => writeln!(out, " {}", List(next)),
    }
}

fn comma(follows: bool) -> &'static str {
    if follows { "," } else { "" }
}

struct List<'a>(&'a [ValueId]);

impl Display for List<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return out.write_str("nothing");
        }
        let mut values = self.0.iter().enumerate();
        values.try_for_each(|(index, value)| write!(out, "{}{value}", if index > 0 { ", " } else { "" }))
    }
}
