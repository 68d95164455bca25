//! Figures of the log, computed from a trace: the log is written as the API and DDI events that a runtime would record.

use super::log::{Line, lines, world};
use crate::trace_builder::TraceBuilder;
use taut_analyze::memory::round_up;
use taut_analyze::reports::alignment::{AlignmentFigures, Snapshot};
use taut_analyze::{Analysis, report};
use taut_schemas::{
    AllocationInfo, DdiAllocationInfo, DdiHeapDesc, HResult, HeapId, ResourceId, d3d12, d3d12_ddi, mark,
};
use taut_tables::table;
use taut_traces::Trace;

/// Ticks between two lines.
const LINE_TICKS: u64 = 100;

impl TraceBuilder {
    fn line(&mut self, line: &Line) {
        let handle = line.obj.unwrap_or_default();
        match line.call.as_str() {
            "CreateHeap1" => {
                let call = d3d12::CreateHeap1 { desc: line.heap_desc(), ..Default::default() };
                self.api(call, Ok(HeapId(handle)), |w| {
                    w.ddi(d3d12_ddi::CreateHeapAndResource::default(), answer(line));
                });
            }
            "ReleaseHeap" => self.api(d3d12::ReleaseHeap { heap: HeapId(handle) }, Ok(()), |w| {
                w.ddi(d3d12_ddi::DestroyHeapAndResource::default(), ());
            }),
            "ReleaseResource" => self.api(d3d12::ReleaseResource { resource: ResourceId(handle) }, Ok(()), |w| {
                w.ddi(d3d12_ddi::DestroyHeapAndResource::default(), ());
            }),
            "Map" => self.api(
                d3d12::Map { resource: ResourceId(handle), ..Default::default() },
                Ok(Default::default()),
                |_| {},
            ),
            "Unmap" => self.api(d3d12::Unmap { resource: ResourceId(handle), ..Default::default() }, Ok(()), |_| {}),
            "BeginTest" | "EndTest" | "EndCapture" => self.mark(mark::WorkloadPhase::default()),
            "CheckFeatureSupport" => self.api(d3d12::CheckFeatureSupport::default(), Ok(Default::default()), |_| {}),
            call if call.starts_with("GetResourceAllocationInfo") => {
                let descs = line.descs.iter().map(|desc| desc.resource_desc()).collect();
                let call = d3d12::GetResourceAllocationInfo { descs, ..Default::default() };
                let output = AllocationInfo { size_bytes: line.size, alignment_bytes: line.alignment };
                self.api(call, output, |w| w.check((line.size, line.alignment)));
            }
            call if call.starts_with("CreatePlaced") => self.placed(line, ResourceId(handle)),
            call if call.starts_with("CreateCommitted") => self.committed(line, ResourceId(handle)),
            call => panic!("line {}: unknown call {call}", line.seq),
        }
    }

    fn placed(&mut self, line: &Line, resource: ResourceId) {
        let desc = line.desc.unwrap();
        let (heap, heap_offset_bytes) = (HeapId(line.heap), line.offset);
        let inside = |w: &mut Self| {
            w.check(line.placed_answer());
            w.ddi(d3d12_ddi::CreateHeapAndResource { resource, ..Default::default() }, answer(line));
        };
        let (desc, mip_region) = (desc.resource_desc(), desc.mip_region());
        if line.call == "CreatePlacedResource" {
            let call = d3d12::CreatePlacedResource { heap, heap_offset_bytes, desc, ..Default::default() };
            self.api(call, Ok(resource), inside);
        } else {
            let call = d3d12::CreatePlacedResource2 { heap, heap_offset_bytes, desc, mip_region, ..Default::default() };
            self.api(call, Ok(resource), inside);
        }
    }

    fn committed(&mut self, line: &Line, resource: ResourceId) {
        let desc = line.desc.unwrap().resource_desc();
        let (size_bytes, alignment_bytes) = line.committed_answer();
        let size_bytes = round_up(size_bytes, alignment_bytes);
        let heap_desc = DdiHeapDesc { size_bytes, alignment_bytes, ..Default::default() };
        self.api(d3d12::CreateCommittedResource1 { desc, ..Default::default() }, Ok(resource), |w| {
            w.check(line.placed_answer());
            w.check(line.committed_answer());
            let call = d3d12_ddi::CreateHeapAndResource { heap_desc: Some(heap_desc), resource, ..Default::default() };
            w.ddi(call, answer(line));
        });
    }
}

fn answer(line: &Line) -> HResult<DdiAllocationInfo> {
    let (size_bytes, alignment_bytes) = line.info.map_or((line.size, line.alignment), |_| line.placed_answer());
    Ok(DdiAllocationInfo { size_bytes, alignment_bytes, ..Default::default() })
}

fn trace() -> Trace {
    let mut trace_builder = TraceBuilder::new();
    // The device is created before the log begins.
    trace_builder.api(d3d12::CreateDevice::default(), Ok(Default::default()), |_| {});
    trace_builder.mark(mark::LogPosition { seq: 0 });
    for line in lines() {
        trace_builder.thread = line.thread;
        trace_builder.stamp = (line.seq + 1) * LINE_TICKS;
        trace_builder.line(line);
    }
    trace_builder.finish()
}

#[test]
fn a_trace_of_the_log_gives_the_same_figures() {
    let trace = trace();
    let analysis = Analysis::new(trace).unwrap();
    assert!(analysis.head().unwrap().is_whole(), "{:?}", analysis.head().unwrap());
    let (expected, read) = (AlignmentFigures::of(&world()), AlignmentFigures::of(analysis.world().unwrap()));
    assert_eq!((read.totals, read.gaps), (expected.totals, expected.gaps));
    let snapshots = |figures: &AlignmentFigures| {
        [&figures.peak, &figures.peak_real, &figures.peak_placed, &figures.peak_count].map(Clone::clone)
    };
    for (read, expected) in snapshots(&read).into_iter().zip(snapshots(&expected)) {
        let seq = expected.at_seq.unwrap();
        assert_eq!(read.at_stamp, (seq + 1) * LINE_TICKS + 1);
        assert_eq!(Snapshot { at_stamp: seq, ..read }, expected);
    }
    assert_eq!(read.end.at_seq, expected.end.at_seq);
    assert_eq!(read.heaps_at_own_peak, expected.heaps_at_own_peak);
    let json = report("alignment").unwrap().run(&analysis).unwrap().json;
    assert_eq!(json["peak"]["allocated_bytes"], 3_423_043_584_u64);
    assert_eq!(json["totals"]["buffers"]["requested_bytes"], 3_415_836_720_u64);
}

#[test]
fn tables_have_a_row_for_everything_in_the_trace() {
    let trace = trace();
    let analysis = Analysis::new(trace).unwrap();
    let height = |name| table(name).unwrap().frame(&analysis, None).unwrap().height() as u64;
    assert_eq!(height("events"), analysis.trace().summary().events);
    let phases = lines().iter().filter(|line| ["BeginTest", "EndTest", "EndCapture"].contains(&line.call.as_str()));
    // Plus CreateDevice, which has no log line.
    assert_eq!(height("calls"), 373_382 - phases.count() as u64 + 1);
    let creations = lines().iter().filter(|line| line.creates_resource());
    let committed = creations.clone().filter(|line| line.call.starts_with("CreateCommitted")).count() as u64;
    let queries = lines().iter().filter(|line| line.call.starts_with("GetResourceAllocationInfo")).count() as u64;
    // One DDI call per query, heap creation and release; two per resource creation, three per committed one.
    let ddi_calls = queries + 378 + 118_226 + 2 * creations.count() as u64 + committed;
    assert_eq!(height("ddi_calls"), ddi_calls);
    assert_eq!((height("resources"), height("heaps"), height("placements")), (117_848, 378, 117_547));
    assert_eq!(height("messages"), 0);
}
