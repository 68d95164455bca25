//! Functions of the form before they are checked.

use serde::{Deserialize, Serialize};

use crate::instruction::{Instruction, ValueId};
use crate::word::Type;

/// Declaration of a constant slot or an input.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Declaration {
    /// Name of 1 to 64 letters, digits and `_ - .`; has no effect.
    pub name: String,
    /// Interpretation of the word.
    pub ty: Type,
}

/// Unchecked function. [`Function::check`] turns a valid one into a [`Shader`](crate::Shader).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Function {
    /// Name of 1 to 64 letters, digits and `_ - .`; has no effect.
    pub name: String,
    /// Constant slots, indexed by [`SlotId`](crate::SlotId).
    pub constants: Vec<Declaration>,
    /// Inputs, indexed by [`crate::InputId`].
    pub inputs: Vec<Declaration>,
    pub body: Vec<Instruction>,
    /// Outputs of a lane, in order.
    pub outputs: Vec<ValueId>,
}

impl Function {
    /// Maximum number of constant slots: more than a root signature's 64, less than a constant buffer's 16384.
    pub const MAX_CONSTANTS: usize = 1024;
    /// Maximum number of inputs.
    pub const MAX_INPUTS: usize = 64;
    /// Maximum number of outputs.
    pub const MAX_OUTPUTS: usize = 64;
    /// Maximum number of instructions, and of values. (Compile time grows with the square of the number of live
    /// values.)
    pub const MAX_INSTRUCTIONS: usize = 4096;
    /// Maximum nesting depth of loops.
    pub const MAX_DEPTH: usize = 8;
    /// Maximum number of instructions that a lane may execute, with every loop at its bound.
    pub const FUEL: u64 = 1 << 16;
}
