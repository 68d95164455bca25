//! Split of a pipeline state that several materials use: a slot with few values selects a branch, and each branch is
//! profiled separately.

use super::constant_profile::ConstantProfile;
use super::windows::Windows;
use crate::driver::background_profile::Background;
use serde::{Deserialize, Serialize};
use taut_shaders::{Guard, SlotId, Word};

/// Root of a guard tree: a slot with a branch for each of its values.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Split {
    pub slot: SlotId,
    pub branches: Vec<Branch>,
}

/// Draws in which the split's slot has one value.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Branch {
    pub word: Word,
    #[serde(rename = "sight")]
    pub constants: ConstantProfile,
}

impl Split {
    /// Creates the split that the observed values allow. `None` if every slot is stable or has many values.
    pub fn new(windows: &Windows, settings: &Background, committed: bool) -> Option<Split> {
        let ways = if committed {
            windows.recent_few_values(settings)
        } else {
            let streak = settings.stable_windows;
            windows.stable_few_values(streak)
        };
        // Fewest values first, then the lowest slot.
        let (slot, words) = ways.into_iter().min_by_key(|(slot, words)| (words.len(), *slot))?;
        let branch = |word| Branch { word, constants: ConstantProfile::new(windows.slots()) };
        Some(Split { slot, branches: words.into_iter().map(branch).collect() })
    }

    /// Counts sampled constants for their branch.
    pub fn observe(&mut self, constants: &[Word], weight: u64, settings: &Background) {
        if let Some(profile) = self.profile_of(constants) {
            profile.observe(constants, weight, settings);
        }
    }

    /// Returns the counts of the branch of a draw's constants.
    pub fn profile_of(&mut self, constants: &[Word]) -> Option<&mut ConstantProfile> {
        let at = self.branch_of(constants)?;
        self.branches.get_mut(at).map(|branch| &mut branch.constants)
    }

    /// Returns the index of the branch of a draw's constants.
    pub fn branch_of(&self, constants: &[Word]) -> Option<usize> {
        let word = constants.get(self.slot.index())?;
        self.branches.iter().position(|branch| branch.word == *word)
    }

    /// Returns the cost in instructions of finding the branch: a load, and a comparison per tested branch.
    pub fn cost(&self, branch: Option<usize>) -> u64 {
        1 + branch.map_or(self.branches.len(), |at| at + 1) as u64
    }

    /// Returns the cost in instructions of a guard below the root, which has tested one slot already.
    pub fn cost_below(&self, guard: &Guard) -> u64 {
        let known = if guard.value(self.slot).is_some() { Guard::COST_PER_SLOT } else { 0 };
        guard.cost() - known
    }
}
