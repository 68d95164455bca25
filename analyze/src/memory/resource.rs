//! A resource.

use super::change::Turn;
use super::layout::Extent;
use super::names::NameIndex;
use super::phase::PhaseIndex;
use super::round_up;
use taut_schemas::{Dimension, HeapId, HeapType, ResourceDesc, ResourceFlags, ResourceId};

/// The classic alignment of buffers (D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT).
const CLASSIC_ALIGNMENT_BYTES: u64 = 65_536;
/// Max alignment of tight buffers: placed and committed (tight-alignment checklist A-11).
const TIGHT_PLACED_BYTES: u64 = 256;
const TIGHT_COMMITTED_BYTES: u64 = 4096;

/// Source of a resource's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backing {
    /// A heap of the application (`CreatePlacedResource*`).
    Placed {
        /// The heap.
        heap: HeapId,
        /// HeapOffset.
        heap_offset_bytes: u64,
    },
    /// An implicit heap (`CreateCommittedResource*`).
    Committed {
        /// Size of the implicit heap in bytes, a multiple of 4 KiB.
        implicit_heap_bytes: u64,
        /// D3D12_HEAP_PROPERTIES::Type of the implicit heap.
        heap_type: HeapType,
    },
    /// Address space without memory (`CreateReservedResource*`).
    Reserved,
    /// Memory that Direct3D 11 chooses, whose size no event states.
    Unknown,
}

impl Backing {
    /// The kind's name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Backing::Placed { .. } => "placed",
            Backing::Committed { .. } => "committed",
            Backing::Reserved => "reserved",
            Backing::Unknown => "unknown",
        }
    }
}

/// Result of GetResourceAllocationInfo for a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allocation {
    /// D3D12_RESOURCE_ALLOCATION_INFO::SizeInBytes.
    pub size_bytes: u64,
    /// D3D12_RESOURCE_ALLOCATION_INFO::Alignment.
    pub alignment_bytes: u64,
}

/// A resource and its lifetime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    pub id: ResourceId,
    /// The last name.
    pub name: NameIndex,
    /// Description at creation.
    pub desc: ResourceDesc,
    /// Index of `desc` among all descriptions of its world.
    pub desc_number: u32,
    /// Source of its memory.
    pub backing: Backing,
    /// Size and alignment from the API; none if they are not in the trace.
    pub allocation: Option<Allocation>,
    /// Payload in bytes: see [`requested_bytes`](super::requested_bytes).
    pub requested_bytes: u64,
    /// The change that created it.
    pub created: Turn,
    /// The change that released it; none if it lives to the end.
    pub released: Option<Turn>,
    /// The phase in which it was created.
    pub phase: Option<PhaseIndex>,
    /// Path in a scene of the first node that uses it.
    pub scene_path: NameIndex,
}

impl Resource {
    /// True for a buffer, false for a texture.
    pub fn is_buffer(&self) -> bool {
        self.desc.dimension == Dimension::BUFFER
    }

    /// True if it was created with D3D12_RESOURCE_FLAG_USE_TIGHT_ALIGNMENT.
    pub fn is_tight(&self) -> bool {
        self.desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT)
    }

    /// True if it has address space but no memory.
    pub fn is_reserved(&self) -> bool {
        self.backing == Backing::Reserved
    }

    /// True if it lives right after `turn`.
    pub fn lives_after(&self, turn: Turn) -> bool {
        self.created <= turn && self.released.is_none_or(|released| released > turn)
    }

    /// A buffer's size rounded up to 64 KiB, as without tight alignment; 0 for a texture.
    pub fn padded_64k_bytes(&self) -> u64 {
        if self.is_buffer() { round_up(self.desc.width, CLASSIC_ALIGNMENT_BYTES) } else { 0 }
    }

    /// Min saving by tight alignment with any driver: a buffer is aligned to at most 256 bytes when placed and 4 KiB
    /// when committed. Textures may stay unchanged. Buffers that have the flag, or that ignore it
    /// (D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER, A-14), save nothing more.
    pub fn guaranteed_saving_bytes(&self) -> u64 {
        let (Some(allocation), true) = (self.allocation, self.is_buffer()) else { return 0 };
        if self.is_tight() || self.desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER) {
            return 0;
        }
        match self.backing {
            Backing::Placed { .. } => {
                allocation.size_bytes.saturating_sub(round_up(self.desc.width, TIGHT_PLACED_BYTES))
            }
            Backing::Committed { implicit_heap_bytes, .. } => {
                implicit_heap_bytes.saturating_sub(round_up(self.desc.width, TIGHT_COMMITTED_BYTES))
            }
            Backing::Reserved | Backing::Unknown => 0,
        }
    }

    /// Offset, size and alignment in its heap; `None` if it is not placed or its size is unknown.
    pub fn extent(&self) -> Option<Extent> {
        let (Backing::Placed { heap_offset_bytes, .. }, Some(allocation)) = (self.backing, self.allocation) else {
            return None;
        };
        let (size_bytes, alignment_bytes) = (allocation.size_bytes, allocation.alignment_bytes);
        Some(Extent { offset_bytes: heap_offset_bytes, size_bytes, alignment_bytes })
    }

    /// Allocated bytes: of a placed resource its SizeInBytes, of a committed one its implicit heap.
    pub fn in_use_bytes(&self) -> u64 {
        match (self.backing, self.allocation) {
            (Backing::Placed { .. }, Some(allocation)) => allocation.size_bytes,
            (Backing::Committed { implicit_heap_bytes, .. }, Some(_)) => implicit_heap_bytes,
            _ => 0,
        }
    }

    /// Difference of allocation and payload; negative if a driver packs a texture below its texels.
    pub fn rounding_bytes(&self) -> i128 {
        self.allocation.map_or(0, |allocation| i128::from(allocation.size_bytes) - i128::from(self.requested_bytes))
    }

    /// Difference of a committed resource's implicit heap and its allocation.
    pub fn granularity_bytes(&self) -> i128 {
        match (self.backing, self.allocation) {
            (Backing::Committed { implicit_heap_bytes, .. }, Some(allocation)) => {
                i128::from(implicit_heap_bytes) - i128::from(allocation.size_bytes)
            }
            _ => 0,
        }
    }
}
