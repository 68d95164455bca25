//! One heap's resources, placed anew.

use super::free_map::FreeMap;
use super::group_layout::GroupLayout;
use super::heap_life::{HeapEvent, HeapLife, HeapPlacement};
use super::sharing::Groups;
use taut_schemas::{HeapDesc, ResourceId};

/// Heaps are aligned to this unless they ask for more (d3d12.h: D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT).
const DEFAULT_ALIGNMENT_BYTES: u64 = 64 << 10;
/// What a heap has to ask for to hold MSAA textures (d3d12.h: D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT).
const MSAA_ALIGNMENT_BYTES: u64 = 4 << 20;

/// What becomes of a heap.
#[derive(Debug, Clone)]
pub struct Refit {
    /// Each resource's new offset, in bytes; those that no heap could hold are left out.
    pub offsets: Vec<(ResourceId, u64)>,
    /// As the heap has to be created to hold them.
    pub desc: HeapDesc,
    /// End of the highest range ever taken, in bytes.
    pub high_water_bytes: u64,
}

impl Refit {
    /// Places everything in a heap anew, first fit in order of creation.
    pub fn of(life: &HeapLife) -> Refit {
        Refit::of_groups(life, &Groups::of(life))
    }

    /// The same, and beside it what comes of what was recorded in place of the driver's answers: what placing anew does by
    /// itself.
    pub fn beside_recorded(life: &HeapLife) -> (Refit, Refit) {
        let groups = Groups::of(life);
        (Refit::of_groups(life, &groups), Refit::of_groups(&life.as_recorded(), &groups))
    }

    fn of_groups(life: &HeapLife, groups: &Groups) -> Refit {
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
        if high_water_bytes > desc.size_bytes {
            let rounded = high_water_bytes.checked_next_multiple_of(DEFAULT_ALIGNMENT_BYTES);
            desc.size_bytes = rounded.unwrap_or(high_water_bytes);
        }
        let alignments_bytes = life.placements.iter().map(|placement| placement.live.alignment_bytes);
        if alignments_bytes.max().unwrap_or(0) > desc.alignment_bytes.max(DEFAULT_ALIGNMENT_BYTES) {
            desc.alignment_bytes = MSAA_ALIGNMENT_BYTES;
        }
        Refit { offsets, desc, high_water_bytes }
    }
}

/// Places one heap's resources anew, groups that share memory as one. A group keeps its place from its first member's
/// creation to its last member's release.
struct Placer<'g> {
    groups: &'g Groups,
    layouts: Vec<GroupLayout>,
    /// By group: its offset once placed, and its members not yet released.
    placed: Vec<(Option<u64>, usize)>,
    free: FreeMap,
}

impl<'g> Placer<'g> {
    fn new(life: &HeapLife, groups: &'g Groups) -> Placer<'g> {
        let layouts = groups.members.iter().map(|members| {
            let members: Vec<&HeapPlacement> = members.iter().map(|member| &life.placements[*member]).collect();
            GroupLayout::of(&members)
        });
        let layouts = layouts.collect();
        let placed = groups.members.iter().map(|members| (None, members.len())).collect();
        Placer { groups, layouts, placed, free: FreeMap::default() }
    }

    /// Where a resource lies; `None` if no heap could hold it.
    fn create(&mut self, index: usize, life: &HeapLife) -> Option<u64> {
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
