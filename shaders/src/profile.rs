//! What values the constant slots have had.

use serde::{Deserialize, Serialize};

use crate::instruction::SlotId;
use crate::top::TopValues;
use crate::word::Word;

/// The values of all constant slots of a shader, over many executions.
///
/// Nothing but what was observed, in the order in which it was, decides what it says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotProfile {
    slots: Vec<TopValues>,
}

/// A slot that has mostly had one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StableSlot {
    /// Which.
    pub slot: SlotId,
    /// Its value.
    pub word: Word,
    /// At least so many thousandths of the executions had it.
    pub share_permille: u64,
}

impl SlotProfile {
    /// A profile of so many slots.
    pub fn new(slots: usize) -> Self {
        Self { slots: vec![TopValues::default(); slots] }
    }

    /// Counts the slots' values for `times` executions. Words beyond the profile's slots are not looked at.
    pub fn observe(&mut self, constants: &[Word], times: u64) {
        self.slots.iter_mut().zip(constants).for_each(|(slot, word)| slot.observe(*word, times));
    }

    /// Counts what another profile of the same shader has counted.
    pub fn merge(&mut self, other: &Self) {
        self.slots.iter_mut().zip(&other.slots).for_each(|(slot, other)| slot.merge(other));
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.iter_mut().for_each(TopValues::clear);
    }

    /// By slot.
    pub fn slots(&self) -> &[TopValues] {
        &self.slots
    }

    /// The slots that were seen at least `least_total` times, at least `share_permille` thousandths of them with one
    /// value. A `least_total` of 0 takes a slot seen once, as a commit of results asks for.
    pub fn stable(&self, least_total: u64, share_permille: u64) -> impl Iterator<Item = StableSlot> + '_ {
        let seen = (0..).map(SlotId).zip(&self.slots).filter(move |(_, seen)| seen.total() >= least_total.max(1));
        let stable = seen.filter_map(|(slot, seen)| {
            let top = seen.top()?;
            Some(StableSlot { slot, word: top.word, share_permille: seen.share_permille(top) })
        });
        stable.filter(move |stable| stable.share_permille >= share_permille)
    }
}
