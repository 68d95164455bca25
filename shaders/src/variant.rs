//! Shader specialised for values of constant slots.

use crate::error::ShaderError;
use crate::grid::{Grid, Run};
use crate::instruction::SlotId;
use crate::interpret::interpret;
use crate::shader::Shader;
use crate::word::Word;
use serde::{Deserialize, Serialize};

/// Required values of slots for a variant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Guard {
    /// Unique slots in ascending order.
    values: Vec<(SlotId, Word)>,
}

impl Guard {
    /// Cost of testing a slot, in instructions of the form: a load, and a comparison that branches.
    pub const COST_PER_SLOT: u64 = 2;

    pub(crate) fn of(values: impl IntoIterator<Item = (SlotId, Word)>) -> Self {
        Self { values: values.into_iter().collect() }
    }

    /// Returns the tested slots with their values, in ascending order. These are the folded slots: others are loaded as
    /// before.
    pub fn values(&self) -> &[(SlotId, Word)] {
        &self.values
    }

    /// True if all tested slots have the required bits.
    pub fn holds(&self, constants: &[Word]) -> bool {
        self.values.iter().all(|(slot, word)| constants.get(slot.index()) == Some(word))
    }

    /// Returns the conjunction with another guard. For a slot in both, this guard's value is used.
    pub fn and(&self, other: &Guard) -> Guard {
        let new = other.values.iter().filter(|(slot, _)| self.values.iter().all(|(known, _)| known != slot));
        let mut values: Vec<_> = self.values.iter().chain(new).copied().collect();
        values.sort_unstable_by_key(|(slot, _)| *slot);
        Guard { values }
    }

    /// Returns the required value of a slot.
    pub fn value(&self, slot: SlotId) -> Option<Word> {
        self.values.iter().find(|(known, _)| *known == slot).map(|(_, word)| *word)
    }

    /// Returns the cost in instructions of the form. The guard is evaluated once per run of all lanes, and always tests
    /// all slots.
    pub fn cost(&self) -> u64 {
        self.values.len() as u64 * Self::COST_PER_SLOT
    }
}

/// A guard with the shader that is correct whenever it holds: same slots, inputs and outputs as the original, and the
/// same bits in every output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// Condition under which `shader` may replace the original.
    pub guard: Guard,
    /// Specialised shader.
    pub shader: Shader,
}

impl Variant {
    /// True if no slot was folded: the values gain nothing.
    pub fn is_generic(&self) -> bool {
        self.guard.values.is_empty()
    }

    /// Returns the number of instructions of a run with its guard.
    pub fn executed(&self, run: &Run) -> u64 {
        run.executed + self.guard.cost()
    }
}

/// Executed instructions with and without a variant, over one grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gain {
    /// Instructions of the generic shader, without a guard.
    pub before: u64,
    /// Instructions of the variant, guard included.
    pub after: u64,
}

impl Gain {
    /// Runs both in the interpreter.
    ///
    /// # Errors
    /// A number of constants or inputs other than declared.
    pub fn measure(shader: &Shader, variant: &Variant, constants: &[Word], grid: &Grid) -> Result<Self, ShaderError> {
        let before = interpret(shader, constants, grid)?;
        let after = interpret(&variant.shader, constants, grid)?;
        Ok(Self { before: before.executed, after: variant.executed(&after) })
    }

    /// Estimates the gain for `lanes` lanes from the texts, with every loop at its bound, without running anything.
    pub fn estimate(shader: &Shader, variant: &Variant, lanes: u64) -> Self {
        let of = |shader: &Shader| shader.max_executed().saturating_mul(lanes);
        Self { before: of(shader), after: of(&variant.shader).saturating_add(variant.guard.cost()) }
    }

    /// Returns the saving in permille of the instructions before; negative for a loss.
    pub fn permille(self) -> i64 {
        let saved = i128::from(self.before) - i128::from(self.after);
        (saved * 1000 / i128::from(self.before.max(1))) as i64
    }
}
