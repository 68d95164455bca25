//! Construction of functions in Rust.

use crate::draft::Draft;
use crate::error::ShaderError;
use crate::function::Declaration;
use crate::instruction::{BinaryOp, CompareOp, InputId, Instruction, SlotId, Trips, UnaryOp, ValueId};
use crate::shader::Shader;
use crate::word::{Type, Word};

/// Builder of a function, instruction by instruction. Mistakes are reported by [`Builder::finish`].
///
/// Each literal is emitted once, at the beginning, and unused values are left out: the length of a function does not
/// depend on how it was written.
#[derive(Debug)]
pub struct Builder {
    name: String,
    constants: Vec<Declaration>,
    inputs: Vec<Declaration>,
    draft: Draft,
    outputs: Vec<ValueId>,
}

/// Declares methods that append an operation on two values.
macro_rules! operations {
    ($($(#[$doc:meta])* $method:ident = $general:ident $op:expr;)*) => {$(
        $(#[$doc])*
        pub fn $method(&mut self, a: ValueId, b: ValueId) -> ValueId {
            self.$general($op, a, b)
        }
    )*};
}

impl Builder {
    /// Creates an empty function.
    pub fn new(name: &str) -> Self {
        let draft = Draft::default();
        Self { name: name.to_owned(), constants: Vec::new(), inputs: Vec::new(), draft, outputs: Vec::new() }
    }

    /// Declares a constant slot and loads it.
    pub fn constant(&mut self, name: &str, ty: Type) -> ValueId {
        let slot = self.declare(name, ty);
        self.load(slot)
    }

    /// Declares `count` slots, `name.0`, `name.1` and so on, without loading them. Returns the first one.
    pub fn constants(&mut self, name: &str, ty: Type, count: u32) -> SlotId {
        let first = SlotId(self.constants.len() as u32);
        for index in 0..count {
            self.declare(&format!("{name}.{index}"), ty);
        }
        first
    }

    fn declare(&mut self, name: &str, ty: Type) -> SlotId {
        self.constants.push(Declaration { name: name.to_owned(), ty });
        SlotId(self.constants.len() as u32 - 1)
    }

    /// Loads a slot.
    pub fn load(&mut self, slot: SlotId) -> ValueId {
        self.draft.push(Instruction::Constant { slot })
    }

    /// Loads one of `count` slots from `first` on: the slot at `index` (u32), or the last one if `index` is too large.
    pub fn load_at(&mut self, first: SlotId, count: u32, index: ValueId) -> ValueId {
        self.draft.push(Instruction::ConstantAt { first, count, index })
    }

    /// Declares an input and loads it.
    pub fn input(&mut self, name: &str, ty: Type) -> ValueId {
        self.inputs.push(Declaration { name: name.to_owned(), ty });
        self.draft.push(Instruction::Input { input: InputId(self.inputs.len() as u32 - 1) })
    }

    /// Emits a literal; a NaN becomes [`Word::NAN`].
    pub fn f32(&mut self, number: f32) -> ValueId {
        self.draft.literal(Type::F32, Word::from_f32(number))
    }

    /// Emits a literal.
    pub fn i32(&mut self, number: i32) -> ValueId {
        self.draft.literal(Type::I32, Word::from_i32(number))
    }

    /// Emits a literal.
    pub fn u32(&mut self, number: u32) -> ValueId {
        self.draft.literal(Type::U32, Word(number))
    }

    /// Emits a literal.
    pub fn bool(&mut self, truth: bool) -> ValueId {
        self.draft.literal(Type::Bool, Word::from_bool(truth))
    }

    operations! {
        /// [`BinaryOp::Add`].
        add = binary BinaryOp::Add;
        /// [`BinaryOp::Sub`].
        sub = binary BinaryOp::Sub;
        /// [`BinaryOp::Mul`].
        mul = binary BinaryOp::Mul;
        /// [`BinaryOp::Div`].
        div = binary BinaryOp::Div;
        /// [`BinaryOp::Min`].
        min = binary BinaryOp::Min;
        /// [`BinaryOp::Max`].
        max = binary BinaryOp::Max;
        /// [`BinaryOp::And`].
        and = binary BinaryOp::And;
        /// [`BinaryOp::Or`].
        or = binary BinaryOp::Or;
        /// [`BinaryOp::Xor`].
        xor = binary BinaryOp::Xor;
        /// [`BinaryOp::Shl`].
        shl = binary BinaryOp::Shl;
        /// [`BinaryOp::Shr`].
        shr = binary BinaryOp::Shr;
        /// [`CompareOp::Eq`].
        eq = compare CompareOp::Eq;
        /// [`CompareOp::Ne`].
        ne = compare CompareOp::Ne;
        /// [`CompareOp::Lt`].
        lt = compare CompareOp::Lt;
        /// [`CompareOp::Le`].
        le = compare CompareOp::Le;
        /// [`CompareOp::Gt`].
        gt = compare CompareOp::Gt;
        /// [`CompareOp::Ge`].
        ge = compare CompareOp::Ge;
    }

    /// Emits an operation on two values.
    pub fn binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
        self.draft.push(Instruction::Binary { op, a, b })
    }

    /// Emits a comparison.
    pub fn compare(&mut self, op: CompareOp, a: ValueId, b: ValueId) -> ValueId {
        self.draft.push(Instruction::Compare { op, a, b })
    }

    /// Emits an operation on one value.
    pub fn unary(&mut self, op: UnaryOp, a: ValueId) -> ValueId {
        self.draft.push(Instruction::Unary { op, a })
    }

    /// [`UnaryOp::Neg`].
    pub fn neg(&mut self, a: ValueId) -> ValueId {
        self.unary(UnaryOp::Neg, a)
    }

    /// [`UnaryOp::Abs`].
    pub fn abs(&mut self, a: ValueId) -> ValueId {
        self.unary(UnaryOp::Abs, a)
    }

    /// [`UnaryOp::Sqrt`].
    pub fn sqrt(&mut self, a: ValueId) -> ValueId {
        self.unary(UnaryOp::Sqrt, a)
    }

    /// [`UnaryOp::Not`].
    pub fn not(&mut self, a: ValueId) -> ValueId {
        self.unary(UnaryOp::Not, a)
    }

    /// [`Instruction::Fma`].
    pub fn fma(&mut self, a: ValueId, b: ValueId, c: ValueId) -> ValueId {
        self.draft.push(Instruction::Fma { a, b, c })
    }

    /// [`Instruction::Select`].
    pub fn select(&mut self, condition: ValueId, on_true: ValueId, on_false: ValueId) -> ValueId {
        self.draft.push(Instruction::Select { condition, on_true, on_false })
    }

    /// [`Instruction::Convert`].
    pub fn convert(&mut self, to: Type, a: ValueId) -> ValueId {
        self.draft.push(Instruction::Convert { to, a })
    }

    /// [`Instruction::Bitcast`].
    pub fn bitcast(&mut self, to: Type, a: ValueId) -> ValueId {
        self.draft.push(Instruction::Bitcast { to, a })
    }

    /// Emits a loop. `body` receives the trip index and the carried values, and returns the carried values of the next
    /// trip; the result is the value after the last trip.
    pub fn repeat<const N: usize>(
        &mut self,
        trips: Trips,
        initial: [ValueId; N],
        body: impl FnOnce(&mut Self, ValueId, [ValueId; N]) -> [ValueId; N],
    ) -> [ValueId; N] {
        let head = self.draft.push(Instruction::Loop { trips, initial: initial.to_vec() });
        let carried = std::array::from_fn(|index| ValueId(head.0 + 1 + index as u32));
        let next = body(self, head, carried);
        let first = self.draft.push(Instruction::EndLoop { next: next.to_vec() });
        std::array::from_fn(|index| ValueId(first.0 + index as u32))
    }

    /// Declares a value as an output.
    pub fn output(&mut self, value: ValueId) {
        self.outputs.push(value);
    }

    /// Checks the function. Ids are numbered as in its text.
    ///
    /// # Errors
    /// The errors of the checker.
    pub fn finish(self) -> Result<Shader, ShaderError> {
        self.draft.finish(self.name, self.constants, self.inputs, &self.outputs).check()
    }
}
