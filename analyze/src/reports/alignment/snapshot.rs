//! Computes snapshots: reconstructs the live objects after a change and the layouts of their heaps.

use super::figures::{ResourceFigures, Snapshot, narrow};
use super::measure::Measure;
use crate::memory::{Extent, FreeRanges, Layout, Moment, Resource, Turn, World};
use rayon::prelude::*;

impl Snapshot {
    /// State right after `turn`, or the empty state before the first change if it is `None`.
    pub fn after(world: &World, turn: Option<Turn>) -> Snapshot {
        let at = turn.map_or(world.start, |turn| world.moment(turn));
        Snapshot::at(world, turn, at)
    }

    /// State at the end of the trace.
    pub fn end(world: &World) -> Snapshot {
        let last = world.changes.len().checked_sub(1).map(|last| Turn(last as u32));
        Snapshot::at(world, last, world.end)
    }

    fn at(world: &World, turn: Option<Turn>, at: Moment) -> Snapshot {
        let live = world.live_after(turn);
        let heaps = Heaps::after(world, turn);
        let layout = heaps.layout;
        let all = ResourceFigures::from(live.resources());
        Snapshot {
            at_stamp: at.stamp,
            at_seq: at.seq,
            heaps: live.heaps.count,
            heap_bytes: narrow(live.heaps.bytes),
            empty_heaps: heaps.empty,
            empty_heap_bytes: narrow(heaps.empty_bytes),
            real_bytes: narrow(Measure::RealBytes.of(&live)),
            total_bytes: narrow(Measure::TotalBytes.of(&live)),
            all,
            layout,
            free: heaps.free.into(),
            waste_ratio: all.waste_ratio(layout.padding_bytes),
            buffers: live.buffers.into(),
            textures: live.textures.into(),
        }
    }
}

/// Sums over the live heaps at a moment.
#[derive(Default)]
struct Heaps {
    layout: Layout,
    free: FreeRanges,
    empty: u64,
    empty_bytes: u128,
}

impl Heaps {
    fn after(world: &World, turn: Option<Turn>) -> Heaps {
        let Some(turn) = turn else { return Heaps::default() };
        let live = world.heaps.par_iter().filter(|heap| heap.lives_after(turn));
        let heaps = live.map(|heap| {
            let mut extents: Vec<Extent> = world.placed_after(heap, turn).filter_map(Resource::extent).collect();
            extents.sort_unstable();
            let free = FreeRanges::new(heap.size_bytes, &extents);
            let layout = Layout::new(heap.size_bytes, extents);
            let empty = layout.covered_bytes == 0;
            let empty_bytes = if empty { u128::from(heap.size_bytes) } else { 0 };
            Heaps { layout, free, empty: u64::from(empty), empty_bytes }
        });
        heaps.reduce(Heaps::default, |a, b| Heaps {
            layout: a.layout.plus(b.layout),
            free: a.free.plus(b.free),
            empty: a.empty + b.empty,
            empty_bytes: a.empty_bytes + b.empty_bytes,
        })
    }
}
