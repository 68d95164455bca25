//! A heap.

use super::change::{ResourceIndex, Turn};
use super::names::NameIndex;
use taut_schemas::{HeapDesc, HeapId};

/// A heap for placed resources (`CreateHeap*`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heap {
    pub id: HeapId,
    /// D3D12_HEAP_DESC::SizeInBytes.
    pub size_bytes: u64,
    /// Description at creation.
    pub desc: HeapDesc,
    /// The last name.
    pub name: NameIndex,
    /// The change that created it.
    pub created: Turn,
    /// Change that released the heap; `None` if the heap exists at the end of the trace.
    pub released: Option<Turn>,
    /// Every resource that was ever placed in it, in order of creation.
    pub placed: Vec<ResourceIndex>,
}

impl Heap {
    /// True if it lives right after `turn`. A heap lives until its release even if resources are left in it.
    pub fn lives_after(&self, turn: Turn) -> bool {
        self.created <= turn && self.released.is_none_or(|released| released > turn)
    }
}
