//! Moments, and changes of the world.

use serde::Serialize;

/// A heap's index in [`World::heaps`](super::World::heaps).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HeapIndex(pub u32);

/// A resource's index in [`World::resources`](super::World::resources).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceIndex(pub u32);

/// A change's index in [`World::changes`](super::World::changes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Turn(pub u32);

/// Moment of an event: the API call that caused it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Moment {
    /// Stamp of the call's start record, in ticks of the trace's clock.
    pub stamp: u64,
    /// The application thread that made the call.
    pub thread: u32,
    /// Line of the call log that the workload follows, if there is one.
    pub seq: Option<u64>,
}

/// Begin or end of an object's lifetime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    pub moment: Moment,
    pub kind: ChangeKind,
}

/// Kind of a change.
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
    /// The kind's name in tables.
    pub fn name(self) -> &'static str {
        match self {
            ChangeKind::HeapCreated(_) => "heap_created",
            ChangeKind::HeapReleased(_) => "heap_released",
            ChangeKind::ResourceCreated(_) => "resource_created",
            ChangeKind::ResourceReleased(_) => "resource_released",
        }
    }
}
