//! Converts an allocator's snapshot to creations of heaps and resources.

use super::kinds::{SnapshotHeap, SnapshotResource};
use super::world_event::{Creation, WorldEvent, WorldEventKind};
use crate::memory::{Allocation, Backing, NameIndex, round_up};
use taut_schemas::{Dimension, HeapDesc, HeapId, HeapProperties, ResourceDesc, ResourceFlags};

/// Page size of an implicit heap.
const PAGE_BYTES: u64 = 4 << 10;
/// Alignment of a resource without a small alignment and without multisampling.
const CLASSIC_BYTES: u64 = 64 << 10;
/// Max alignment of a tight placed buffer (tight-alignment checklist A-11).
const TIGHT_BYTES: u64 = 256;

/// The events of a heap.
pub(super) fn heap(stamp: u64, heap: &SnapshotHeap, name: NameIndex) -> [WorldEvent; 2] {
    let SnapshotHeap { heap, size_bytes, heap_type, cpu_page_property, memory_pool, flags } = *heap;
    let properties = HeapProperties { heap_type, cpu_page_property, memory_pool, ..HeapProperties::default() };
    let desc = HeapDesc { size_bytes, properties, alignment_bytes: 0, flags };
    [
        WorldEvent { stamp, kind: WorldEventKind::HeapCreated(heap, Box::new(desc)) },
        WorldEvent { stamp, kind: WorldEventKind::Named(heap.0, name) },
    ]
}

/// The known part of a resource's description: no extents but a buffer's, and no format.
pub(super) fn desc(resource: &SnapshotResource) -> ResourceDesc {
    let SnapshotResource { dimension, layout, flags, size_bytes, .. } = *resource;
    let known = ResourceDesc { dimension, layout, flags, ..ResourceDesc::default() };
    if dimension == Dimension::BUFFER {
        ResourceDesc { layout, flags, ..ResourceDesc::buffer(size_bytes) }
    } else {
        known
    }
}

/// The events of a resource, with its description and name by the thread's own numbers.
pub(super) fn resource(stamp: u64, resource: &SnapshotResource, desc: u32, name: NameIndex) -> [WorldEvent; 2] {
    let SnapshotResource { resource: id, heap, heap_offset_bytes, size_bytes, heap_type, .. } = *resource;
    let backing = match heap {
        HeapId::NULL => Backing::Committed { implicit_heap_bytes: round_up(size_bytes, PAGE_BYTES), heap_type },
        heap => Backing::Placed { heap, heap_offset_bytes },
    };
    let allocation = Some(Allocation { size_bytes, alignment_bytes: alignment_bytes(resource) });
    let created = WorldEventKind::SnapshotTaken(Creation { id, desc, backing, allocation });
    [WorldEvent { stamp, kind: created }, WorldEvent { stamp, kind: WorldEventKind::Named(id.0, name) }]
}

/// The max alignment of a resource of this kind that divides its size and offset.
fn alignment_bytes(resource: &SnapshotResource) -> u64 {
    let is_tight = resource.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT);
    let max_bytes = if is_tight && resource.dimension == Dimension::BUFFER { TIGHT_BYTES } else { CLASSIC_BYTES };
    let offset_bytes = if resource.heap == HeapId::NULL { 0 } else { resource.heap_offset_bytes };
    1 << (offset_bytes | resource.size_bytes | max_bytes).trailing_zeros()
}
