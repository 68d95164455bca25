//! Errors in functions and in the arguments of runs.

use thiserror::Error;

use crate::instruction::{SlotId, ValueId};
use crate::word::Type;

/// Error of a rejected function, or of a run.
///
/// `at` is the index of an instruction in the body.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ShaderError {
    /// A number of items that the form does not allow.
    #[error("{what}: found {found}, expected {min_allowed} to {max_allowed}")]
    Limit {
        /// Name of the items.
        what: &'static str,
        found: usize,
        min_allowed: usize,
        max_allowed: usize,
    },
    /// A name that does not consist of 1 to 64 letters, digits and `_ - .`.
    #[error("the name of {what} is {found:?}; expected 1 to 64 letters, digits and '_', '-', '.'")]
    Name {
        /// Kind of the named item.
        what: &'static str,
        /// Beginning of the name.
        found: String,
    },
    /// An operand that no earlier instruction defines, or one of a loop that has ended. This excludes cycles.
    #[error("instruction {at}: {found} is not defined here")]
    Undefined {
        /// Index of the instruction; the body's length for an output.
        at: usize,
        found: ValueId,
    },
    /// An operand with a wrong type.
    #[error("instruction {at}: operand {operand} is {found}, expected {expected}")]
    OperandType {
        at: usize,
        operand: ValueId,
        /// Type of the operand.
        found: Type,
        /// Allowed types.
        expected: &'static str,
    },
    /// A slot or input that the function does not declare.
    #[error("instruction {at}: reads {what} {found}, expected less than {declared}")]
    OutOfRange {
        at: usize,
        /// Slot or input.
        what: &'static str,
        /// Index of the slot or input.
        found: u64,
        /// Declared number.
        declared: usize,
    },
    /// A window of slots that is empty or has more than one type.
    #[error("instruction {at}: the window at {first} of {count} slots is empty or of mixed types; expected one type")]
    Window {
        at: usize,
        /// First slot of the window.
        first: SlotId,
        /// Number of slots of the window.
        count: u32,
    },
    /// A literal whose bits are not canonical for its type.
    #[error("instruction {at}: the literal {found:#010x} is not canonical for {ty}")]
    Literal {
        at: usize,
        /// Bits of the literal.
        found: u32,
        ty: Type,
    },
    /// A conversion that the form does not have.
    #[error("instruction {at}: no conversion from {from} to {to}")]
    Conversion {
        at: usize,
        /// Type of the operand.
        from: Type,
        /// Target type.
        to: Type,
    },
    /// An end without a loop, or a loop without an end.
    #[error("instruction {at}: a loop's {found} without its {expected}")]
    Nesting {
        /// Index of the instruction; the body's length for a missing end.
        at: usize,
        /// Found instruction.
        found: &'static str,
        /// Expected instruction.
        expected: &'static str,
    },
    /// A loop whose end carries another number of values than its head.
    #[error("instruction {at}: carries {found} values, expected {expected}")]
    Carried {
        /// Index of the loop's end.
        at: usize,
        /// Number of values of the end.
        found: usize,
        /// Number of values of the head.
        expected: usize,
    },
    /// A lane could execute more instructions than the fuel limit.
    #[error("instruction {at}: a lane may have executed {found} instructions by then, expected at most {max_allowed}")]
    Fuel {
        /// Index of the instruction that exceeds the limit.
        at: usize,
        /// Maximum number of executed instructions.
        found: u64,
        max_allowed: u64,
    },
    /// Constants, inputs or lanes that do not match the function.
    #[error("{what}: found {found}, expected {expected}")]
    Arguments {
        /// Kind of the arguments.
        what: &'static str,
        found: usize,
        expected: usize,
    },
    /// The back end cannot compile the function for this processor.
    #[error("no machine code for {shader}: {reason}")]
    Machine {
        /// Name of the function.
        shader: String,
        /// Message of the back end.
        reason: String,
    },
}

impl ShaderError {
    /// Returns the index of the invalid instruction; the body's length for errors after the last one.
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
