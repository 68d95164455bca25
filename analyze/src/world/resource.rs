//! A resource.

use super::change::Turn;
use super::layout::Extent;
use super::names::NameIndex;
use super::phase::PhaseIndex;
use super::round_up;
use taut_schemas::{Dimension, HeapId, HeapType, ResourceDesc, ResourceFlags, ResourceId};

/// The classic alignment of buffers (D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT).
const CLASSIC_ALIGNMENT_BYTES: u64 = 65_536;
/// The greatest alignment of tight buffers: placed and committed (tight-alignment checklist A-11).
const TIGHT_PLACED_BYTES: u64 = 256;
const TIGHT_COMMITTED_BYTES: u64 = 4096;

/// Where a resource's memory comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backing {
    /// A heap of the application (`CreatePlacedResource*`).
    Placed {
        /// The heap.
        heap: HeapId,
        /// HeapOffset.
        heap_offset_bytes: u64,
    },
    /// A heap of its own (`CreateCommittedResource*`).
    Committed {
        /// Size of that implicit heap, a multiple of 4 KiB.
        implicit_heap_bytes: u64,
        /// D3D12_HEAP_PROPERTIES::Type of that heap.
        heap_type: HeapType,
    },
    /// None: address space alone (`CreateReservedResource*`).
    Reserved,
}

impl Backing {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Backing::Placed { .. } => "placed",
            Backing::Committed { .. } => "committed",
            Backing::Reserved => "reserved",
        }
    }
}

/// What GetResourceAllocationInfo says of a resource.
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
    /// Its handle.
    pub id: ResourceId,
    /// The name it was last given.
    pub name: NameIndex,
    /// What it was created with.
    pub desc: ResourceDesc,
    /// Number of `desc` among all descriptions of its world.
    pub desc_number: u32,
    /// Where its memory comes from.
    pub backing: Backing,
    /// What the API says of its size; none if the trace does not tell.
    pub allocation: Option<Allocation>,
    /// What the application asked for: see [`requested_bytes`](super::requested_bytes).
    pub requested_bytes: u64,
    /// The change that created it.
    pub created: Turn,
    /// The change that released it; none if it lives to the end.
    pub released: Option<Turn>,
    /// The part of the workload it was created in.
    pub phase: Option<PhaseIndex>,
    /// What it was created for in a scene: the way to the first node that uses it.
    pub used_from: NameIndex,
}

impl Resource {
    /// It is a buffer; anything else is a texture.
    pub fn is_buffer(&self) -> bool {
        self.desc.dimension == Dimension::BUFFER
    }

    /// It was created with D3D12_RESOURCE_FLAG_USE_TIGHT_ALIGNMENT.
    pub fn is_tight(&self) -> bool {
        self.desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT)
    }

    /// It has address space and no memory.
    pub fn is_reserved(&self) -> bool {
        self.backing == Backing::Reserved
    }

    /// It lives right after `turn`.
    pub fn lives_after(&self, turn: Turn) -> bool {
        self.created <= turn && self.released.is_none_or(|released| released > turn)
    }

    /// A buffer's size if it were a multiple of 64 KiB, as without tight alignment; 0 for a texture.
    pub fn padded_64k_bytes(&self) -> u64 {
        if self.is_buffer() { round_up(self.desc.width, CLASSIC_ALIGNMENT_BYTES) } else { 0 }
    }

    /// What tight alignment would save for certain, whatever the driver: a buffer is aligned to at most 256 bytes when
    /// placed and 4 KiB when committed. Textures may stay as they are. Buffers that have the flag, or that ignore it
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
            Backing::Reserved => 0,
        }
    }

    /// Its place in its heap; `None` if it is not placed or its size is not known.
    pub fn extent(&self) -> Option<Extent> {
        let (Backing::Placed { heap_offset_bytes, .. }, Some(allocation)) = (self.backing, self.allocation) else {
            return None;
        };
        let (size_bytes, alignment_bytes) = (allocation.size_bytes, allocation.alignment_bytes);
        Some(Extent { offset_bytes: heap_offset_bytes, size_bytes, alignment_bytes })
    }

    /// What it really takes: placed, its SizeInBytes; committed, its implicit heap.
    pub fn taken_bytes(&self) -> u64 {
        match (self.backing, self.allocation) {
            (Backing::Placed { .. }, Some(allocation)) => allocation.size_bytes,
            (Backing::Committed { implicit_heap_bytes, .. }, Some(_)) => implicit_heap_bytes,
            _ => 0,
        }
    }

    /// What the allocation exceeds the request by; negative if a driver packs a texture below its texels.
    pub fn rounding_bytes(&self) -> i128 {
        self.allocation.map_or(0, |allocation| i128::from(allocation.size_bytes) - i128::from(self.requested_bytes))
    }

    /// What the implicit heap of a committed resource exceeds its allocation by.
    pub fn granularity_bytes(&self) -> i128 {
        match (self.backing, self.allocation) {
            (Backing::Committed { implicit_heap_bytes, .. }, Some(allocation)) => {
                i128::from(implicit_heap_bytes) - i128::from(allocation.size_bytes)
            }
            _ => 0,
        }
    }
}
