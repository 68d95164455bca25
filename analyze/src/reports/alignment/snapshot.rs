//! Takes a snapshot: builds what lives after one change anew and lays its heaps out.

use super::figures::{ResourceFigures, Snapshot, narrow};
use super::measure::Measure;
use crate::world::{HeapIndex, Layout, Moment, Turn, World};

impl Snapshot {
    /// What lives right after `turn`; with none, before anything does.
    pub fn after(world: &World, turn: Option<Turn>) -> Snapshot {
        let at = turn.map_or(world.start, |turn| world.moment(turn));
        Snapshot::at(world, turn, at)
    }

    /// What lives at the end of the trace.
    pub fn end(world: &World) -> Snapshot {
        let last = world.changes.len().checked_sub(1).map(|last| Turn(last as u32));
        Snapshot::at(world, last, world.end)
    }

    fn at(world: &World, turn: Option<Turn>, at: Moment) -> Snapshot {
        let live = world.live_after(turn);
        let (mut layout, mut empty_heaps, mut empty_heap_bytes) = (Layout::default(), 0, 0_u128);
        for (index, heap) in (0..).map(HeapIndex).zip(&world.heaps) {
            let Some(turn) = turn.filter(|turn| heap.lives_after(*turn)) else { continue };
            let of_heap = world.layout_after(index, turn);
            if of_heap.covered_bytes == 0 {
                empty_heaps += 1;
                empty_heap_bytes += u128::from(heap.size_bytes);
            }
            layout = layout.plus(of_heap);
        }
        let all = ResourceFigures::from(live.resources());
        Snapshot {
            at_stamp: at.stamp,
            at_seq: at.seq,
            heaps: live.heaps.count,
            heap_bytes: narrow(live.heaps.bytes),
            empty_heaps,
            empty_heap_bytes: narrow(empty_heap_bytes),
            total_bytes: narrow(Measure::TotalBytes.of(&live)),
            all,
            layout,
            waste_ratio: all.waste_ratio(layout.padding_bytes),
            buffers: live.buffers.into(),
            textures: live.textures.into(),
        }
    }
}
