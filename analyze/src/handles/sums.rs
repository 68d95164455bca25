//! Sums over what lives.

use std::collections::BTreeMap;

/// Of one type of handles: how many live, and their bytes, in immediate and in deferred contexts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TypeSums {
    pub immediate_handles: u64,
    pub immediate_bytes: u64,
    pub deferred_handles: u64,
    pub deferred_bytes: u64,
}

impl TypeSums {
    /// One more handle.
    pub fn add(&mut self, is_immediate: bool, size_bytes: u64) {
        let (handles, bytes) = self.of(is_immediate);
        (*handles, *bytes) = (*handles + 1, bytes.saturating_add(size_bytes));
    }

    /// One fewer.
    pub fn remove(&mut self, is_immediate: bool, size_bytes: u64) {
        let (handles, bytes) = self.of(is_immediate);
        (*handles, *bytes) = (handles.saturating_sub(1), bytes.saturating_sub(size_bytes));
    }

    fn of(&mut self, is_immediate: bool) -> (&mut u64, &mut u64) {
        match is_immediate {
            true => (&mut self.immediate_handles, &mut self.immediate_bytes),
            false => (&mut self.deferred_handles, &mut self.deferred_bytes),
        }
    }

    pub fn handles(&self) -> u64 {
        self.immediate_handles + self.deferred_handles
    }

    pub fn bytes(&self) -> u64 {
        self.immediate_bytes.saturating_add(self.deferred_bytes)
    }
}

/// The moment at which the handles that live have most bytes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Peak {
    pub stamp: u64,
    pub all: TypeSums,
    pub by_type: BTreeMap<u32, TypeSums>,
    /// Contexts in which handles live: their places, handles and bytes.
    pub by_context: Vec<(u32, u64, u64)>,
    /// Bytes of handles of deferred contexts beyond the first of each object.
    pub duplicated_bytes: u64,
}

/// Handles of a type and size in deferred contexts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LargeSums {
    pub opened: u64,
    /// Bytes beyond the first line that are accessed rarely.
    pub cold_bytes: u64,
}

/// What ran out: how often, and when first.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RanOut {
    pub times: u64,
    pub first_stamp: u64,
}

/// What leaked: handles and bytes.
pub(crate) type Leaked = BTreeMap<u32, (u64, u64)>;
