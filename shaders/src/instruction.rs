//! The instructions of the form, and the ids they name things by.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::word::{Type, Word};

/// Declares ids: an index with a sigil in text.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident $sigil:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(out, concat!($sigil, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, out)
            }
        }
    )*};
}

ids! {
    /// A value. Values are numbered from 0 in the order in which the body's instructions define them.
    ValueId "%";
    /// A constant slot: one word, the same for all lanes of a run.
    SlotId "c";
    /// An input: one word per lane.
    InputId "in";
}

/// An operation on one value; its type is the operand's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnaryOp {
    /// f32: the sign changes (a NaN stays the NaN). i32: wraps.
    Neg,
    /// f32: the sign is cleared. i32: wraps, so the least number stays.
    Abs,
    /// f32: IEEE square root.
    Sqrt,
    /// i32, u32: every bit changes. bool: not.
    Not,
}

/// An operation on two values of one type, which is the result's, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BinaryOp {
    /// f32: IEEE. i32, u32: wraps.
    Add,
    /// f32: IEEE. i32, u32: wraps.
    Sub,
    /// f32: IEEE. i32, u32: wraps.
    Mul,
    /// f32: IEEE.
    Div,
    /// f32, i32, u32. If one f32 is NaN, the other is the result, as in Direct3D; −0 is less than +0.
    Min,
    /// f32, i32, u32. If one f32 is NaN, the other is the result, as in Direct3D; −0 is less than +0.
    Max,
    /// i32, u32, bool.
    And,
    /// i32, u32, bool.
    Or,
    /// i32, u32, bool.
    Xor,
    /// i32, u32, by the low five bits of the second.
    Shl,
    /// i32 (the sign comes in), u32 (zeros come in), by the low five bits of the second.
    Shr,
}

/// A comparison of two values of one type; the result is bool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompareOp {
    /// All types. NaN equals nothing.
    Eq,
    /// All types. The opposite of `Eq`, so true of NaN.
    Ne,
    /// f32, i32, u32. False of NaN.
    Lt,
    /// f32, i32, u32. False of NaN.
    Le,
    /// f32, i32, u32. False of NaN.
    Gt,
    /// f32, i32, u32. False of NaN.
    Ge,
}

/// How often a loop's body runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Trips {
    /// Always so often.
    Constant(u32),
    /// As often as the u32 value says, but at most `bound` times.
    Dynamic {
        /// The wish.
        count: ValueId,
        /// The most.
        bound: u32,
    },
}

impl Trips {
    /// The most trips there can be.
    pub fn bound(self) -> u32 {
        match self {
            Trips::Constant(count) => count,
            Trips::Dynamic { bound, .. } => bound,
        }
    }
}

/// One instruction. Each defines one value, but for the two ends of a loop.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Instruction {
    /// A value known when the function is built.
    Literal {
        /// Its type.
        ty: Type,
        /// Its bits, canonical for the type.
        word: Word,
    },
    /// The value of a constant slot.
    Constant {
        /// Which.
        slot: SlotId,
    },
    /// The value of one of the slots `first .. first + count`, which have one type: the one at `index`, or the last
    /// if `index` is beyond it. So the window is known when the function is built, whatever the index.
    ConstantAt {
        /// Where the window begins.
        first: SlotId,
        /// How many slots it has; at least one.
        count: u32,
        /// A u32 value.
        index: ValueId,
    },
    /// An input of the lane.
    Input {
        /// Which.
        input: InputId,
    },
    /// An operation on one value.
    Unary {
        /// What is done.
        op: UnaryOp,
        /// The operand.
        a: ValueId,
    },
    /// An operation on two values of one type.
    Binary {
        /// What is done.
        op: BinaryOp,
        /// The first operand.
        a: ValueId,
        /// The second operand.
        b: ValueId,
    },
    /// A comparison of two values of one type.
    Compare {
        /// What is asked.
        op: CompareOp,
        /// The first operand.
        a: ValueId,
        /// The second operand.
        b: ValueId,
    },
    /// `a * b + c` of f32, rounded once.
    Fma {
        /// A factor.
        a: ValueId,
        /// A factor.
        b: ValueId,
        /// What is added.
        c: ValueId,
    },
    /// One of two values of one type.
    Select {
        /// A bool.
        condition: ValueId,
        /// The result if it is true.
        on_true: ValueId,
        /// The result if it is false.
        on_false: ValueId,
    },
    /// The nearest number of another type: f32 to i32, u32 rounds toward zero and saturates (NaN becomes 0); i32, u32
    /// to f32 rounds to nearest even; i32 to u32 and back saturates; bool becomes 0 or 1. Nothing converts to bool.
    Convert {
        /// The result's type.
        to: Type,
        /// The operand.
        a: ValueId,
    },
    /// The same bits as another of f32, i32, u32; a NaN becomes the NaN.
    Bitcast {
        /// The result's type.
        to: Type,
        /// The operand.
        a: ValueId,
    },
    /// The head of a counted loop. Defines, for the body alone, the number of the trip (u32, from 0) and one carried
    /// value for each of `initial`.
    Loop {
        /// How often the body runs.
        trips: Trips,
        /// What is carried into the first trip.
        initial: Vec<ValueId>,
    },
    /// The end of the innermost loop. Defines, after the loop, the carried values as the last trip left them (or
    /// `initial`, if there was none).
    EndLoop {
        /// What is carried into the next trip; types as in `initial`.
        next: Vec<ValueId>,
    },
}

impl Instruction {
    /// Calls `visit` with each operand in the order of the text.
    pub fn for_each_operand(&mut self, mut visit: impl FnMut(&mut ValueId)) {
        match self {
            Self::Literal { .. } | Self::Constant { .. } | Self::Input { .. } => {}
            Self::ConstantAt { index: a, .. }
            | Self::Unary { a, .. }
            | Self::Convert { a, .. }
            | Self::Bitcast { a, .. } => visit(a),
            Self::Binary { a, b, .. } | Self::Compare { a, b, .. } => [a, b].into_iter().for_each(visit),
            Self::Fma { a, b, c } => [a, b, c].into_iter().for_each(visit),
            Self::Select { condition, on_true, on_false } => {
                [condition, on_true, on_false].into_iter().for_each(visit);
            }
            Self::Loop { trips, initial } => {
                if let Trips::Dynamic { count, .. } = trips {
                    visit(count);
                }
                initial.iter_mut().for_each(visit);
            }
            Self::EndLoop { next } => next.iter_mut().for_each(visit),
        }
    }

    /// How many values the instruction defines.
    pub fn defines(&self) -> usize {
        match self {
            Self::Loop { initial, .. } => initial.len().saturating_add(1),
            Self::EndLoop { next } => next.len(),
            _ => 1,
        }
    }
}
