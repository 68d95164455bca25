//! Heap maps: positions of the resources in each heap at its peak.

use crate::analysis::Analysis;
use crate::memory::{HeapWalk, ResourceIndex, World};
use serde::Serialize;

/// Maximum number of heaps and resources in the page; heaps with the most waste come first.
const HEAPS: usize = 200;
const RESOURCES: usize = 40_000;

/// A heap. Index i of each column is the i-th resource by offset.
#[derive(Debug, Serialize)]
pub(super) struct HeapMap {
    heap: u64,
    name: String,
    size_bytes: u64,
    /// Time of the heap's peak in milliseconds since the start; `None` if the clock is logical or has no frequency.
    at_ms: Option<f64>,
    /// Position in the file that the trace was recorded from: `line 1,319`; without a file and a time, `stamp 1,234`.
    position: Option<String>,
    rounding_bytes: i64,
    padding_bytes: u64,
    hole_bytes: u64,
    tail_bytes: u64,
    /// Offset of each resource from the end of the previous ones; negative if they alias.
    gaps: Vec<i64>,
    sizes: Vec<u64>,
    requested: Vec<u64>,
    alignments_log2: Vec<u32>,
    /// Handles as text: JavaScript has no integers of 64 bits.
    handles: Vec<String>,
    /// 1 for a buffer, 0 for a texture.
    buffers: Vec<u8>,
    /// Indices in the names of all maps.
    names: Vec<u32>,
}

/// The heaps shown in the page.
#[derive(Debug, Serialize)]
pub(super) struct HeapMaps {
    /// Number of heaps that ever contain a resource.
    heaps: u64,
    maps: Vec<HeapMap>,
    /// Distinct names, or descriptions of resources without a name.
    names: Vec<String>,
}

pub(super) fn heap_maps(analysis: &Analysis, world: &World, walks: &[HeapWalk]) -> HeapMaps {
    let mut peaks: Vec<_> = walks.iter().filter_map(|walk| walk.peak).collect();
    let heaps = peaks.len() as u64;
    let waste = |peak: &crate::memory::HeapPeak| peak.rounding_bytes + i128::from(peak.layout.padding_bytes);
    peaks.sort_by_key(|peak| std::cmp::Reverse((waste(peak), peak.placed_bytes)));
    let mut names = NameTable::default();
    let (mut maps, mut drawn) = (Vec::new(), 0);
    for peak in peaks.iter().take(HEAPS) {
        let heap = world.heap(peak.heap);
        let live = heap.placed.iter().filter(|index| world.resource(**index).lives_after(peak.turn));
        let mut live: Vec<_> = live.filter_map(|index| Some((world.resource(*index).extent()?, *index))).collect();
        drawn += live.len();
        // At least one heap is shown, even if it alone exceeds the limit.
        if drawn > RESOURCES && !maps.is_empty() {
            break;
        }
        live.truncate(RESOURCES);
        live.sort_unstable();
        let moment = world.moment(peak.turn);
        let at_ms = analysis.elapsed_ns(moment.stamp).map(|ns| ns as f64 / 1e6);
        let in_file = moment.seq.map(|seq| analysis.file_positions().text(seq));
        let mut map = HeapMap {
            heap: heap.id.0,
            name: world.heap_name(peak.heap).to_owned(),
            size_bytes: heap.size_bytes,
            at_ms,
            position: in_file.or_else(|| at_ms.is_none().then(|| analysis.moment(moment.stamp))),
            rounding_bytes: i64::try_from(peak.rounding_bytes).unwrap_or(i64::MAX),
            padding_bytes: peak.layout.padding_bytes,
            hole_bytes: peak.layout.hole_bytes,
            tail_bytes: peak.layout.tail_bytes,
            gaps: Vec::new(),
            sizes: Vec::new(),
            requested: Vec::new(),
            alignments_log2: Vec::new(),
            handles: Vec::new(),
            buffers: Vec::new(),
            names: Vec::new(),
        };
        let mut end_bytes = 0_u64;
        for (extent, index) in live {
            let resource = world.resource(index);
            let gap = i128::from(extent.offset_bytes) - i128::from(end_bytes);
            map.gaps.push(i64::try_from(gap).unwrap_or_default());
            map.sizes.push(extent.size_bytes);
            map.requested.push(resource.requested_bytes);
            map.alignments_log2.push(extent.alignment_bytes.max(1).ilog2());
            map.handles.push(resource.id.0.to_string());
            map.buffers.push(u8::from(resource.is_buffer()));
            map.names.push(names.place(world, index));
            end_bytes = extent.end_bytes();
        }
        maps.push(map);
    }
    HeapMaps { heaps, maps, names: names.names }
}

/// Distinct names with their indices.
#[derive(Default)]
struct NameTable {
    places: std::collections::HashMap<String, u32>,
    names: Vec<String>,
}

impl NameTable {
    fn place(&mut self, world: &World, index: ResourceIndex) -> u32 {
        let name = match world.resource_name(index) {
            "" => world.resource(index).short_description(),
            name => format!("{name}: {}", world.resource(index).short_description()),
        };
        let next = self.names.len() as u32;
        let place = *self.places.entry(name.clone()).or_insert(next);
        if place == next {
            self.names.push(name);
        }
        place
    }
}
