//! Figures of memory, engines and background work.

use super::figures::{
    AlignmentFigures, AllocationFigures, GpuFigures, ObjectAllocationFigures, PageInFigures, PipelineFigures,
    PointFigures, ProcessMemoryFigures, QueueFigures, ResidencyFigures, SegmentFigures, SwapChainFigures, WorkFigures,
};
use super::presents::{Names, process};
use crate::analysis::Analysis;
use crate::imported::{
    AllocationSums, Curve, CurvePoint, GpuGroup, ImportedPresent, ObjectAllocationSums, PipelineSums, ProcessMemory,
    Processes, QueueGroup, Residency, SegmentMemory, SwapChain, ThreadWork, WorkRun,
};

pub(super) fn gpu(analysis: &Analysis, groups: &[GpuGroup], names: &Names, span_ns: Option<u64>) -> Vec<GpuFigures> {
    let group = |group: &GpuGroup| {
        let busy_ns = analysis.time_ns(group.busy_ticks);
        let ratio = |(busy, span): (u64, u64)| busy as f64 / span as f64;
        GpuFigures {
            process: group.process.and_then(process),
            process_name: group.process.and_then(|id| names.get(&id).cloned()),
            engine: group.node,
            packets: group.packets,
            busy_ns,
            busy_ratio: busy_ns.zip(span_ns.filter(|span| *span > 0)).map(ratio),
        }
    };
    groups.iter().map(group).collect()
}

pub(super) fn queues(analysis: &Analysis, groups: &[QueueGroup], names: &Names) -> Vec<QueueFigures> {
    let group = |group: &QueueGroup| QueueFigures {
        process: group.process.and_then(process),
        process_name: group.process.and_then(|id| names.get(&id).cloned()),
        engine: group.node,
        queued_packets: group.packets,
        queue_waits: group.waits,
        max_queue_depth: group.max_depth,
        mean_queued_ns: group.queued_ticks.checked_div(group.left).and_then(|ticks| analysis.time_ns(ticks)),
    };
    groups.iter().map(group).collect()
}

pub(super) fn residency(analysis: &Analysis, residency: &Residency) -> ResidencyFigures {
    let page_ins = |(segment, page_ins): (&u64, &u64)| PageInFigures {
        segment: Some(*segment).filter(|segment| *segment != u64::MAX),
        page_ins: *page_ins,
    };
    ResidencyFigures {
        residency_requests: residency.requests,
        requested_allocations: residency.allocations,
        refused: residency.refused,
        trim_bytes: residency.trim_bytes,
        total_ns: analysis.time_ns(residency.total_ticks),
        max_ns: analysis.time_ns(residency.max_ticks),
        page_ins: residency.page_ins.iter().map(page_ins).collect(),
        evictions: residency.evictions,
    }
}

pub(super) fn swap_chain(analysis: &Analysis, chain: &SwapChain, names: &Names) -> SwapChainFigures {
    SwapChainFigures {
        process: process(chain.process),
        process_name: names.get(&chain.process).cloned(),
        swap_chain: chain.pointer,
        window: chain.window,
        buffers: chain.buffers,
        width: chain.width,
        height: chain.height,
        format: chain.format,
        swap_effect: chain.swap_effect,
        resizes: chain.resizes,
        resize_ns: chain.resize_ticks.and_then(|ticks| analysis.time_ns(ticks)),
        is_from_before: chain.created_stamp.is_none(),
        hybrid_present_mode: chain.hybrid_present_mode,
        is_scanout_eligible: chain.is_scanout_eligible,
        cross_adapter_tier: chain.cross_adapter_tier,
        fallback_reason: chain.fallback_reason,
        copied_bytes_per_frame: None,
    }
}

fn curve(analysis: &Analysis, curve: &Curve) -> Vec<PointFigures> {
    let point =
        |point: &CurvePoint| PointFigures { at_ns: analysis.elapsed_ns(point.stamp), in_use_bytes: point.bytes };
    curve.points().iter().map(point).collect()
}

pub(super) fn segment(analysis: &Analysis, memory: &SegmentMemory) -> SegmentFigures {
    let SegmentMemory { adapter, segment, samples, min_bytes, max_bytes, last_bytes, .. } = *memory;
    let curve = curve(analysis, &memory.curve);
    SegmentFigures { adapter, segment, samples, min_bytes, max_bytes, last_bytes, curve }
}

pub(super) fn process_memory(analysis: &Analysis, memory: &ProcessMemory, names: &Names) -> ProcessMemoryFigures {
    let id = u32::try_from(memory.process).ok();
    ProcessMemoryFigures {
        process: Some(memory.process),
        process_name: id.and_then(|id| names.get(&id).cloned()),
        segment_group: memory.segment_group,
        max_usage_bytes: memory.max_usage_bytes,
        max_commitment_bytes: memory.max_commitment_bytes,
        curve: curve(analysis, &memory.curve),
    }
}

pub(super) fn allocations(sums: &AllocationSums) -> AllocationFigures {
    let class = |class: &crate::imported::AlignmentClass| AlignmentFigures {
        alignment_bytes: class.alignment_bytes,
        allocations: class.allocations,
        size_bytes: class.size_bytes,
    };
    AllocationFigures {
        started: sums.started,
        destroyed: sums.destroyed,
        from_before: sums.from_before,
        by_alignment: sums.by_alignment.iter().map(class).collect(),
    }
}

pub(super) fn object_allocations(sums: ObjectAllocationSums) -> ObjectAllocationFigures {
    let ObjectAllocationSums { objects, address_ranges, kernel_allocations, without_creation } = sums;
    ObjectAllocationFigures { objects, address_ranges, kernel_allocations, without_creation }
}

/// Data for the figures of background work.
pub(super) struct Workers<'a> {
    pub analysis: &'a Analysis,
    pub processes: &'a Processes,
    pub names: &'a Names,
    /// Runs of all threads, in order of their ends.
    pub runs: &'a [WorkRun],
    /// `None` without events of presents.
    pub presents: Option<&'a [ImportedPresent]>,
}

impl Workers<'_> {
    pub fn figures(&self, work: &ThreadWork) -> WorkFigures {
        let id = self.processes.of_stream(work.stream);
        WorkFigures {
            process: process(id),
            process_name: self.names.get(&id).cloned(),
            thread: work.stream,
            runs: work.runs,
            total_ns: self.analysis.time_ns(work.total_ticks),
            max_ns: self.analysis.time_ns(work.max_ticks),
            presents_during_runs: self.presents.map(|presents| self.presents_during(work.stream, id, presents)),
            unpaired: work.unpaired,
            work_infos: work.infos,
        }
    }

    /// Number of a process's presents that begin during a run of a thread. Runs of a thread do not overlap.
    fn presents_during(&self, stream: u32, process: u32, presents: &[ImportedPresent]) -> u64 {
        let runs: Vec<&WorkRun> = self.runs.iter().filter(|run| run.stream == stream).collect();
        let is_during = |present: &&ImportedPresent| {
            let after = runs.partition_point(|run| run.stop_stamp < present.start_stamp);
            present.process == process && runs.get(after).is_some_and(|run| run.start_stamp <= present.start_stamp)
        };
        presents.iter().filter(is_during).count() as u64
    }
}

pub(super) fn pipelines(analysis: &Analysis, sums: PipelineSums) -> PipelineFigures {
    PipelineFigures {
        created: sums.created,
        total_ns: analysis.time_ns(sums.total_ticks),
        max_ns: analysis.time_ns(sums.max_ticks),
        cache_lookups: sums.lookups.map(|(lookups, _)| lookups),
        cache_hits: sums.lookups.map(|(_, hits)| hits),
    }
}
