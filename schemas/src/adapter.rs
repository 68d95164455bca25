//! Adapters by number, and the mapping of ids to adapters.

use crate::identity::{AdapterId, IdSpace};

/// Bits of an id that hold its number within its adapter; the adapter's index is above them.
// 16 bits are left for the index of the adapter.
const NUMBER_BITS: u32 = 48;

impl AdapterId {
    /// The first adapter.
    pub const FIRST: AdapterId = AdapterId(1);

    /// Max adapters of a session.
    pub const MAX: usize = 16;

    /// The first `count` adapters.
    pub fn first(count: usize) -> impl Iterator<Item = AdapterId> {
        (1..=count as u64).map(AdapterId)
    }

    /// The adapter's index, from 0.
    pub const fn index(self) -> usize {
        self.0.saturating_sub(1) as usize
    }

    /// The index of the adapter among `adapters`; 0 if there is no such adapter, because the first adapter refuses
    /// calls with unknown handles.
    pub const fn place_among(self, adapters: usize) -> usize {
        if self.index() < adapters { self.index() } else { 0 }
    }

    /// The number before an adapter's first object, task and commit; each space is numbered on its own.
    pub const fn numbers_from(self) -> u64 {
        self.0.saturating_sub(1) << NUMBER_BITS
    }

    /// Splits an id into the index of its adapter and its number within the adapter.
    pub const fn split(number: u64) -> (usize, u64) {
        ((number >> NUMBER_BITS) as usize, number & ((1 << NUMBER_BITS) - 1))
    }
}

impl IdSpace {
    /// The adapter that an id of this space belongs to; `None` for the null handle and for spaces without adapters.
    pub(crate) const fn adapter_of(self, number: u64) -> Option<AdapterId> {
        match self {
            _ if number == 0 => None,
            IdSpace::Object | IdSpace::Task | IdSpace::Commit => Some(AdapterId(AdapterId::split(number).0 as u64 + 1)),
            IdSpace::Adapter => Some(AdapterId(number)),
            IdSpace::Event | IdSpace::Variant | IdSpace::SwapChain => None,
        }
    }
}
