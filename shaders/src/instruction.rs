//! Instructions of the form, and their ids.

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
            /// Returns the id as an index.
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
    /// Id of a value. Values are numbered from 0 in the order in which the body's instructions define them.
    ValueId "%";
    /// Id of a constant slot: one word, the same for all lanes of a run.
    SlotId "c";
    /// Id of an input: one word per lane.
    InputId "in";
}

/// Operation on one value; the result has the operand's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnaryOp {
    /// f32: flips the sign (a NaN stays the canonical NaN). i32: wraps.
    Neg,
    /// f32: clears the sign. i32: wraps, so the minimum stays.
    Abs,
    /// f32: IEEE square root.
    Sqrt,
    /// i32, u32: inverts every bit. bool: logical not.
    Not,
}

/// Operation on two values of one type; the result has that type, too.
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
    /// i32, u32; the amount is the low five bits of the second operand.
    Shl,
    /// i32 (arithmetic), u32 (logical); the amount is the low five bits of the second operand.
    Shr,
}

/// Comparison of two values of one type; the result is bool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompareOp {
    /// All types. NaN equals nothing.
    Eq,
    /// All types. The opposite of `Eq`, so true for NaN.
    Ne,
    /// f32, i32, u32. False for NaN.
    Lt,
    /// f32, i32, u32. False for NaN.
    Le,
    /// f32, i32, u32. False for NaN.
    Gt,
    /// f32, i32, u32. False for NaN.
    Ge,
}

/// Trip count of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Trips {
    /// Fixed number of trips.
    Constant(u32),
    /// Number of trips in a u32 value, at most `bound`.
    Dynamic {
        /// Requested number of trips.
        count: ValueId,
        /// Maximum number of trips.
        bound: u32,
    },
}

impl Trips {
    /// Returns the maximum number of trips.
    pub fn bound(self) -> u32 {
        match self {
            Trips::Constant(count) => count,
            Trips::Dynamic { bound, .. } => bound,
        }
    }
}

/// Instruction. Each defines one value, except the head and end of a loop.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Instruction {
    /// Value known when the function is built.
    Literal {
        ty: Type,
        /// Bits, canonical for the type.
        word: Word,
    },
    /// Value of a constant slot.
    Constant { slot: SlotId },
    /// Value of one of the slots `first .. first + count`, which have one type: the slot at `index`, or the last one if
    /// `index` is too large. So the window is known when the function is built.
    ConstantAt {
        /// First slot of the window.
        first: SlotId,
        /// Number of slots of the window; at least one.
        count: u32,
        /// Index, a u32 value.
        index: ValueId,
    },
    /// Input of the lane.
    Input { input: InputId },
    /// Operation on one value.
    Unary { op: UnaryOp, a: ValueId },
    /// Operation on two values of one type.
    Binary { op: BinaryOp, a: ValueId, b: ValueId },
    /// Comparison of two values of one type.
    Compare { op: CompareOp, a: ValueId, b: ValueId },
    /// `a * b + c` of f32, rounded once.
    Fma {
        /// First factor.
        a: ValueId,
        /// Second factor.
        b: ValueId,
        /// Summand.
        c: ValueId,
    },
    /// Selection of one of two values of one type.
    Select {
        /// Condition, a bool.
        condition: ValueId,
        /// Result if the condition is true.
        on_true: ValueId,
        /// Result if the condition is false.
        on_false: ValueId,
    },
    /// Nearest value of another type: f32 to i32, u32 rounds toward zero and saturates (NaN becomes 0); i32, u32 to f32
    /// rounds to nearest even; i32 to u32 and back saturates; bool becomes 0 or 1. Nothing converts to bool.
    Convert {
        /// Type of the result.
        to: Type,
        a: ValueId,
    },
    /// Same bits as another type of f32, i32, u32; a NaN becomes the canonical NaN.
    Bitcast {
        /// Type of the result.
        to: Type,
        a: ValueId,
    },
    /// Head of a counted loop. Defines, for the body, the trip index (u32, from 0) and one carried value per `initial`.
    Loop {
        trips: Trips,
        /// Carried values of the first trip.
        initial: Vec<ValueId>,
    },
    /// End of the innermost loop. Defines, after the loop, the carried values of the last trip (or `initial` without
    /// any trip).
    EndLoop {
        /// Carried values of the next trip; types as in `initial`.
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

    /// Returns the number of values that the instruction defines.
    pub fn defines(&self) -> usize {
        match self {
            Self::Loop { initial, .. } => initial.len().saturating_add(1),
            Self::EndLoop { next } => next.len(),
            _ => 1,
        }
    }
}
