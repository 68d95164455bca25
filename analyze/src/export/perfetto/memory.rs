//! Live memory after each change, as byte counters.

use super::packets::{EventType, TrackEvent};
use super::sequence::Sequence;
use super::tracks::Tracks;
use crate::analysis::Analysis;
use crate::memory::{Live, World};

/// Names of the counters, in the order of their values.
const COUNTERS: [&str; 5] = ["heap_bytes", "allocated_bytes", "placed_bytes", "committed_bytes", "requested_bytes"];

/// State of the counters during the pass over the trace.
pub struct Memory<'a> {
    world: &'a World,
    next: usize,
    live: Live,
    tracks: [u64; COUNTERS.len()],
    written: [Option<u64>; COUNTERS.len()],
}

impl<'a> Memory<'a> {
    /// Creates the counters, and their tracks if the world has any heap or resource.
    pub fn new(world: &'a World, tracks: &mut Tracks) -> Memory<'a> {
        let counted = !world.changes.is_empty();
        let tracks = COUNTERS.map(|name| if counted { tracks.bytes(name) } else { 0 });
        Memory { world, next: 0, live: Live::default(), tracks, written: [None; COUNTERS.len()] }
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
            for ((sum, written), track) in sums.into_iter().zip(&mut self.written).zip(self.tracks) {
                let bytes = u64::try_from(sum).unwrap_or(u64::MAX);
                if written.replace(bytes) != Some(bytes) {
                    let event = TrackEvent {
                        r#type: Some(EventType::Counter as i32),
                        track_uuid: Some(track),
                        counter_value: Some(i64::try_from(bytes).unwrap_or(i64::MAX)),
                        ..Default::default()
                    };
                    sequence.event(at_ns, event);
                }
            }
        }
    }
}
