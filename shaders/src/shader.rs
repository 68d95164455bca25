//! Checked functions of the form.

use serde::{Deserialize, Serialize};

use crate::check::{Facts, check};
use crate::error::ShaderError;
use crate::function::Function;
use crate::hash::fnv1a;
use crate::instruction::SlotId;
use crate::word::Type;

/// Function that the checker has accepted: running it needs no further check except of its arguments' lengths.
///
/// Serialised as its [`Function`]; deserialisation checks it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Function", into = "Function")]
pub struct Shader {
    function: Function,
    facts: Facts,
}

impl Shader {
    /// Returns the function.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.function.name
    }

    /// Returns the number of instructions in the text.
    pub fn length(&self) -> usize {
        self.function.body.len()
    }

    /// Returns the 64-bit FNV-1a hash of the text, to compare variants built on two machines.
    pub fn text_hash(&self) -> u64 {
        fnv1a(self.function.to_string().into_bytes())
    }

    /// Returns the maximum number of instructions that a lane may execute, with every loop at its bound.
    pub fn max_executed(&self) -> u64 {
        self.facts.max_executed
    }

    /// Returns the first slot with this name.
    pub fn slot(&self, name: &str) -> Option<SlotId> {
        let index = self.function.constants.iter().position(|slot| slot.name == name)?;
        Some(SlotId(u32::try_from(index).ok()?))
    }

    /// Returns the types of the outputs, in order.
    pub fn output_types(&self) -> impl ExactSizeIterator<Item = Type> + '_ {
        self.function.outputs.iter().map(|output| self.facts.types[output.index()])
    }

    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }
}

impl Function {
    /// Checks every rule of the form; see [`ShaderError`] for the rules.
    ///
    /// # Errors
    /// The first violated rule, with position, found and expected values.
    pub fn check(self) -> Result<Shader, ShaderError> {
        let facts = check(&self)?;
        Ok(Shader { function: self, facts })
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
