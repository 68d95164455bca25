//! Adapters, by their numbers, and what they number.

use crate::identity::{AdapterId, IdSpace};

/// The bits of a number within its adapter's.
const NUMBER_BITS: u32 = 48;

impl AdapterId {
    /// The first adapter.
    pub const FIRST: AdapterId = AdapterId(1);

    /// Adapters that a session may have.
    pub const MOST: usize = 16;

    /// The first so many adapters.
    pub fn first(count: usize) -> impl Iterator<Item = AdapterId> {
        (1..=count as u64).map(AdapterId)
    }

    /// Its place among the adapters.
    pub const fn index(self) -> usize {
        self.0.saturating_sub(1) as usize
    }

    /// The place, among so many adapters, of the one that its calls are made on: where there is no such adapter that is
    /// the first, which refuses what it does not know.
    pub const fn place_among(self, adapters: usize) -> usize {
        if self.index() < adapters { self.index() } else { 0 }
    }

    /// Objects, tasks and commits of an adapter are numbered from the one after this, each in its own space.
    pub const fn numbers_from(self) -> u64 {
        self.0.saturating_sub(1) << NUMBER_BITS
    }

    /// The place of the adapter that gave a number out, and which of its numbers it is.
    pub const fn split(number: u64) -> (usize, u64) {
        ((number >> NUMBER_BITS) as usize, number & ((1 << NUMBER_BITS) - 1))
    }
}

impl IdSpace {
    /// The adapter that a number of this space belongs to; none of the null handle, and of what belongs to none.
    pub(crate) const fn adapter_of(self, number: u64) -> Option<AdapterId> {
        match self {
            _ if number == 0 => None,
            IdSpace::Object | IdSpace::Task | IdSpace::Commit => Some(AdapterId(AdapterId::split(number).0 as u64 + 1)),
            IdSpace::Adapter => Some(AdapterId(number)),
            IdSpace::Event | IdSpace::Variant | IdSpace::SwapChain => None,
        }
    }
}
