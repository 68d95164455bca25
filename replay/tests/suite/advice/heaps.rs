//! Free space in heaps and the savings of their changes, computed from offsets and sizes.

use taut_analyze::memory::{Heap, Turn, World};
use taut_analyze::reports::alignment::{CauseFigures, ChangeFigures};

/// Unused bytes of live heaps, and the effect of changes on them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Free {
    pub all_bytes: u64,
    /// Gaps due to the next resource's alignment.
    pub padding_bytes: u64,
    /// Remaining gaps if the resources are in order of decreasing alignment.
    pub ordered_padding_bytes: u64,
    /// Space gained at the end if each resource is moved down as far as possible.
    pub moved_bytes: u64,
    /// Excess of heap sizes over all that is ever placed in them, in steps of 64 KiB.
    pub unfitted_bytes: u64,
    /// Heaps without resources.
    pub empty_bytes: u64,
}

/// Returns offset, size and alignment of the resources in a heap, in ascending order.
fn placed(world: &World, heap: &Heap, turn: Option<Turn>) -> Vec<(u64, u64, u64)> {
    let all = heap.placed.iter().map(|index| world.resource(*index));
    let wanted = all.filter(|one| turn.is_none_or(|turn| one.lives_after(turn)));
    let extents = wanted.filter_map(|one| one.extent());
    let mut extents: Vec<_> = extents.map(|one| (one.offset_bytes, one.size_bytes, one.alignment_bytes)).collect();
    extents.sort_unstable();
    extents
}

impl Free {
    fn new(world: &World, heap: &Heap, turn: Turn) -> Free {
        let (mut live, size_bytes) = (placed(world, heap, Some(turn)), heap.size_bytes);
        if live.is_empty() {
            return Free { all_bytes: size_bytes, empty_bytes: size_bytes, ..Free::default() };
        }
        let mut free = Free { all_bytes: size_bytes, ..Free::default() };
        let (mut end, mut moved_end) = (0, 0);
        for (offset, size, alignment) in &live {
            assert!(*offset >= end, "resources that share bytes are not looked at here");
            free.all_bytes -= size;
            if end.next_multiple_of(*alignment) == *offset {
                free.padding_bytes += offset - end;
            }
            moved_end = u64::next_multiple_of(moved_end, *alignment) + size;
            end = offset + size;
        }
        free.moved_bytes = end - moved_end;
        let highest = placed(world, heap, None).iter().map(|(offset, size, _)| offset + size).max();
        free.unfitted_bytes = size_bytes - highest.unwrap_or_default().next_multiple_of(65_536);
        live.sort_by_key(|(_, size, alignment)| std::cmp::Reverse((*alignment, *size)));
        let mut end = 0_u64;
        for (_, size, alignment) in live {
            let offset = end.next_multiple_of(alignment);
            free.ordered_padding_bytes += offset - end;
            end = offset + size;
        }
        free
    }

    fn plus(self, other: Free) -> Free {
        Free {
            all_bytes: self.all_bytes + other.all_bytes,
            padding_bytes: self.padding_bytes + other.padding_bytes,
            ordered_padding_bytes: self.ordered_padding_bytes + other.ordered_padding_bytes,
            moved_bytes: self.moved_bytes + other.moved_bytes,
            unfitted_bytes: self.unfitted_bytes + other.unfitted_bytes,
            empty_bytes: self.empty_bytes + other.empty_bytes,
        }
    }
}

/// Returns the unused bytes of the heaps that are live after a change.
pub fn free(world: &World, turn: Turn) -> Free {
    let live = world.heaps.iter().filter(|heap| heap.lives_after(turn));
    live.fold(Free::default(), |sum, heap| sum.plus(Free::new(world, heap, turn)))
}

/// Returns the saving and the reclaimed bytes of a change of heaps; `None` for a change of resources.
pub fn saving(free: &Free, change: &str) -> Option<(u64, u64)> {
    Some(match change {
        "falling_alignment" => (free.padding_bytes - free.ordered_padding_bytes, 0),
        "moved_together" => (free.moved_bytes, 0),
        "fitted_heaps" => (free.unfitted_bytes, free.unfitted_bytes),
        "no_empty_heaps" => (free.empty_bytes, free.empty_bytes),
        _ => return None,
    })
}

/// Checks the saving of a change of heaps; returns true if it is one.
pub fn assert_saves(name: &str, free: &Free, cause: &CauseFigures, change: &ChangeFigures) -> bool {
    let Some((saving_bytes, reclaimed_bytes)) = saving(free, change.change) else { return false };
    let claimed = (change.saving_bytes, change.reclaimed_bytes);
    assert_eq!(claimed, (saving_bytes, reclaimed_bytes), "{name}, {}: {change:?}", cause.name);
    true
}
