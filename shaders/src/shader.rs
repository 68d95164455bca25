//! A function of the form, as checked.

use serde::{Deserialize, Serialize};

use crate::check::{Facts, check};
use crate::error::ShaderError;
use crate::function::Function;
use crate::hash::fnv1a;
use crate::instruction::SlotId;
use crate::word::Type;

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

impl Function {
    /// Checks every rule of the form; see [`ShaderError`] for what they are.
    ///
    /// # Errors
    /// The first rule broken, with the position, what was found and what was expected.
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
