//! Video memory: bytes in segments, bytes of processes, and allocations of the kernel.

use super::curve::Curve;
use std::collections::{BTreeMap, HashSet};
use taut_schemas::windows::{AllocationStart, AllocationStop, ProcessCommitment, ProcessUsage, SegmentBytes};

/// Bytes in use of a memory segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentMemory {
    /// Address of the adapter in the kernel.
    pub adapter: u64,
    pub segment: u64,
    pub samples: u64,
    pub min_bytes: u64,
    pub max_bytes: u64,
    pub last_bytes: u64,
    pub curve: Curve,
}

/// Memory of a process in a segment group: 0 is local, 1 is not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProcessMemory {
    pub process: u64,
    pub segment_group: u64,
    /// `None` if the trace has no change of the value.
    pub max_usage_bytes: Option<u64>,
    pub max_commitment_bytes: Option<u64>,
    /// Bytes in use.
    pub curve: Curve,
}

/// Allocations with one alignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AlignmentClass {
    pub alignment_bytes: u64,
    pub allocations: u64,
    /// Sum of the sizes, which driver and kernel have rounded.
    pub size_bytes: u64,
}

/// Allocations of the kernel.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AllocationSums {
    /// Allocations that were created, or existed at a rundown.
    pub started: u64,
    pub destroyed: u64,
    /// Allocations whose destruction alone is in the trace.
    pub from_before: u64,
    /// By alignment, in increasing order.
    pub by_alignment: Vec<AlignmentClass>,
}

/// State of video memory.
#[derive(Debug, Default)]
pub struct VideoMemory {
    segments: BTreeMap<(u64, u64), SegmentMemory>,
    processes: BTreeMap<(u64, u64), ProcessMemory>,
    /// Handles of existing allocations. The kernel reuses them.
    allocations: HashSet<u64>,
    sums: AllocationSums,
    by_alignment: BTreeMap<u64, AlignmentClass>,
}

impl VideoMemory {
    pub fn segment(&mut self, stamp: u64, event: &SegmentBytes) {
        let (Some(segment), Some(bytes)) = (event.segment, event.resident_bytes) else { return };
        let adapter = event.adapter.unwrap_or_default();
        let curve = Curve::default();
        let first = SegmentMemory {
            adapter,
            segment,
            samples: 0,
            min_bytes: bytes,
            max_bytes: bytes,
            last_bytes: bytes,
            curve,
        };
        let known = self.segments.entry((adapter, segment)).or_insert(first);
        known.samples += 1;
        known.min_bytes = known.min_bytes.min(bytes);
        known.max_bytes = known.max_bytes.max(bytes);
        known.last_bytes = bytes;
        known.curve.push(stamp, bytes);
    }

    pub fn usage(&mut self, stamp: u64, event: &ProcessUsage) {
        let Some(known) = self.process(event.process, event.segment_group) else { return };
        known.max_usage_bytes = known.max_usage_bytes.max(event.bytes);
        event.bytes.into_iter().for_each(|bytes| known.curve.push(stamp, bytes));
    }

    pub fn commitment(&mut self, event: &ProcessCommitment) {
        let Some(known) = self.process(event.process, event.segment_group) else { return };
        known.max_commitment_bytes = known.max_commitment_bytes.max(event.bytes);
    }

    fn process(&mut self, process: Option<u64>, segment_group: Option<u64>) -> Option<&mut ProcessMemory> {
        let (process, segment_group) = (process?, segment_group?);
        let first = ProcessMemory { process, segment_group, ..ProcessMemory::default() };
        Some(self.processes.entry((process, segment_group)).or_insert(first))
    }

    pub fn allocation_start(&mut self, event: &AllocationStart) {
        self.sums.started += 1;
        self.allocations.extend(event.allocation);
        self.add(event.alignment_bytes, event.size_bytes);
    }

    pub fn allocation_stop(&mut self, event: &AllocationStop) {
        self.sums.destroyed += 1;
        if !event.allocation.is_some_and(|allocation| self.allocations.remove(&allocation)) {
            self.sums.from_before += 1;
            self.add(event.alignment_bytes, event.size_bytes);
        }
    }

    fn add(&mut self, alignment_bytes: Option<u64>, size_bytes: Option<u64>) {
        let Some(alignment_bytes) = alignment_bytes else { return };
        let class = self.by_alignment.entry(alignment_bytes).or_default();
        class.alignment_bytes = alignment_bytes;
        class.allocations += 1;
        class.size_bytes = class.size_bytes.saturating_add(size_bytes.unwrap_or_default());
    }

    pub fn finish(self) -> (Vec<SegmentMemory>, Vec<ProcessMemory>, AllocationSums) {
        let by_alignment = self.by_alignment.into_values().collect();
        let sums = AllocationSums { by_alignment, ..self.sums };
        (self.segments.into_values().collect(), self.processes.into_values().collect(), sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(allocation: u64, alignment_bytes: u64) -> AllocationStart {
        AllocationStart {
            allocation: Some(allocation),
            alignment_bytes: Some(alignment_bytes),
            size_bytes: Some(10),
            ..AllocationStart::default()
        }
    }

    fn stop(allocation: u64, alignment_bytes: u64) -> AllocationStop {
        AllocationStop {
            allocation: Some(allocation),
            alignment_bytes: Some(alignment_bytes),
            size_bytes: Some(10),
            ..AllocationStop::default()
        }
    }

    #[test]
    fn a_reused_handle_is_another_allocation_and_a_stop_alone_is_one_from_before() {
        let mut memory = VideoMemory::default();
        memory.allocation_start(&start(1, 4096));
        memory.allocation_stop(&stop(1, 4096));
        memory.allocation_start(&start(1, 65_536));
        memory.allocation_stop(&stop(2, 4096));
        let (_, _, sums) = memory.finish();
        assert_eq!((sums.started, sums.destroyed, sums.from_before), (2, 2, 1));
        let class = |alignment_bytes, allocations| AlignmentClass {
            alignment_bytes,
            allocations,
            size_bytes: 10 * allocations,
        };
        assert_eq!(sums.by_alignment, [class(4096, 2), class(65_536, 1)]);
    }

    #[test]
    fn a_process_without_commitments_has_none() {
        let mut memory = VideoMemory::default();
        let usage = |bytes| ProcessUsage { process: Some(5), segment_group: Some(0), bytes: Some(bytes) };
        [7, 9, 8].into_iter().for_each(|bytes| memory.usage(bytes, &usage(bytes)));
        let (segments, processes, _) = memory.finish();
        assert!(segments.is_empty());
        let mut curve = Curve::default();
        [7, 9, 8].into_iter().for_each(|bytes| curve.push(bytes, bytes));
        let expected = ProcessMemory { process: 5, max_usage_bytes: Some(9), curve, ..ProcessMemory::default() };
        assert_eq!(processes, [expected]);
    }

    #[test]
    fn a_segment_has_its_extremes() {
        let (mut memory, mut curve) = (VideoMemory::default(), Curve::default());
        for bytes in [5, 3, 9, 4] {
            curve.push(bytes, bytes);
            memory.segment(bytes, &SegmentBytes { adapter: Some(1), segment: Some(2), resident_bytes: Some(bytes) });
        }
        let (segments, _, _) = memory.finish();
        let expected =
            SegmentMemory { adapter: 1, segment: 2, samples: 4, min_bytes: 3, max_bytes: 9, last_bytes: 4, curve };
        assert_eq!(segments, [expected]);
    }
}
