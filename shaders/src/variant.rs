//! A shader built for certain values of constant slots.

use crate::error::ShaderError;
use crate::grid::{Grid, Run};
use crate::instruction::SlotId;
use crate::interpret::interpret;
use crate::shader::Shader;
use crate::word::Word;
use serde::{Deserialize, Serialize};

/// The values that slots must have for a variant to be right.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Guard {
    /// By slot, ascending; each slot once.
    values: Vec<(SlotId, Word)>,
}

impl Guard {
    /// Instructions of the form that asking costs for each slot: a load, and a comparison that branches.
    pub const COST_PER_SLOT: u64 = 2;

    pub(crate) fn of(values: impl IntoIterator<Item = (SlotId, Word)>) -> Self {
        Self { values: values.into_iter().collect() }
    }

    /// The slots and their values, by slot. These are the slots folded: others are loaded as before.
    pub fn values(&self) -> &[(SlotId, Word)] {
        &self.values
    }

    /// Whether all slots have the same bits as when the variant was built.
    pub fn holds(&self, constants: &[Word]) -> bool {
        self.values.iter().all(|(slot, word)| constants.get(slot.index()) == Some(word))
    }

    /// This and what another asks for. Of a slot that both ask for, this one's value counts.
    pub fn and(&self, other: &Guard) -> Guard {
        let new = other.values.iter().filter(|(slot, _)| self.values.iter().all(|(known, _)| known != slot));
        let mut values: Vec<_> = self.values.iter().chain(new).copied().collect();
        values.sort_unstable_by_key(|(slot, _)| *slot);
        Guard { values }
    }

    /// The value that it asks for in a slot.
    pub fn value(&self, slot: SlotId) -> Option<Word> {
        self.values.iter().find(|(known, _)| *known == slot).map(|(_, word)| *word)
    }

    /// What asking costs, in instructions of the form. It is asked once for a run of all lanes, and all slots are
    /// looked at, whatever the answer.
    pub fn cost(&self) -> u64 {
        self.values.len() as u64 * Self::COST_PER_SLOT
    }
}

/// A guard and the shader that is right whenever it holds: same slots, inputs and outputs as the one it was made of,
/// and the same bits in every output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// When `shader` may stand for the original.
    pub guard: Guard,
    /// The shorter function.
    pub shader: Shader,
}

impl Variant {
    /// Whether no slot was folded: there was nothing to gain from the values.
    pub fn is_generic(&self) -> bool {
        self.guard.values.is_empty()
    }

    /// Instructions that a run and its guard cost together.
    pub fn executed(&self, run: &Run) -> u64 {
        run.executed + self.guard.cost()
    }
}

/// Executed instructions with and without a variant, over one grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gain {
    /// The generic shader, which no guard asks.
    pub before: u64,
    /// The variant, guard included.
    pub after: u64,
}

impl Gain {
    /// Runs both in the interpreter.
    ///
    /// # Errors
    /// Constants or inputs of another number than the shader declares.
    pub fn measure(shader: &Shader, variant: &Variant, constants: &[Word], grid: &Grid) -> Result<Self, ShaderError> {
        let before = interpret(shader, constants, grid)?;
        let after = interpret(&variant.shader, constants, grid)?;
        Ok(Self { before: before.executed, after: variant.executed(&after) })
    }

    /// What the texts say for so many lanes, every loop at its bound, without running anything.
    pub fn estimate(shader: &Shader, variant: &Variant, lanes: u64) -> Self {
        let of = |shader: &Shader| shader.most_executed().saturating_mul(lanes);
        Self { before: of(shader), after: of(&variant.shader).saturating_add(variant.guard.cost()) }
    }

    /// What is saved, in thousandths of what was executed before; negative if the variant executes more.
    pub fn permille(self) -> i64 {
        let saved = i128::from(self.before) - i128::from(self.after);
        (saved * 1000 / i128::from(self.before.max(1))) as i64
    }
}
