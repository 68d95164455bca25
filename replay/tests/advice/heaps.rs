//! What is free in heaps and what their changes save, from offsets and sizes alone.

use taut_analyze::reports::alignment::{CauseFigures, ChangeFigures};
use taut_analyze::world::{Heap, Turn, World};

/// Bytes of live heaps in which nothing lies, and what changes of heaps make of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Free {
    pub all_bytes: u64,
    /// Gaps that the next resource's alignment makes.
    pub padding_bytes: u64,
    /// What of these is left if the resources lie in order of falling alignment.
    pub ordered_padding_bytes: u64,
    /// What is gained behind the last resource if each slides down as far as it can.
    pub moved_bytes: u64,
    /// What heaps are larger than all that is ever placed in them, in steps of 64 KiB.
    pub unfitted_bytes: u64,
    /// Heaps with nothing in them.
    pub empty_bytes: u64,
}

/// Offset, size and alignment of what lies in a heap, from the front.
fn placed(world: &World, heap: &Heap, turn: Option<Turn>) -> Vec<(u64, u64, u64)> {
    let all = heap.placed.iter().map(|index| world.resource(*index));
    let wanted = all.filter(|one| turn.is_none_or(|turn| one.lives_after(turn)));
    let extents = wanted.filter_map(|one| one.extent());
    let mut extents: Vec<_> = extents.map(|one| (one.offset_bytes, one.size_bytes, one.alignment_bytes)).collect();
    extents.sort_unstable();
    extents
}

impl Free {
    fn of(world: &World, heap: &Heap, turn: Turn) -> Free {
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

/// What is free in the heaps that live right after a change.
pub fn free(world: &World, turn: Turn) -> Free {
    let live = world.heaps.iter().filter(|heap| heap.lives_after(turn));
    live.fold(Free::default(), |sum, heap| sum.plus(Free::of(world, heap, turn)))
}

/// What a change of heaps saves and gives back; none for a change of resources.
pub fn saving(free: &Free, change: &str) -> Option<(u64, u64)> {
    Some(match change {
        "falling_alignment" => (free.padding_bytes - free.ordered_padding_bytes, 0),
        "moved_together" => (free.moved_bytes, 0),
        "fitted_heaps" => (free.unfitted_bytes, free.unfitted_bytes),
        "no_empty_heaps" => (free.empty_bytes, free.empty_bytes),
        _ => return None,
    })
}

/// A change of heaps saves what the heaps themselves say; true if it is one.
pub fn assert_saves(name: &str, free: &Free, cause: &CauseFigures, change: &ChangeFigures) -> bool {
    let Some((saving_bytes, given_back_bytes)) = saving(free, change.change) else { return false };
    let said = (change.saving_bytes, change.given_back_bytes);
    assert_eq!(said, (saving_bytes, given_back_bytes), "{name}, {}: {change:?}", cause.name);
    true
}
