//! Moments, and what changes at them.

use serde::Serialize;

/// A heap's place in [`World::heaps`](super::World::heaps).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HeapIndex(pub u32);

/// A resource's place in [`World::resources`](super::World::resources).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceIndex(pub u32);

/// A change's place in [`World::changes`](super::World::changes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Turn(pub u32);

/// When something happened: the API call that did it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Moment {
    /// Stamp of the call's start record, in ticks of the trace's clock.
    pub stamp: u64,
    /// The application thread that made the call.
    pub thread: u32,
    /// Line of the call log that the workload follows, if it follows one.
    pub seq: Option<u64>,
}

/// Something begins or ceases to live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// When.
    pub moment: Moment,
    /// What.
    pub kind: ChangeKind,
}

/// What a change does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// A heap is created.
    HeapCreated(HeapIndex),
    /// A heap's public reference count reaches 0.
    HeapReleased(HeapIndex),
    /// A resource is created.
    ResourceCreated(ResourceIndex),
    /// A resource's public reference count reaches 0.
    ResourceReleased(ResourceIndex),
}

impl ChangeKind {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            ChangeKind::HeapCreated(_) => "heap_created",
            ChangeKind::HeapReleased(_) => "heap_released",
            ChangeKind::ResourceCreated(_) => "resource_created",
            ChangeKind::ResourceReleased(_) => "resource_released",
        }
    }
}
