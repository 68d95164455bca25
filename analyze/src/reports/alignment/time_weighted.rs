//! Averages over time: each figure weighted by its duration.

use super::figures::{ResourceFigures, Snapshot};
use crate::memory::{Backing, FreeRanges, HeapWalk, Layout, LayoutTime, Resource, Turn, World};
use crate::reports::figures::figures;

figures! {
    /// Averages from the first to the last timestamp of the trace. Each average is rounded; `waste_ratio` is computed from
    /// the unrounded averages.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct TimeWeighted {
        buffers: ResourceFigures, Group, same;
        textures: ResourceFigures, Group, same;
        span_ticks: u64, Ticks, "Duration that the averages cover, in ticks of the trace's clock.", after textures;
        heaps: u64, Count, same;
        heap_bytes: u64, Bytes, same;
        empty_heaps: u64, Count, same;
        empty_heap_bytes: u64, Bytes, same;
        real_bytes: u64, Bytes, same;
        total_bytes: u64, Bytes, same;
        #[serde(flatten)] all: ResourceFigures, Group, flat;
        #[serde(flatten)] layout: Layout, Group, flat;
        waste_ratio: f64, Ratio, same, unless snapshot;
    }
}

/// Integrals over time: figures of resources multiplied by the ticks that they last.
#[derive(Debug, Clone, Copy, Default)]
struct ResourceTime {
    placed: f64,
    committed: f64,
    placed_bytes: f64,
    committed_bytes: f64,
    requested_bytes: f64,
    padded_64k_bytes: f64,
    granularity_bytes: f64,
    guaranteed_saving_bytes: f64,
}

impl ResourceTime {
    fn add(&mut self, resource: &Resource, ticks: f64) {
        let Some(allocation) = resource.allocation else { return };
        let size = allocation.size_bytes as f64 * ticks;
        match resource.backing {
            Backing::Placed { .. } => {
                self.placed += ticks;
                self.placed_bytes += size;
            }
            Backing::Committed { .. } => {
                self.committed += ticks;
                self.committed_bytes += size;
            }
            Backing::Reserved | Backing::Unknown => return,
        }
        self.requested_bytes += resource.requested_bytes as f64 * ticks;
        self.padded_64k_bytes += resource.padded_64k_bytes() as f64 * ticks;
        self.granularity_bytes += resource.granularity_bytes() as f64 * ticks;
        self.guaranteed_saving_bytes += resource.guaranteed_saving_bytes() as f64 * ticks;
    }

    fn plus(self, other: ResourceTime) -> ResourceTime {
        ResourceTime {
            placed: self.placed + other.placed,
            committed: self.committed + other.committed,
            placed_bytes: self.placed_bytes + other.placed_bytes,
            committed_bytes: self.committed_bytes + other.committed_bytes,
            requested_bytes: self.requested_bytes + other.requested_bytes,
            padded_64k_bytes: self.padded_64k_bytes + other.padded_64k_bytes,
            granularity_bytes: self.granularity_bytes + other.granularity_bytes,
            guaranteed_saving_bytes: self.guaranteed_saving_bytes + other.guaranteed_saving_bytes,
        }
    }

    fn over(self, span: f64) -> ResourceFigures {
        let average = |sum: f64| (sum / span).round() as u64;
        let allocated_bytes = self.placed_bytes + self.committed_bytes;
        ResourceFigures {
            resources: average(self.placed + self.committed),
            placed: average(self.placed),
            committed: average(self.committed),
            placed_bytes: average(self.placed_bytes),
            committed_bytes: average(self.committed_bytes),
            requested_bytes: average(self.requested_bytes),
            in_use_bytes: average(allocated_bytes + self.granularity_bytes),
            allocated_bytes: average(allocated_bytes),
            rounding_bytes: ((allocated_bytes - self.requested_bytes) / span).round() as i64,
            padded_64k_bytes: average(self.padded_64k_bytes),
            granularity_bytes: (self.granularity_bytes / span).round() as i64,
            guaranteed_saving_bytes: average(self.guaranteed_saving_bytes),
        }
    }

    fn waste_ratio(&self, padding: f64) -> f64 {
        let allocated = self.placed_bytes + self.committed_bytes;
        let added = padding + self.granularity_bytes;
        let whole = allocated + added;
        if whole > 0.0 { (allocated - self.requested_bytes + added) / whole } else { 0.0 }
    }
}

impl TimeWeighted {
    /// Computes the averages of a world from the walks of its heaps. All are 0 for a trace without a duration.
    pub fn of(world: &World, walks: &[HeapWalk]) -> TimeWeighted {
        let span_ticks = world.end.stamp.saturating_sub(world.start.stamp);
        let ticks = |created: Turn, released: Option<Turn>| {
            // Objects that are not released last until the end of the trace.
            let until = released.map_or(world.end, |released| world.moment(released)).stamp;
            until.saturating_sub(world.moment(created).stamp) as f64
        };
        let (mut buffers, mut textures) = (ResourceTime::default(), ResourceTime::default());
        for resource in &world.resources {
            let sort = if resource.is_buffer() { &mut buffers } else { &mut textures };
            sort.add(resource, ticks(resource.created, resource.released));
        }
        let (mut heaps, mut heap_bytes) = (0.0, 0.0);
        for heap in &world.heaps {
            let ticks = ticks(heap.created, heap.released);
            heaps += ticks;
            heap_bytes += heap.size_bytes as f64 * ticks;
        }
        let layout = walks.iter().fold(LayoutTime::default(), |sum, walk| sum.plus(walk.time));
        let all = buffers.plus(textures);
        // For a trace without a duration all integrals are 0, and so are the averages.
        let span = (span_ticks as f64).max(1.0);
        let average = |sum: f64| (sum / span).round() as u64;
        TimeWeighted {
            span_ticks,
            heaps: average(heaps),
            heap_bytes: average(heap_bytes),
            empty_heaps: average(layout.empty),
            empty_heap_bytes: average(layout.empty_bytes),
            real_bytes: average(heap_bytes + all.committed_bytes + all.granularity_bytes),
            total_bytes: average(heap_bytes + all.committed_bytes),
            all: all.over(span),
            layout: Layout {
                covered_bytes: average(layout.covered),
                overlap_bytes: average(layout.overlap),
                padding_bytes: average(layout.padding),
                hole_bytes: average(layout.hole),
                tail_bytes: average(layout.tail),
                best_order_saving_bytes: average(layout.best_order_saving),
            },
            waste_ratio: all.waste_ratio(layout.padding),
            buffers: buffers.over(span),
            textures: textures.over(span),
        }
    }

    /// The averages as a snapshot without a moment, for the same table.
    pub(super) fn as_snapshot(&self) -> Snapshot {
        Snapshot {
            at_stamp: 0,
            at_seq: None,
            heaps: self.heaps,
            heap_bytes: self.heap_bytes,
            empty_heaps: self.empty_heaps,
            empty_heap_bytes: self.empty_heap_bytes,
            real_bytes: self.real_bytes,
            total_bytes: self.total_bytes,
            all: self.all,
            layout: self.layout,
            free: FreeRanges::default().into(),
            waste_ratio: self.waste_ratio,
            buffers: self.buffers,
            textures: self.textures,
        }
    }
}
