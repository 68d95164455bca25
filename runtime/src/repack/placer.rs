//! Repacking of a heap's resources.

use super::free_map::FreeMap;
use super::group_layout::GroupLayout;
use super::heap_lifetime::{HeapEvent, HeapLifetime, HeapPlacement};
use super::sharing::Groups;
use taut_schemas::{HeapDesc, ResourceId};

/// Default alignment of heaps (d3d12.h: D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT).
const DEFAULT_ALIGNMENT_BYTES: u64 = 64 << 10;
/// Required alignment of heaps with MSAA textures (d3d12.h: D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT).
const MSAA_ALIGNMENT_BYTES: u64 = 4 << 20;

/// Repacked heap.
#[derive(Debug, Clone)]
pub struct RepackedHeap {
    /// New offset in bytes of each resource, without resources that fit into no heap.
    pub offsets: Vec<(ResourceId, u64)>,
    /// Description of a heap that holds them.
    pub desc: HeapDesc,
    /// End of the highest range ever allocated, in bytes.
    pub high_water_bytes: u64,
}

impl RepackedHeap {
    /// Repacks all placements of a heap, first fit in order of creation.
    pub fn new(life: &HeapLifetime) -> RepackedHeap {
        RepackedHeap::from_groups(life, &Groups::new(life))
    }

    /// Repacks a heap, and for comparison also with the recorded sizes: the effect of repacking alone.
    pub fn with_recorded_baseline(life: &HeapLifetime) -> (RepackedHeap, RepackedHeap) {
        let groups = Groups::new(life);
        (RepackedHeap::from_groups(life, &groups), RepackedHeap::from_groups(&life.as_recorded(), &groups))
    }

    fn from_groups(life: &HeapLifetime, groups: &Groups) -> RepackedHeap {
        let mut placer = Placer::new(life, groups);
        let mut offsets = Vec::with_capacity(life.placements.len());
        for event in &life.events {
            match *event {
                HeapEvent::Create(index) => {
                    let resource = life.placements[index].resource;
                    offsets.extend(placer.create(index, life).map(|offset_bytes| (resource, offset_bytes)));
                }
                HeapEvent::Release(index) => placer.release(index),
            }
        }
        let high_water_bytes = placer.free.high_water_bytes();
        let mut desc = life.desc;
        // Heaps grow but never shrink: their size is the application's decision.
        if high_water_bytes > desc.size_bytes {
            let rounded = high_water_bytes.checked_next_multiple_of(DEFAULT_ALIGNMENT_BYTES);
            desc.size_bytes = rounded.unwrap_or(high_water_bytes);
        }
        let alignments_bytes = life.placements.iter().map(|placement| placement.live.alignment_bytes);
        if alignments_bytes.max().unwrap_or(0) > desc.alignment_bytes.max(DEFAULT_ALIGNMENT_BYTES) {
            desc.alignment_bytes = MSAA_ALIGNMENT_BYTES;
        }
        RepackedHeap { offsets, desc, high_water_bytes }
    }
}

/// Repacks a heap's resources; groups that share memory are placed as one. A group occupies its range from its first
/// member's creation to its last member's release.
struct Placer<'g> {
    groups: &'g Groups,
    layouts: Vec<GroupLayout>,
    /// By group: the offset once placed, and the number of members not yet released.
    placed: Vec<(Option<u64>, usize)>,
    free: FreeMap,
}

impl<'g> Placer<'g> {
    fn new(life: &HeapLifetime, groups: &'g Groups) -> Placer<'g> {
        let layouts = groups.members.iter().map(|members| {
            let members: Vec<&HeapPlacement> = members.iter().map(|member| &life.placements[*member]).collect();
            GroupLayout::new(&members)
        });
        let layouts = layouts.collect();
        let placed = groups.members.iter().map(|members| (None, members.len())).collect();
        Placer { groups, layouts, placed, free: FreeMap::default() }
    }

    /// Returns a resource's offset; `None` if it fits into no heap.
    fn create(&mut self, index: usize, life: &HeapLifetime) -> Option<u64> {
        let group = self.groups.group_of[index];
        let layout = &self.layouts[group];
        let (offset, _) = &mut self.placed[group];
        if offset.is_none() {
            *offset = self.free.allocate(layout.size_bytes, layout.alignment_bytes);
        }
        let member = self.groups.members[group].binary_search(&index).ok()?;
        let offset = (*offset)?.checked_add(layout.offsets_bytes[member])?;
        debug_assert_eq!(offset % life.placements[index].live.alignment_bytes.max(1), 0);
        Some(offset)
    }

    fn release(&mut self, index: usize) {
        let group = self.groups.group_of[index];
        let (offset, members) = &mut self.placed[group];
        *members -= 1;
        if let (Some(offset), 0) = (*offset, *members) {
            self.free.free(offset, self.layouts[group].size_bytes);
        }
    }
}
