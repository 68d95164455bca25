//! What can be wrong with a function or with what it is given.

use thiserror::Error;

use crate::instruction::{SlotId, ValueId};
use crate::word::Type;

/// Why a function was refused, or could not be run.
///
/// `at` is the index of an instruction in the body.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ShaderError {
    /// More of something than the form allows.
    #[error("{what}: found {found}, expected {least} to {most}")]
    Limit {
        /// What there is too much or too little of.
        what: &'static str,
        /// How much there is.
        found: usize,
        /// The least allowed.
        least: usize,
        /// The most allowed.
        most: usize,
    },
    /// A name that is not made of 1 to 64 letters, digits and `_ - .`.
    #[error("the name of {what} is {found:?}; expected 1 to 64 letters, digits and '_', '-', '.'")]
    Name {
        /// What is named.
        what: &'static str,
        /// Its beginning.
        found: String,
    },
    /// An operand that no instruction before defines, or one of a loop that has ended. So there are no cycles.
    #[error("instruction {at}: {found} is not defined here")]
    Undefined {
        /// The instruction; the body's length stands for the outputs.
        at: usize,
        /// The operand.
        found: ValueId,
    },
    /// An operand of the wrong type.
    #[error("instruction {at}: operand {operand} is {found}, expected {expected}")]
    OperandType {
        /// The instruction.
        at: usize,
        /// The operand.
        operand: ValueId,
        /// Its type.
        found: Type,
        /// What it should be.
        expected: &'static str,
    },
    /// A slot or input that the function does not declare.
    #[error("instruction {at}: reads {what} {found}, expected less than {declared}")]
    OutOfRange {
        /// The instruction.
        at: usize,
        /// Slot or input.
        what: &'static str,
        /// The index.
        found: u64,
        /// How many are declared.
        declared: usize,
    },
    /// A window of slots that is empty or has more than one type.
    #[error("instruction {at}: the window at {first} of {count} slots is empty or of mixed types; expected one type")]
    Window {
        /// The instruction.
        at: usize,
        /// Where the window begins.
        first: SlotId,
        /// How many slots it has.
        count: u32,
    },
    /// A literal whose bits are not canonical for its type.
    #[error("instruction {at}: the literal {found:#010x} is not canonical for {ty}")]
    Literal {
        /// The instruction.
        at: usize,
        /// The bits.
        found: u32,
        /// The type.
        ty: Type,
    },
    /// A conversion that the form does not have.
    #[error("instruction {at}: no conversion from {from} to {to}")]
    Conversion {
        /// The instruction.
        at: usize,
        /// The operand's type.
        from: Type,
        /// The wished type.
        to: Type,
    },
    /// An end without a loop, or a loop without an end.
    #[error("instruction {at}: a loop's {found} without its {expected}")]
    Nesting {
        /// The instruction; the body's length if the end is missing.
        at: usize,
        /// What stands there.
        found: &'static str,
        /// What should be there.
        expected: &'static str,
    },
    /// A loop whose end carries another number of values than its head.
    #[error("instruction {at}: carries {found} values, expected {expected}")]
    Carried {
        /// The loop's end.
        at: usize,
        /// How many it has.
        found: usize,
        /// How many the head has.
        expected: usize,
    },
    /// A lane could execute more than the fuel limit.
    #[error("instruction {at}: a lane may have executed {found} instructions by then, expected at most {most}")]
    Fuel {
        /// Where the limit is passed.
        at: usize,
        /// The most that may have been executed.
        found: u64,
        /// The limit.
        most: u64,
    },
    /// Constants, inputs or lanes that do not fit the function.
    #[error("{what}: found {found}, expected {expected}")]
    Arguments {
        /// What does not fit.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// The back end could not compile for this machine.
    #[error("no machine code for {shader}: {reason}")]
    Machine {
        /// The function's name.
        shader: String,
        /// What the back end said.
        reason: String,
    },
}

impl ShaderError {
    /// Index of the instruction that is wrong; the body's length for what is wrong after the last.
    pub fn instruction(&self) -> Option<usize> {
        match self {
            Self::Undefined { at, .. }
            | Self::OperandType { at, .. }
            | Self::OutOfRange { at, .. }
            | Self::Window { at, .. }
            | Self::Literal { at, .. }
            | Self::Conversion { at, .. }
            | Self::Nesting { at, .. }
            | Self::Carried { at, .. }
            | Self::Fuel { at, .. } => Some(*at),
            Self::Limit { .. } | Self::Name { .. } | Self::Arguments { .. } | Self::Machine { .. } => None,
        }
    }
}
