//! A walk through a heap's lifetime, for its peak and its average use.

use super::change::Turn;
use super::incremental_layout::IncrementalLayout;
use super::layout::Layout;
use super::resource::Resource;
use super::{Heap, HeapIndex, World};
use rayon::prelude::*;

/// A heap right after the first change at which the sum of its live placed resources' sizes is at its max.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeapPeak {
    /// The heap.
    pub heap: HeapIndex,
    pub turn: Turn,
    /// Number of resources placed in it.
    pub placed: u64,
    /// Sum of their SizeInBytes.
    pub placed_bytes: u128,
    /// Difference of their SizeInBytes and their payloads.
    pub rounding_bytes: i128,
    pub layout: Layout,
}

/// Layouts summed up over time: each figure of [`Layout`] times its duration in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LayoutTime {
    /// Sum for [`Layout::covered_bytes`].
    pub covered: f64,
    /// Sum for [`Layout::overlap_bytes`].
    pub overlap: f64,
    /// Sum for [`Layout::padding_bytes`].
    pub padding: f64,
    /// Sum for [`Layout::hole_bytes`].
    pub hole: f64,
    /// Sum for [`Layout::tail_bytes`].
    pub tail: f64,
    /// Sum for [`Layout::best_order_saving_bytes`].
    pub best_order_saving: f64,
    /// Sum for the number of empty heaps.
    pub empty: f64,
    /// Sum for the sizes of empty heaps.
    pub empty_bytes: f64,
}

impl LayoutTime {
    fn add(&mut self, layout: Layout, heap_bytes: u64, ticks: u64) {
        let ticks = ticks as f64;
        self.covered += layout.covered_bytes as f64 * ticks;
        self.overlap += layout.overlap_bytes as f64 * ticks;
        self.padding += layout.padding_bytes as f64 * ticks;
        self.hole += layout.hole_bytes as f64 * ticks;
        self.tail += layout.tail_bytes as f64 * ticks;
        self.best_order_saving += layout.best_order_saving_bytes as f64 * ticks;
        if layout.covered_bytes == 0 {
            self.empty += ticks;
            self.empty_bytes += heap_bytes as f64 * ticks;
        }
    }

    /// Adds the sums of two heaps.
    pub fn plus(self, other: LayoutTime) -> LayoutTime {
        LayoutTime {
            covered: self.covered + other.covered,
            overlap: self.overlap + other.overlap,
            padding: self.padding + other.padding,
            hole: self.hole + other.hole,
            tail: self.tail + other.tail,
            best_order_saving: self.best_order_saving + other.best_order_saving,
            empty: self.empty + other.empty,
            empty_bytes: self.empty_bytes + other.empty_bytes,
        }
    }
}

/// The result of a walk through one heap's lifetime.
#[derive(Debug, Clone, PartialEq)]
pub struct HeapWalk {
    /// Peak of the heap; none if it never holds a resource of known size.
    pub peak: Option<HeapPeak>,
    /// Layouts summed up over its lifetime.
    pub time: LayoutTime,
    /// For each resource of [`Heap::placed`], the padding before it at its creation, in bytes.
    pub padding_bytes: Vec<u64>,
}

/// State of the heap during the walk.
#[derive(Default)]
struct HeapState {
    placed: u64,
    placed_bytes: i128,
    rounding_bytes: i128,
}

impl World {
    /// Walks through one heap's lifetime.
    pub fn walk_heap(&self, index: HeapIndex) -> HeapWalk {
        let heap = self.heap(index);
        let mut changes = Vec::with_capacity(heap.placed.len() * 2);
        for (number, resource) in (0..).zip(heap.placed.iter().map(|resource| self.resource(*resource))) {
            if resource.allocation.is_some() {
                changes.push((resource.created, number, true));
                changes.extend(resource.released.map(|released| (released, number, false)));
            }
        }
        changes.sort_unstable();
        let mut incremental_layout = IncrementalLayout::new(heap.size_bytes);
        let (mut running, mut max_bytes) = (HeapState::default(), -1);
        let mut walk = HeapWalk { peak: None, time: LayoutTime::default(), padding_bytes: vec![0; heap.placed.len()] };
        let heap_end = heap.released.map_or(self.end.stamp, |released| self.moment(released).stamp);
        let mut since = self.moment(heap.created).stamp;
        for (turn, number, created) in changes {
            let resource = self.resource(heap.placed[number as usize]);
            let Some(extent) = resource.extent() else { continue };
            // Resources may live on after their heap's release, but they count no longer for the heap.
            let until = self.moment(turn).stamp.min(heap_end);
            walk.time.add(incremental_layout.layout(), heap.size_bytes, until.saturating_sub(since));
            since = since.max(until);
            running.turn(resource, created);
            if created {
                walk.padding_bytes[number as usize] = incremental_layout.insert(extent, number);
            } else {
                incremental_layout.remove(extent, number);
            }
            if running.placed_bytes > max_bytes {
                max_bytes = running.placed_bytes;
                walk.peak = Some(HeapPeak {
                    heap: index,
                    turn,
                    placed: running.placed,
                    placed_bytes: running.placed_bytes.unsigned_abs(),
                    rounding_bytes: running.rounding_bytes,
                    layout: incremental_layout.layout(),
                });
            }
        }
        walk.time.add(incremental_layout.layout(), heap.size_bytes, heap_end.saturating_sub(since));
        walk
    }

    /// Walks through all heaps' lifetimes, in order of the heaps' creation.
    pub fn walk_heaps(&self) -> Vec<HeapWalk> {
        (0..self.heaps.len() as u32).into_par_iter().map(|heap| self.walk_heap(HeapIndex(heap))).collect()
    }

    /// Padding before each resource at its creation, by its index; `walks` are those of all heaps.
    pub fn paddings(&self, walks: &[HeapWalk]) -> Vec<u64> {
        let mut paddings = vec![0; self.resources.len()];
        for (heap, walk) in self.heaps.iter().zip(walks) {
            for (resource, padding_bytes) in heap.placed.iter().zip(&walk.padding_bytes) {
                paddings[resource.0 as usize] = *padding_bytes;
            }
        }
        paddings
    }

    /// The layout of a heap right after `turn`.
    pub fn layout_after(&self, heap: HeapIndex, turn: Turn) -> Layout {
        let heap = self.heap(heap);
        Layout::new(heap.size_bytes, self.placed_after(heap, turn).filter_map(Resource::extent).collect())
    }

    /// Resources of a heap that live right after `turn`.
    pub fn placed_after(&self, heap: &Heap, turn: Turn) -> impl Iterator<Item = &Resource> {
        heap.placed.iter().map(|index| self.resource(*index)).filter(move |resource| resource.lives_after(turn))
    }
}

impl HeapState {
    fn turn(&mut self, resource: &Resource, created: bool) {
        let size_bytes = resource.allocation.map_or(0, |allocation| i128::from(allocation.size_bytes));
        let rounding_bytes = resource.rounding_bytes();
        if created {
            self.placed += 1;
            self.placed_bytes += size_bytes;
            self.rounding_bytes += rounding_bytes;
        } else {
            self.placed -= 1;
            self.placed_bytes -= size_bytes;
            self.rounding_bytes -= rounding_bytes;
        }
    }
}
