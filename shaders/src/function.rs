//! A function of the form, as written.

use serde::{Deserialize, Serialize};

use crate::instruction::{Instruction, ValueId};
use crate::word::Type;

/// A constant slot or an input as a function declares it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Declaration {
    /// 1 to 64 letters, digits and `_ - .`; for people only.
    pub name: String,
    /// How its word is read.
    pub ty: Type,
}

/// A function as written down; anything may be wrong with it. [`Function::check`] makes a [`Shader`](crate::Shader) of a sound one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Function {
    /// 1 to 64 letters, digits and `_ - .`; for people only.
    pub name: String,
    /// The constant slots; [`SlotId`](crate::SlotId) is an index into them.
    pub constants: Vec<Declaration>,
    /// The inputs; [`crate::InputId`] is an index into them.
    pub inputs: Vec<Declaration>,
    /// The instructions in order.
    pub body: Vec<Instruction>,
    /// What a lane gives, in order.
    pub outputs: Vec<ValueId>,
}

impl Function {
    /// Most constant slots: more than a root signature's 64, less than a constant buffer's 16384.
    pub const MOST_CONSTANTS: usize = 1024;
    /// Most inputs.
    pub const MOST_INPUTS: usize = 64;
    /// Most outputs.
    pub const MOST_OUTPUTS: usize = 64;
    /// Most instructions, and most values. (Time to compile grows with the square of the values alive at once.)
    pub const MOST_INSTRUCTIONS: usize = 4096;
    /// Most loops around an instruction.
    pub const MOST_DEPTH: usize = 8;
    /// Most instructions a lane may execute, every loop at its bound.
    pub const FUEL: u64 = 1 << 16;
}
