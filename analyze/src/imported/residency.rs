//! Residency of allocations, from events of the kernel.

use crate::events::At;
use std::collections::{BTreeMap, HashMap};
use taut_schemas::windows::{MakeResidentStart, MakeResidentStop, PageIn};

/// Residency requests, and movements of allocations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Residency {
    /// Requests whose begin and end are in the trace, and their allocations.
    pub requests: u64,
    pub allocations: u64,
    /// Requests that the kernel refused, and bytes that it requested to trim.
    pub refused: u64,
    pub trim_bytes: u64,
    pub total_ticks: u64,
    pub max_ticks: u64,
    /// Allocations that moved into each segment.
    pub page_ins: BTreeMap<u64, u64>,
    /// Allocations that moved out of a segment.
    pub evictions: u64,
}

/// State of the requests.
#[derive(Debug, Default)]
pub struct ResidencyTracker {
    /// Begin and allocations of each thread's request.
    open: HashMap<u32, (u64, u64)>,
    found: Residency,
}

impl ResidencyTracker {
    pub fn start(&mut self, at: At, event: &MakeResidentStart) {
        self.open.insert(at.thread, (at.stamp, event.allocations.unwrap_or_default()));
    }

    /// A request's end is on the thread of its begin.
    pub fn stop(&mut self, at: At, event: &MakeResidentStop) {
        let Some((since, allocations)) = self.open.remove(&at.thread) else { return };
        let ticks = at.stamp.saturating_sub(since);
        let found = &mut self.found;
        found.requests += 1;
        found.allocations = found.allocations.saturating_add(allocations);
        // NTSTATUS: the two upper bits of an error are set.
        found.refused += u64::from(event.status.is_some_and(|status| status >> 30 == 3));
        found.trim_bytes = found.trim_bytes.saturating_add(event.trim_bytes.unwrap_or_default());
        found.total_ticks = found.total_ticks.saturating_add(ticks);
        found.max_ticks = found.max_ticks.max(ticks);
    }

    pub fn page_in(&mut self, event: &PageIn) {
        // Newer versions have no segment.
        *self.found.page_ins.entry(event.segment.unwrap_or(u64::MAX)).or_default() += 1;
    }

    pub fn eviction(&mut self) {
        self.found.evictions += 1;
    }

    pub fn finish(self) -> Residency {
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_pair_on_their_thread_and_refused_ones_count() {
        let mut tracker = ResidencyTracker::default();
        let at = |stamp, thread| At { stamp, thread };
        tracker.start(at(1, 1), &MakeResidentStart { allocations: Some(3) });
        tracker.start(at(2, 2), &MakeResidentStart { allocations: Some(5) });
        tracker.stop(at(9, 2), &MakeResidentStop { status: Some(0xC000_0017), trim_bytes: Some(64) });
        tracker.stop(at(4, 1), &MakeResidentStop { status: Some(0x103), trim_bytes: None });
        tracker.stop(at(10, 3), &MakeResidentStop::default());
        tracker.page_in(&PageIn { allocation: Some(1), segment: Some(2) });
        let found = tracker.finish();
        assert_eq!((found.requests, found.allocations, found.refused, found.trim_bytes), (2, 8, 1, 64));
        assert_eq!((found.total_ticks, found.max_ticks, found.page_ins.get(&2)), (10, 7, Some(&1)));
    }
}
