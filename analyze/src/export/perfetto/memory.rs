//! Live memory after each change, as byte counters.

use super::counters::Counter;
use super::packets::{CounterDescriptor, UNIT_SIZE_BYTES};
use super::sequence::Sequence;
use super::tracks::{Rank, Tracks};
use crate::analysis::Analysis;
use crate::memory::{Live, World};

/// Names of the counters, in the order of their values.
const COUNTERS: [&str; 5] = [
    "heap memory",
    "allocated resource memory",
    "placed resource memory",
    "committed resource memory",
    "requested resource memory",
];

/// State of the counters during the pass over the trace.
pub struct Memory<'a> {
    world: &'a World,
    next: usize,
    live: Live,
    /// `None` if the trace has no heap and no resource.
    counters: Option<[Counter; COUNTERS.len()]>,
}

impl<'a> Memory<'a> {
    /// Creates the counters, and their tracks if the world has any heap or resource.
    pub fn new(world: &'a World, tracks: &mut Tracks) -> Memory<'a> {
        let counted = !world.changes.is_empty();
        let bytes = CounterDescriptor { unit: Some(UNIT_SIZE_BYTES) };
        let counters = counted.then(|| COUNTERS.map(|name| Counter::new(tracks.counter(Rank::Memory, name, bytes))));
        Memory { world, next: 0, live: Live::default(), counters }
    }

    /// Writes the changes up to a stamp; a counter without a change is not written.
    pub fn until(&mut self, stamp: u64, analysis: &Analysis, sequence: &mut Sequence) {
        while let Some(change) = self.world.changes.get(self.next).filter(|change| change.moment.stamp <= stamp) {
            self.next += 1;
            self.live.turn(self.world, change.kind);
            let resources = self.live.resources();
            let sums = [
                self.live.heaps.bytes,
                resources.allocated().bytes,
                resources.placed.bytes,
                resources.committed.bytes,
                resources.requested_bytes,
            ];
            let at_ns = super::since_start_ns(analysis, change.moment.stamp);
            for (sum, counter) in sums.into_iter().zip(self.counters.iter_mut().flatten()) {
                counter.set(at_ns, u64::try_from(sum).unwrap_or(u64::MAX), sequence);
            }
        }
    }
}
