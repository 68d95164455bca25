//! Checker: accepts exactly the functions that every part of this crate can run.

use crate::error::ShaderError;
use crate::function::{Declaration, Function};
use crate::instruction::{BinaryOp, CompareOp, Instruction, SlotId, Trips, UnaryOp, ValueId};
use crate::word::{Type, Word};

const LONGEST_NAME: usize = 64;

/// Facts that the checker derives; indexed by instruction, except `types`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Facts {
    /// Types by value.
    pub types: Vec<Type>,
    /// First value that each instruction defines.
    pub first_value: Vec<usize>,
    /// Matching end of a loop's head and vice versa; the instruction itself for others.
    pub partner: Vec<usize>,
    /// Maximum number of instructions that a lane may execute.
    pub max_executed: u64,
}

/// Checks every rule, in the order of the text.
pub(crate) fn check(function: &Function) -> Result<Facts, ShaderError> {
    limit("constant slots", function.constants.len(), 0, Function::MAX_CONSTANTS)?;
    limit("inputs", function.inputs.len(), 0, Function::MAX_INPUTS)?;
    limit("outputs", function.outputs.len(), 1, Function::MAX_OUTPUTS)?;
    limit("instructions", function.body.len(), 1, Function::MAX_INSTRUCTIONS)?;
    name("the function", &function.name)?;
    function.constants.iter().try_for_each(|slot| name("a constant slot", &slot.name))?;
    function.inputs.iter().try_for_each(|input| name("an input", &input.name))?;

    let mut checker = Checker::new(function);
    for (at, instruction) in function.body.iter().enumerate() {
        checker.at = at;
        checker.facts.first_value.push(checker.facts.types.len());
        checker.facts.partner.push(at);
        checker.instruction(instruction)?;
        limit("values", checker.facts.types.len(), 0, Function::MAX_INSTRUCTIONS)?;
    }
    checker.at = function.body.len();
    if !checker.loops.is_empty() {
        return Err(ShaderError::Nesting { at: checker.at, found: "head", expected: "end" });
    }
    function.outputs.iter().try_for_each(|output| checker.type_of(*output).map(drop))?;
    checker.facts.max_executed = checker.executed;
    Ok(checker.facts)
}

fn limit(what: &'static str, found: usize, min_allowed: usize, max_allowed: usize) -> Result<(), ShaderError> {
    if (min_allowed..=max_allowed).contains(&found) {
        Ok(())
    } else {
        Err(ShaderError::Limit { what, found, min_allowed, max_allowed })
    }
}

fn name(what: &'static str, name: &str) -> Result<(), ShaderError> {
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
    if !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(allowed) {
        return Ok(());
    }
    Err(ShaderError::Name { what, found: name.chars().take(LONGEST_NAME).collect() })
}

/// Loop whose end has not been reached yet.
struct OpenLoop {
    head: usize,
    bound: u32,
    /// First value of the head; all values from here on go out of scope with the loop.
    first_value: usize,
    carried: Vec<Type>,
    /// Maximum number of instructions executed before the loop.
    executed_before: u64,
}

struct Checker<'a> {
    function: &'a Function,
    facts: Facts,
    /// Scope flag of each value.
    in_scope: Vec<bool>,
    loops: Vec<OpenLoop>,
    /// Maximum number of instructions so far, in one trip of the innermost open loop.
    executed: u64,
    at: usize,
}

impl<'a> Checker<'a> {
    fn new(function: &'a Function) -> Self {
        let facts = Facts { types: Vec::new(), first_value: Vec::new(), partner: Vec::new(), max_executed: 0 };
        Self { function, facts, in_scope: Vec::new(), loops: Vec::new(), executed: 0, at: 0 }
    }

    fn instruction(&mut self, instruction: &Instruction) -> Result<(), ShaderError> {
        self.execute(1)?;
        let ty = match instruction {
            Instruction::Literal { ty, word } => self.literal(*ty, *word)?,
            Instruction::Constant { slot } => self.declared("slot", u64::from(slot.0), &self.function.constants)?,
            Instruction::ConstantAt { first, count, index } => self.window(*first, *count, *index)?,
            Instruction::Input { input } => self.declared("input", u64::from(input.0), &self.function.inputs)?,
            Instruction::Unary { op, a } => self.unary(*op, *a)?,
            Instruction::Binary { op, a, b } => self.binary(*op, *a, *b)?,
            Instruction::Compare { op, a, b } => self.compare(*op, *a, *b)?,
            Instruction::Fma { a, b, c } => {
                [a, b, c].into_iter().try_for_each(|operand| self.expect(*operand, Type::F32))?;
                Type::F32
            }
            Instruction::Select { condition, on_true, on_false } => {
                self.expect(*condition, Type::Bool)?;
                let ty = self.type_of(*on_true)?;
                self.expect(*on_false, ty)?;
                ty
            }
            Instruction::Convert { to, a } => self.conversion(*to, *a, *to != Type::Bool)?,
            Instruction::Bitcast { to, a } => {
                let bits = *to != Type::Bool && self.type_of(*a)? != Type::Bool;
                self.conversion(*to, *a, bits)?
            }
            Instruction::Loop { trips, initial } => return self.open(*trips, initial),
            Instruction::EndLoop { next } => return self.close(next),
        };
        self.define(ty);
        Ok(())
    }

    fn execute(&mut self, count: u64) -> Result<(), ShaderError> {
        self.executed = self.executed.saturating_add(count);
        if self.executed > Function::FUEL {
            return Err(ShaderError::Fuel { at: self.at, found: self.executed, max_allowed: Function::FUEL });
        }
        Ok(())
    }

    fn define(&mut self, ty: Type) {
        self.facts.types.push(ty);
        self.in_scope.push(true);
    }

    fn type_of(&self, value: ValueId) -> Result<Type, ShaderError> {
        let in_scope = self.in_scope.get(value.index()).copied().unwrap_or(false);
        let ty = self.facts.types.get(value.index()).filter(|_| in_scope);
        ty.copied().ok_or(ShaderError::Undefined { at: self.at, found: value })
    }

    fn wrong(&self, operand: ValueId, found: Type, expected: &'static str) -> ShaderError {
        ShaderError::OperandType { at: self.at, operand, found, expected }
    }

    fn expect(&self, operand: ValueId, expected: Type) -> Result<(), ShaderError> {
        let found = self.type_of(operand)?;
        let text = match expected {
            Type::F32 => "f32",
            Type::I32 => "i32",
            Type::U32 => "u32",
            Type::Bool => "bool",
        };
        if found == expected { Ok(()) } else { Err(self.wrong(operand, found, text)) }
    }

    fn literal(&self, ty: Type, word: Word) -> Result<Type, ShaderError> {
        let canonical = word.canonical(ty) == word;
        if canonical { Ok(ty) } else { Err(ShaderError::Literal { at: self.at, found: word.0, ty }) }
    }

    fn declared(&self, what: &'static str, found: u64, declared: &[Declaration]) -> Result<Type, ShaderError> {
        let declaration = usize::try_from(found).ok().and_then(|index| declared.get(index));
        let error = ShaderError::OutOfRange { at: self.at, what, found, declared: declared.len() };
        declaration.map(|declaration| declaration.ty).ok_or(error)
    }

    fn window(&self, first: SlotId, count: u32, index: ValueId) -> Result<Type, ShaderError> {
        self.expect(index, Type::U32)?;
        let last = u64::from(first.0) + u64::from(count.max(1)) - 1;
        self.declared("slot", last, &self.function.constants)?;
        let slots = &self.function.constants[first.index()..][..count as usize];
        match slots.split_first() {
            Some((head, others)) if others.iter().all(|other| other.ty == head.ty) => Ok(head.ty),
            _ => Err(ShaderError::Window { at: self.at, first, count }),
        }
    }

    fn unary(&self, op: UnaryOp, a: ValueId) -> Result<Type, ShaderError> {
        let ty = self.type_of(a)?;
        let (allowed, expected): (&[Type], _) = match op {
            UnaryOp::Neg | UnaryOp::Abs => (&[Type::F32, Type::I32], "f32 or i32"),
            UnaryOp::Sqrt => (&[Type::F32], "f32"),
            UnaryOp::Not => (&[Type::I32, Type::U32, Type::Bool], "i32, u32 or bool"),
        };
        if allowed.contains(&ty) { Ok(ty) } else { Err(self.wrong(a, ty, expected)) }
    }

    fn binary(&self, op: BinaryOp, a: ValueId, b: ValueId) -> Result<Type, ShaderError> {
        let ty = self.type_of(a)?;
        let (allowed, expected): (&[Type], _) = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Min | BinaryOp::Max => {
                (&[Type::F32, Type::I32, Type::U32], "f32, i32 or u32")
            }
            BinaryOp::Div => (&[Type::F32], "f32"),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => (&[Type::I32, Type::U32, Type::Bool], "i32, u32 or bool"),
            BinaryOp::Shl | BinaryOp::Shr => (&[Type::I32, Type::U32], "i32 or u32"),
        };
        if !allowed.contains(&ty) {
            return Err(self.wrong(a, ty, expected));
        }
        self.expect(b, ty)?;
        Ok(ty)
    }

    fn compare(&self, op: CompareOp, a: ValueId, b: ValueId) -> Result<Type, ShaderError> {
        let ty = self.type_of(a)?;
        if ty == Type::Bool && !matches!(op, CompareOp::Eq | CompareOp::Ne) {
            return Err(self.wrong(a, ty, "f32, i32 or u32"));
        }
        self.expect(b, ty)?;
        Ok(Type::Bool)
    }

    fn conversion(&self, to: Type, a: ValueId, allowed: bool) -> Result<Type, ShaderError> {
        let from = self.type_of(a)?;
        if allowed && from != to { Ok(to) } else { Err(ShaderError::Conversion { at: self.at, from, to }) }
    }

    fn open(&mut self, trips: Trips, initial: &[ValueId]) -> Result<(), ShaderError> {
        limit("loops around an instruction", self.loops.len() + 1, 0, Function::MAX_DEPTH)?;
        limit("values", self.facts.types.len().saturating_add(initial.len()), 0, Function::MAX_INSTRUCTIONS)?;
        if let Trips::Dynamic { count, .. } = trips {
            self.expect(count, Type::U32)?;
        }
        let carried = initial.iter().map(|value| self.type_of(*value)).collect::<Result<Vec<_>, _>>()?;
        let first_value = self.facts.types.len();
        self.define(Type::U32);
        carried.iter().for_each(|ty| self.define(*ty));
        let executed_before = std::mem::take(&mut self.executed);
        self.loops.push(OpenLoop { head: self.at, bound: trips.bound(), first_value, carried, executed_before });
        Ok(())
    }

    fn close(&mut self, next: &[ValueId]) -> Result<(), ShaderError> {
        let Some(open) = self.loops.pop() else {
            return Err(ShaderError::Nesting { at: self.at, found: "end", expected: "head" });
        };
        if next.len() != open.carried.len() {
            return Err(ShaderError::Carried { at: self.at, found: next.len(), expected: open.carried.len() });
        }
        next.iter().zip(&open.carried).try_for_each(|(value, ty)| self.expect(*value, *ty))?;
        self.in_scope[open.first_value..].fill(false);
        open.carried.iter().for_each(|ty| self.define(*ty));
        self.facts.partner[open.head] = self.at;
        self.facts.partner[self.at] = open.head;
        let inside = std::mem::replace(&mut self.executed, open.executed_before);
        self.execute(inside.saturating_mul(u64::from(open.bound)))
    }
}
