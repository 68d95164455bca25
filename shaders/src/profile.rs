//! Value profile of constant slots.

use serde::{Deserialize, Serialize};

use crate::instruction::SlotId;
use crate::top::TopValues;
use crate::word::Word;

/// Value profile of all constant slots of a shader, over many executions.
///
/// The result depends only on the observations and their order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotProfile {
    slots: Vec<TopValues>,
}

/// A slot with one predominant value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StableSlot {
    pub slot: SlotId,
    /// Predominant value.
    pub word: Word,
    /// Minimum share of the executions with this value, in permille.
    pub share_permille: u64,
}

impl SlotProfile {
    /// Creates a profile for this number of slots.
    pub fn new(slots: usize) -> Self {
        Self { slots: vec![TopValues::default(); slots] }
    }

    /// Counts the slots' values for `times` executions. Words beyond the profile's slots are ignored.
    pub fn observe(&mut self, constants: &[Word], times: u64) {
        self.slots.iter_mut().zip(constants).for_each(|(slot, word)| slot.observe(*word, times));
    }

    /// Adds the counts of another profile of the same shader.
    pub fn merge(&mut self, other: &Self) {
        self.slots.iter_mut().zip(&other.slots).for_each(|(slot, other)| slot.merge(other));
    }

    /// Drops all counts.
    pub fn clear(&mut self) {
        self.slots.iter_mut().for_each(TopValues::clear);
    }

    /// Returns the counts by slot.
    pub fn slots(&self) -> &[TopValues] {
        &self.slots
    }

    /// Returns the slots that were observed at least `min_total` times, with one value in at least `share_permille`
    /// permille of them. A `min_total` of 0 includes slots observed once, as a commit of results requires.
    pub fn stable(&self, min_total: u64, share_permille: u64) -> impl Iterator<Item = StableSlot> + '_ {
        // A slot that was never observed has no stable value.
        let seen = (0..).map(SlotId).zip(&self.slots).filter(move |(_, seen)| seen.total() >= min_total.max(1));
        let stable = seen.filter_map(|(slot, seen)| {
            let top = seen.top()?;
            Some(StableSlot { slot, word: top.word, share_permille: seen.share_permille(top) })
        });
        stable.filter(move |stable| stable.share_permille >= share_permille)
    }
}
