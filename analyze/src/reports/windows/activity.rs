//! Figures of memory, engines and background work.

use super::figures::{
    AlignmentFigures, AllocationFigures, GpuFigures, PipelineFigures, ProcessMemoryFigures, SegmentFigures, WorkFigures,
};
use super::presents::{Names, process};
use crate::analysis::Analysis;
use crate::imported::{AllocationSums, GpuGroup, PipelineSums, ProcessMemory, Processes, SegmentMemory, ThreadWork};

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

pub(super) fn segment(memory: &SegmentMemory) -> SegmentFigures {
    let SegmentMemory { adapter, segment, samples, min_bytes, max_bytes, last_bytes } = *memory;
    SegmentFigures { adapter, segment, samples, min_bytes, max_bytes, last_bytes }
}

pub(super) fn process_memory(memory: &ProcessMemory, names: &Names) -> ProcessMemoryFigures {
    let id = u32::try_from(memory.process).ok();
    ProcessMemoryFigures {
        process: Some(memory.process),
        process_name: id.and_then(|id| names.get(&id).cloned()),
        segment_group: memory.segment_group,
        max_usage_bytes: memory.max_usage_bytes,
        max_commitment_bytes: memory.max_commitment_bytes,
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

pub(super) fn work(analysis: &Analysis, work: &ThreadWork, processes: &Processes, names: &Names) -> WorkFigures {
    let id = processes.of_stream(work.stream);
    WorkFigures {
        process: process(id),
        process_name: names.get(&id).cloned(),
        thread: work.stream,
        runs: work.runs,
        total_ns: analysis.time_ns(work.total_ticks),
        max_ns: analysis.time_ns(work.max_ticks),
        unpaired: work.unpaired,
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
