//! A function of the form, as written and as checked.

use serde::{Deserialize, Serialize};

use crate::check;
use crate::error::ShaderError;
use crate::hash::fnv1a;
use crate::instruction::{Instruction, SlotId, ValueId};
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

/// A function as written down; anything may be wrong with it. [`Function::check`] makes a [`Shader`] of a sound one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Function {
    /// 1 to 64 letters, digits and `_ - .`; for people only.
    pub name: String,
    /// The constant slots; [`SlotId`] is an index into them.
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

    /// Checks every rule of the form; see [`ShaderError`] for what they are.
    ///
    /// # Errors
    /// The first rule broken, with the position, what was found and what was expected.
    pub fn check(self) -> Result<Shader, ShaderError> {
        let facts = check::check(&self)?;
        Ok(Shader { function: self, facts })
    }
}

/// What the checker found out; all indexed by instruction but for `types`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Facts {
    /// Type of each value.
    pub types: Vec<Type>,
    /// The first value each instruction defines.
    pub first_value: Vec<usize>,
    /// For a loop's head its end, and for its end the head; for others themselves.
    pub partner: Vec<usize>,
    /// The most instructions a lane may execute.
    pub most_executed: u64,
}

/// A function that the checker accepted: running it needs no further check but that of its arguments' lengths.
///
/// Reads and writes as its [`Function`]; reading checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Function", into = "Function")]
pub struct Shader {
    function: Function,
    facts: Facts,
}

impl Shader {
    /// What was checked.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.function.name
    }

    /// Instructions in the text, each counted once.
    pub fn length(&self) -> usize {
        self.function.body.len()
    }

    /// FNV-1a, 64 bits, of the text: tells whether two machines built the same variant.
    pub fn text_hash(&self) -> u64 {
        fnv1a(self.function.to_string().into_bytes())
    }

    /// The most instructions a lane may execute, every loop at its bound.
    pub fn most_executed(&self) -> u64 {
        self.facts.most_executed
    }

    /// The slot of that name; the first, if there are more.
    pub fn slot(&self, name: &str) -> Option<SlotId> {
        let index = self.function.constants.iter().position(|slot| slot.name == name)?;
        Some(SlotId(u32::try_from(index).ok()?))
    }

    /// Types of the outputs, in order.
    pub fn output_types(&self) -> impl ExactSizeIterator<Item = Type> + '_ {
        self.function.outputs.iter().map(|output| self.facts.types[output.index()])
    }

    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }
}

impl TryFrom<Function> for Shader {
    type Error = ShaderError;

    fn try_from(function: Function) -> Result<Self, ShaderError> {
        function.check()
    }
}

impl From<Shader> for Function {
    fn from(shader: Shader) -> Self {
        shader.function
    }
}
