//! Sums over live handles.

use std::collections::BTreeMap;

/// Creation or destruction of a handle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HandleChange {
    pub stamp: u64,
    /// Index of the context.
    pub place: u32,
    pub is_immediate: bool,
    pub handle_type: u32,
    pub size_bytes: u64,
    /// Cache lines that hold live handles since the creation, or do not since the destruction.
    pub allocated_bytes: u64,
    /// False for a destruction.
    pub is_creation: bool,
}

/// Number and bytes of live handles of one type, in immediate and in deferred contexts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TypeSums {
    pub immediate_handles: u64,
    pub immediate_bytes: u64,
    pub deferred_handles: u64,
    pub deferred_bytes: u64,
}

impl TypeSums {
    /// Adds a created handle, or removes a destroyed one.
    pub fn change(&mut self, change: &HandleChange) {
        let (handles, bytes) = self.of(change.is_immediate);
        (*handles, *bytes) = match change.is_creation {
            true => (*handles + 1, bytes.saturating_add(change.size_bytes)),
            false => (handles.saturating_sub(1), bytes.saturating_sub(change.size_bytes)),
        };
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

/// The moment of the max live bytes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Peak {
    pub stamp: u64,
    pub all: TypeSums,
    pub by_type: BTreeMap<u32, TypeSums>,
    /// Contexts with live handles.
    pub by_context: Vec<ContextSums>,
    /// Bytes of deferred handles beyond the first one of each object.
    pub duplicated_bytes: u64,
}

/// Live handles of one context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ContextSums {
    /// Index of the context.
    pub place: u32,
    pub handles: u64,
    pub bytes: u64,
    pub allocated_bytes: u64,
}

/// Handles of one type and size in deferred contexts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LargeSums {
    pub opened: u64,
    /// Cold bytes after the first cache line.
    pub cold_bytes: u64,
}

/// Out-of-memory errors: number, and stamp of the first.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OutOfMemoryStats {
    pub times: u64,
    pub first_stamp: u64,
}

/// Leaked handles and their bytes, by type.
pub(crate) type LeakStats = BTreeMap<u32, (u64, u64)>;
