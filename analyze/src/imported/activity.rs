//! Memory, engines and background work that Windows reported.

use super::gpu::{Engines, GpuGroup};
use super::processes::Processes;
use super::video_memory::{AllocationSums, ProcessMemory, SegmentMemory, VideoMemory};
use super::work::{PipelineSums, ThreadWork, Work};
use crate::error::AnalyzeError;
use crate::events::{At, EventReader, Source, Tracker, any_codes, lines};
use taut_schemas::windows::{
    AllocationStart, AllocationStop, BackgroundWorkStart, BackgroundWorkStop, DmaPacketStart, DmaPacketStop,
    KernelContext, KernelDevice, PipelineLookups, PipelineStart, PipelineStop, ProcessCommitment, ProcessUsage,
    QueuePacketStart, SegmentBytes, WindowsEvent,
};
use taut_traces::Trace;

/// An event of [`Activity`].
#[derive(Debug, Clone, PartialEq, Eq)]
enum ActivityEvent {
    Segment(SegmentBytes),
    Usage(ProcessUsage),
    Commitment(ProcessCommitment),
    AllocationStart(AllocationStart),
    AllocationStop(AllocationStop),
    Device(KernelDevice),
    Context(KernelContext),
    /// A thread submits to a context.
    Submission(Option<u64>),
    DmaStart(DmaPacketStart),
    DmaStop(DmaPacketStop),
    WorkStart,
    WorkStop,
    PipelineStart,
    PipelineStop,
    Lookups(PipelineLookups),
}

/// Memory, engines and background work. A part is `None` if the trace lacks its events.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Activity {
    pub segments: Option<Vec<SegmentMemory>>,
    pub processes: Option<Vec<ProcessMemory>>,
    pub allocations: Option<AllocationSums>,
    pub engines: Option<Vec<GpuGroup>>,
    pub work: Option<Vec<ThreadWork>>,
    pub pipelines: Option<PipelineSums>,
}

impl Activity {
    /// Reads a trace. Memory does not grow with it.
    ///
    /// # Errors
    /// The trace could not be read.
    pub fn new(source: &Source) -> Result<Activity, AnalyzeError> {
        let trace = source.trace();
        let mut reader = EventReader::new(source);
        reader.windows(|event| Some(ActivityEvent::Segment(event)));
        reader.windows(|event| Some(ActivityEvent::Usage(event)));
        reader.windows(|event| Some(ActivityEvent::Commitment(event)));
        reader.windows(|event| Some(ActivityEvent::AllocationStart(event)));
        reader.windows(|event| Some(ActivityEvent::AllocationStop(event)));
        reader.windows(|event| Some(ActivityEvent::Device(event)));
        reader.windows(|event| Some(ActivityEvent::Context(event)));
        reader.windows(|QueuePacketStart { context, .. }| Some(ActivityEvent::Submission(context)));
        reader.windows(|event| Some(ActivityEvent::DmaStart(event)));
        reader.windows(|event| Some(ActivityEvent::DmaStop(event)));
        reader.windows(|_: BackgroundWorkStart| Some(ActivityEvent::WorkStart));
        reader.windows(|_: BackgroundWorkStop| Some(ActivityEvent::WorkStop));
        reader.windows(|_: PipelineStart| Some(ActivityEvent::PipelineStart));
        reader.windows(|_: PipelineStop| Some(ActivityEvent::PipelineStop));
        reader.windows(|event| Some(ActivityEvent::Lookups(event)));
        let processes = Processes::new(trace);
        let tracker = ActivityTracker { processes, ..ActivityTracker::default() };
        let found = reader.track(tracker)?;
        Ok(found.without_absent(trace))
    }

    /// Removes the parts whose events the trace lacks.
    fn without_absent(self, trace: &Trace) -> Activity {
        fn has<E: WindowsEvent>(trace: &Trace) -> bool {
            let codes: Vec<_> = lines::<E>(&trace.header().schema).map(|line| line.code).collect();
            any_codes(trace, &codes)
        }
        let has_process = has::<ProcessUsage>(trace) || has::<ProcessCommitment>(trace);
        let has_allocations = has::<AllocationStart>(trace) || has::<AllocationStop>(trace);
        Activity {
            segments: self.segments.filter(|_| has::<SegmentBytes>(trace)),
            processes: self.processes.filter(|_| has_process),
            allocations: self.allocations.filter(|_| has_allocations),
            engines: self.engines.filter(|_| has::<DmaPacketStart>(trace) && has::<DmaPacketStop>(trace)),
            work: self.work.filter(|_| has::<BackgroundWorkStart>(trace) || has::<BackgroundWorkStop>(trace)),
            pipelines: self.pipelines.filter(|_| has::<PipelineStart>(trace) || has::<PipelineStop>(trace)),
        }
    }
}

#[derive(Default)]
struct ActivityTracker {
    processes: Processes,
    memory: VideoMemory,
    engines: Engines,
    work: Work,
}

impl Tracker for ActivityTracker {
    type Event<'e> = ActivityEvent;
    type Output = Activity;

    fn on_event(&mut self, at: At, event: ActivityEvent) {
        match event {
            ActivityEvent::Segment(event) => self.memory.segment(&event),
            ActivityEvent::Usage(event) => self.memory.usage(&event),
            ActivityEvent::Commitment(event) => self.memory.commitment(&event),
            ActivityEvent::AllocationStart(event) => self.memory.allocation_start(&event),
            ActivityEvent::AllocationStop(event) => self.memory.allocation_stop(&event),
            ActivityEvent::Device(event) => self.engines.device(&event),
            ActivityEvent::Context(event) => self.engines.context(&event),
            ActivityEvent::Submission(context) => {
                let process = self.processes.of_stream(at.thread);
                context.into_iter().for_each(|context| self.engines.submission(context, process));
            }
            ActivityEvent::DmaStart(event) => self.engines.packet_start(at.stamp, &event),
            ActivityEvent::DmaStop(event) => self.engines.packet_stop(at.stamp, &event),
            ActivityEvent::WorkStart => self.work.start(at),
            ActivityEvent::WorkStop => self.work.stop(at),
            ActivityEvent::PipelineStart => self.work.pipeline_start(at),
            ActivityEvent::PipelineStop => self.work.pipeline_stop(at),
            ActivityEvent::Lookups(event) => self.work.lookups(&event),
        }
    }

    fn finish(self) -> Activity {
        let (segments, processes, allocations) = self.memory.finish();
        let (work, pipelines) = self.work.finish();
        Activity {
            segments: Some(segments),
            processes: Some(processes),
            allocations: Some(allocations),
            engines: Some(self.engines.finish()),
            work: Some(work),
            pipelines: Some(pipelines),
        }
    }
}
