//! A pipeline state that several materials are drawn with: a slot that has few values tells them apart, and each is profiled by
//! itself.

use super::sight::Sight;
use super::windows::Windows;
use crate::driver::background_profile::Background;
use serde::{Deserialize, Serialize};
use taut_shaders::{Guard, SlotId, Word};

/// The root of a guard tree: a slot, and a branch for each of its values.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Split {
    pub slot: SlotId,
    pub branches: Vec<Branch>,
}

/// Draws in which the slot has one value.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Branch {
    pub word: Word,
    pub sight: Sight,
}

impl Split {
    /// The split that the values seen call for. None where every slot is stable or has many values.
    pub fn of(windows: &Windows, settings: &Background, committed: bool) -> Option<Split> {
        let ways = if committed {
            windows.ways_seen(settings)
        } else {
            let streak = settings.stable_windows;
            windows.ways(streak)
        };
        // The slot with the fewest values; the first of several.
        let (slot, words) = ways.into_iter().min_by_key(|(slot, words)| (words.len(), *slot))?;
        let branch = |word| Branch { word, sight: Sight::new(windows.slots()) };
        Some(Split { slot, branches: words.into_iter().map(branch).collect() })
    }

    /// Counts sampled constants for the branch that they belong to.
    pub fn observe(&mut self, constants: &[Word], weight: u64, settings: &Background) {
        if let Some(sight) = self.sight_of(constants) {
            sight.observe(constants, weight, settings);
        }
    }

    /// What is known of the branch that a draw's constants belong to.
    pub fn sight_of(&mut self, constants: &[Word]) -> Option<&mut Sight> {
        let at = self.branch_of(constants)?;
        self.branches.get_mut(at).map(|branch| &mut branch.sight)
    }

    /// The place of the branch of a draw's constants.
    pub fn branch_of(&self, constants: &[Word]) -> Option<usize> {
        let word = constants.get(self.slot.index())?;
        self.branches.iter().position(|branch| branch.word == *word)
    }

    /// Instructions of the form that finding the branch costs: a load, and a comparison for each branch that is looked at.
    pub fn cost(&self, branch: Option<usize>) -> u64 {
        1 + branch.map_or(self.branches.len(), |at| at + 1) as u64
    }

    /// Instructions that asking for a guard costs below the root, which has asked for one slot already.
    pub fn cost_below(&self, guard: &Guard) -> u64 {
        let known = if guard.value(self.slot).is_some() { Guard::COST_PER_SLOT } else { 0 };
        guard.cost() - known
    }
}
