//! Folding of an instruction with possibly known operands.

use std::collections::BTreeMap;

use crate::arithmetic;
use crate::draft::Draft;
use crate::instruction::{BinaryOp, CompareOp, Instruction, SlotId, UnaryOp, ValueId};
use crate::shader::Shader;
use crate::slots::SlotSet;
use crate::word::{Type, Word};

/// Replacement of a value of the original function.
#[derive(Debug, Clone, Default)]
pub(crate) struct Binding {
    /// Id in the draft.
    pub id: ValueId,
    /// Bits, if known.
    pub known: Option<Word>,
    /// Slots on whose values the bits depend.
    pub from: SlotSet,
}

impl Binding {
    pub fn unknown(id: ValueId) -> Self {
        Self { id, known: None, from: SlotSet::default() }
    }
}

/// Function under construction.
pub(crate) struct Fold<'a> {
    /// Original shader.
    pub shader: &'a Shader,
    /// Known slots.
    pub values: &'a BTreeMap<SlotId, Word>,
    pub draft: Draft,
    /// Slots whose values removed an instruction.
    pub used: SlotSet,
    /// By value of the original.
    pub bindings: Vec<Binding>,
}

impl Fold<'_> {
    pub fn binding(&self, value: ValueId) -> &Binding {
        &self.bindings[value.index()]
    }

    pub fn literal(&mut self, ty: Type, word: Word, from: SlotSet) -> Binding {
        Binding { id: self.draft.literal(ty, word), known: Some(word), from }
    }

    fn type_of(&self, value: ValueId) -> Type {
        self.shader.facts().types[value.index()]
    }

    fn known(&self, value: ValueId) -> Option<Word> {
        self.binding(value).known
    }

    /// Removes an operation on known operands: its result is known.
    fn folded(&mut self, ty: Type, word: Word, operands: &[ValueId]) -> Binding {
        let mut from = SlotSet::default();
        operands.iter().for_each(|operand| from.union(&self.binding(*operand).from));
        self.used.union(&from);
        self.literal(ty, word, from)
    }

    /// Replaces an operation by `value`, whose result is the same because of the known value `reason`.
    fn replace_by(&mut self, value: ValueId, reason: ValueId) -> Binding {
        let from = self.binding(reason).from.clone();
        self.used.union(&from);
        let mut binding = self.binding(value).clone();
        // A known result is valid only while the reason holds.
        if binding.known.is_some() {
            binding.from.union(&from);
        }
        binding
    }

    /// Emits the instruction with new operands.
    fn emit(&mut self, mut instruction: Instruction) -> Binding {
        instruction.for_each_operand(|operand| *operand = self.bindings[operand.index()].id);
        Binding::unknown(self.draft.push(instruction))
    }

    /// Returns the replacement of an instruction other than a loop's head or end.
    pub fn evaluate(&mut self, instruction: &Instruction) -> Binding {
        match *instruction {
            Instruction::Literal { ty, word } => self.literal(ty, word, SlotSet::default()),
            Instruction::Constant { slot } => self.load(slot),
            Instruction::ConstantAt { first, count, index } => self.load_at(first, count, index),
            Instruction::Unary { op, a } => self.unary(op, a),
            Instruction::Binary { op, a, b } => self.binary(op, a, b),
            Instruction::Compare { op, a, b } => self.compare(op, a, b),
            Instruction::Fma { a, b, c } => self.fma(a, b, c),
            Instruction::Select { condition, on_true, on_false } => self.select(condition, on_true, on_false),
            Instruction::Convert { to, a } => match self.known(a) {
                Some(word) => self.folded(to, arithmetic::convert(self.type_of(a), to, word), &[a]),
                None => self.emit(instruction.clone()),
            },
            Instruction::Bitcast { to, a } => match self.known(a) {
                Some(word) => self.folded(to, arithmetic::bitcast(to, word), &[a]),
                None => self.emit(instruction.clone()),
            },
            Instruction::Input { .. } | Instruction::Loop { .. } | Instruction::EndLoop { .. } => {
                self.emit(instruction.clone())
            }
        }
    }

    fn slot(&self, slot: SlotId) -> Option<(Type, Word)> {
        let ty = self.shader.function().constants[slot.index()].ty;
        Some((ty, self.values.get(&slot)?.canonical(ty)))
    }

    fn load(&mut self, slot: SlotId) -> Binding {
        match self.slot(slot) {
            Some((ty, word)) => self.literal(ty, word, SlotSet::new([slot])),
            None => self.emit(Instruction::Constant { slot }),
        }
    }

    fn load_at(&mut self, first: SlotId, count: u32, index: ValueId) -> Binding {
        let window = || (first.0..first.0 + count).map(SlotId);
        if let Some(at) = self.known(index) {
            let from = self.binding(index).from.clone();
            self.used.union(&from);
            let mut binding = self.load(SlotId(first.0 + at.0.min(count - 1)));
            if binding.known.is_some() {
                binding.from.union(&from);
            }
            return binding;
        }
        match self.slot(first) {
            // All slots of the window are equal, so the index does not matter.
            Some((ty, word)) if window().all(|slot| self.slot(slot) == Some((ty, word))) => {
                let from = SlotSet::new(window());
                self.used.union(&from);
                self.literal(ty, word, from)
            }
            _ => self.emit(Instruction::ConstantAt { first, count, index }),
        }
    }

    fn unary(&mut self, op: UnaryOp, a: ValueId) -> Binding {
        let ty = self.type_of(a);
        match self.known(a) {
            Some(word) => self.folded(ty, arithmetic::unary(op, ty, word), &[a]),
            None => self.emit(Instruction::Unary { op, a }),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> Binding {
        let ty = self.type_of(a);
        match (self.known(a), self.known(b)) {
            (Some(left), Some(right)) => self.folded(ty, arithmetic::binary(op, ty, left, right), &[a, b]),
            (None, Some(right)) if is_right_identity(op, ty, right) => self.replace_by(a, b),
            (Some(left), None) if commutes(op) && is_right_identity(op, ty, left) => self.replace_by(b, a),
            (None, Some(right)) if absorbs(op, ty, right) => self.replace_by(b, b),
            (Some(left), None) if commutes(op) && absorbs(op, ty, left) => self.replace_by(a, a),
            (None, None) if self.binding(a).id == self.binding(b).id => self.fold_equal_operands(op, ty, a, b),
            _ => self.emit(Instruction::Binary { op, a, b }),
        }
    }

    /// Folds an operation whose two operands are the same value.
    fn fold_equal_operands(&mut self, op: BinaryOp, ty: Type, a: ValueId, b: ValueId) -> Binding {
        match op {
            BinaryOp::Min | BinaryOp::Max | BinaryOp::And | BinaryOp::Or => self.replace_by(a, a),
            BinaryOp::Xor => self.literal(ty, Word(0), SlotSet::default()),
            BinaryOp::Sub if ty != Type::F32 => self.literal(ty, Word(0), SlotSet::default()),
            _ => self.emit(Instruction::Binary { op, a, b }),
        }
    }

    fn compare(&mut self, op: CompareOp, a: ValueId, b: ValueId) -> Binding {
        let ty = self.type_of(a);
        if let (Some(left), Some(right)) = (self.known(a), self.known(b)) {
            return self.folded(Type::Bool, arithmetic::compare(op, ty, left, right), &[a, b]);
        }
        // An f32 might be NaN.
        if ty != Type::F32 && self.binding(a).id == self.binding(b).id {
            let holds = matches!(op, CompareOp::Eq | CompareOp::Le | CompareOp::Ge);
            return self.literal(Type::Bool, Word::from_bool(holds), SlotSet::default());
        }
        self.emit(Instruction::Compare { op, a, b })
    }

    fn fma(&mut self, a: ValueId, b: ValueId, c: ValueId) -> Binding {
        let one = Some(Word::from_f32(1.0));
        match (self.known(a), self.known(b), self.known(c)) {
            (Some(x), Some(y), Some(z)) => self.folded(Type::F32, arithmetic::fma(x, y, z), &[a, b, c]),
            // A factor of one or a summand of -0 leaves the sum or product of the other two, rounded once as before. A
            // gain only if that is removed, too.
            (left, _, Some(z)) if left == one && is_right_identity(BinaryOp::Add, Type::F32, z) => {
                self.used.union(&self.bindings[c.index()].from);
                self.replace_by(b, a)
            }
            (_, right, Some(z)) if right == one && is_right_identity(BinaryOp::Add, Type::F32, z) => {
                self.used.union(&self.bindings[c.index()].from);
                self.replace_by(a, b)
            }
            _ => self.emit(Instruction::Fma { a, b, c }),
        }
    }

    fn select(&mut self, condition: ValueId, on_true: ValueId, on_false: ValueId) -> Binding {
        if let Some(word) = self.known(condition) {
            return self.replace_by(if word.bool() { on_true } else { on_false }, condition);
        }
        let (yes, no) = (self.binding(on_true), self.binding(on_false));
        if yes.id == no.id {
            self.used.union(&self.bindings[on_true.index()].from);
            return self.replace_by(on_true, on_false);
        }
        let truths = (self.type_of(on_true) == Type::Bool).then_some((yes.known, no.known));
        if truths == Some((Some(Word(1)), Some(Word(0)))) {
            self.used.union(&self.bindings[on_false.index()].from);
            return self.replace_by(condition, on_true);
        }
        self.emit(Instruction::Select { condition, on_true, on_false })
    }
}

fn commutes(op: BinaryOp) -> bool {
    !matches!(op, BinaryOp::Sub | BinaryOp::Div | BinaryOp::Shl | BinaryOp::Shr)
}

/// True if `x op right` is x, bit for bit, for every canonical x.
fn is_right_identity(op: BinaryOp, ty: Type, right: Word) -> bool {
    match (op, ty) {
        // x + 0 is no identity: -0 + 0 is 0.
        (BinaryOp::Add, Type::F32) => right == Word::from_f32(-0.0),
        (BinaryOp::Sub, Type::F32) => right == Word::from_f32(0.0),
        (BinaryOp::Mul | BinaryOp::Div, Type::F32) => right == Word::from_f32(1.0),
        // With NaN, the other operand is the result.
        (BinaryOp::Min | BinaryOp::Max, Type::F32) => right == Word::NAN,
        (BinaryOp::Mul, _) => right == Word(1),
        (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Or | BinaryOp::Xor, _) => right == Word(0),
        (BinaryOp::Shl | BinaryOp::Shr, _) => right.0.is_multiple_of(32),
        (BinaryOp::And, Type::Bool) => right == Word(1),
        (BinaryOp::And, _) => right == Word(u32::MAX),
        (BinaryOp::Max, Type::U32) => right == Word(0),
        (BinaryOp::Min, Type::U32) => right == Word(u32::MAX),
        _ => false,
    }
}

/// True if `x op right` is `right` for every x.
fn absorbs(op: BinaryOp, ty: Type, right: Word) -> bool {
    match (op, ty) {
        // x * 0 is NaN for an infinite x, and has the sign of x.
        (_, Type::F32) => false,
        (BinaryOp::Mul | BinaryOp::And, _) => right == Word(0),
        (BinaryOp::Or, Type::Bool) => right == Word(1),
        (BinaryOp::Or, _) => right == Word(u32::MAX),
        (BinaryOp::Min, Type::U32) => right == Word(0),
        (BinaryOp::Max, Type::U32) => right == Word(u32::MAX),
        _ => false,
    }
}
