//! Sets of constant slots.

use crate::instruction::SlotId;

/// Set of slots as a bit set; the empty set allocates no memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SlotSet(Vec<u64>);

impl SlotSet {
    pub fn new(slots: impl IntoIterator<Item = SlotId>) -> Self {
        let mut set = Self::default();
        for slot in slots {
            let part = slot.index() / 64;
            if set.0.len() <= part {
                set.0.resize(part + 1, 0);
            }
            set.0[part] |= 1 << (slot.0 % 64);
        }
        set
    }

    pub fn contains(&self, slot: SlotId) -> bool {
        self.0.get(slot.index() / 64).is_some_and(|part| part >> (slot.0 % 64) & 1 == 1)
    }

    /// Adds all slots of `other`.
    pub fn union(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(part, more)| *part |= more);
    }
}
