//! Memory, engines and background work that Windows reported.

use super::gpu::{Engines, GpuGroup};
use super::object_allocations::{ObjectAllocationSums, ObjectAllocationTracker};
use super::processes::Processes;
use super::queues::{QueueGroup, Queues};
use super::residency::{Residency, ResidencyTracker};
use super::swap_chains::{SwapChain, SwapChains};
use super::video_memory::{AllocationSums, ProcessMemory, SegmentMemory, VideoMemory};
use super::work::{Creation, PipelineSums, ThreadWork, Work, WorkRun};
use crate::error::AnalyzeError;
use crate::events::{At, EventReader, Source, Tracker, any_codes, lines};
use taut_schemas::windows::{
    AllocationStart, AllocationStop, BackgroundWorkInfo, BackgroundWorkStart, BackgroundWorkStop, DmaPacketStart,
    DmaPacketStop, Eviction, HeapRundown, HeapStart, HeapStop, KernelContext, KernelDevice, MakeResidentStart,
    MakeResidentStop, ObjectAllocations, PageIn, PipelineLookups, PipelineStart, PipelineStop, ProcessCommitment,
    ProcessUsage, QueuePacketStart, QueuePacketStop, QueueWaitStart, ResourceRundown, ResourceStart, ResourceStop,
    SegmentBytes, StateObjectStart, StateObjectStop, SwapChainResize, SwapChainResizeStart, SwapChainStart,
    SwapChainStop, WindowsEvent,
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
    Queued(QueuePacketStart),
    QueuedWait(QueueWaitStart),
    Dequeued(QueuePacketStop),
    ResidencyStart(MakeResidentStart),
    ResidencyStop(MakeResidentStop),
    PageIn(PageIn),
    Eviction,
    SwapChainStart(SwapChainStart),
    SwapChainResizeStart(SwapChainResizeStart),
    SwapChainResize(SwapChainResize),
    SwapChainStop(SwapChainStop),
    DmaStart(DmaPacketStart),
    DmaStop(DmaPacketStop),
    WorkStart,
    WorkStop,
    WorkInfo,
    /// A heap or a resource exists, by its pointer.
    ObjectStart(Option<u64>),
    ObjectStop(Option<u64>),
    ObjectAllocations(ObjectAllocations),
    PipelineStart(Creation),
    PipelineStop(Creation),
    Lookups(PipelineLookups),
}

impl ActivityEvent {
    fn read_objects(reader: &mut EventReader<'_, ActivityEvent>) {
        reader.windows(|HeapStart { heap, .. }| Some(Self::ObjectStart(heap)));
        reader.windows(|HeapRundown { heap, .. }| Some(Self::ObjectStart(heap)));
        reader.windows(|HeapStop { heap }| Some(Self::ObjectStop(heap)));
        reader.windows(|ResourceStart { resource, .. }| Some(Self::ObjectStart(resource)));
        reader.windows(|ResourceRundown { resource, .. }| Some(Self::ObjectStart(resource)));
        reader.windows(|ResourceStop { resource }| Some(Self::ObjectStop(resource)));
        reader.windows(|event| Some(Self::ObjectAllocations(event)));
    }
}

/// Memory, engines and background work. A part is `None` if the trace lacks its events.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Activity {
    pub segments: Option<Vec<SegmentMemory>>,
    pub processes: Option<Vec<ProcessMemory>>,
    pub allocations: Option<AllocationSums>,
    pub engines: Option<Vec<GpuGroup>>,
    pub queues: Option<Vec<QueueGroup>>,
    pub residency: Option<Residency>,
    pub swap_chains: Option<Vec<SwapChain>>,
    /// Runs of background work, in order of their ends; empty where `work` is `None`.
    pub runs: Vec<WorkRun>,
    pub work: Option<Vec<ThreadWork>>,
    pub object_allocations: Option<ObjectAllocationSums>,
    pub pipelines: Option<PipelineSums>,
}

impl Activity {
    /// Reads a trace. Memory grows with its swap chains, objects of Direct3D 12 and runs of background work only.
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
        reader.windows(|event| Some(ActivityEvent::Queued(event)));
        reader.windows(|event| Some(ActivityEvent::QueuedWait(event)));
        reader.windows(|event| Some(ActivityEvent::Dequeued(event)));
        reader.windows(|event| Some(ActivityEvent::ResidencyStart(event)));
        reader.windows(|event| Some(ActivityEvent::ResidencyStop(event)));
        reader.windows(|event| Some(ActivityEvent::PageIn(event)));
        reader.windows(|_: Eviction| Some(ActivityEvent::Eviction));
        reader.windows(|event| Some(ActivityEvent::SwapChainStart(event)));
        reader.windows(|event| Some(ActivityEvent::SwapChainResizeStart(event)));
        reader.windows(|event| Some(ActivityEvent::SwapChainResize(event)));
        reader.windows(|event| Some(ActivityEvent::SwapChainStop(event)));
        reader.windows(|event| Some(ActivityEvent::DmaStart(event)));
        reader.windows(|event| Some(ActivityEvent::DmaStop(event)));
        reader.windows(|_: BackgroundWorkStart| Some(ActivityEvent::WorkStart));
        reader.windows(|_: BackgroundWorkStop| Some(ActivityEvent::WorkStop));
        reader.windows(|_: PipelineStart| Some(ActivityEvent::PipelineStart(Creation::PipelineState)));
        reader.windows(|_: PipelineStop| Some(ActivityEvent::PipelineStop(Creation::PipelineState)));
        reader.windows(|_: StateObjectStart| Some(ActivityEvent::PipelineStart(Creation::StateObject)));
        reader.windows(|_: StateObjectStop| Some(ActivityEvent::PipelineStop(Creation::StateObject)));
        reader.windows(|event| Some(ActivityEvent::Lookups(event)));
        reader.windows(|_: BackgroundWorkInfo| Some(ActivityEvent::WorkInfo));
        ActivityEvent::read_objects(&mut reader);
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
        let has_pipelines = has::<PipelineStart>(trace) || has::<StateObjectStart>(trace);
        let has_work =
            has::<BackgroundWorkStart>(trace) || has::<BackgroundWorkStop>(trace) || has::<BackgroundWorkInfo>(trace);
        let has_residency = has::<MakeResidentStart>(trace) || has::<PageIn>(trace) || has::<Eviction>(trace);
        Activity {
            queues: self.queues.filter(|_| has::<QueuePacketStart>(trace) && has::<QueuePacketStop>(trace)),
            residency: self.residency.filter(|_| has_residency),
            swap_chains: self
                .swap_chains
                .filter(|_| has::<SwapChainStart>(trace) || has::<SwapChainResizeStart>(trace)),
            runs: self.runs,
            segments: self.segments.filter(|_| has::<SegmentBytes>(trace)),
            processes: self.processes.filter(|_| has_process),
            allocations: self.allocations.filter(|_| has_allocations),
            engines: self.engines.filter(|_| has::<DmaPacketStart>(trace) && has::<DmaPacketStop>(trace)),
            work: self.work.filter(|_| has_work),
            object_allocations: self.object_allocations.filter(|_| has::<ObjectAllocations>(trace)),
            pipelines: self.pipelines.filter(|_| has_pipelines),
        }
    }
}

#[derive(Default)]
struct ActivityTracker {
    processes: Processes,
    memory: VideoMemory,
    engines: Engines,
    queues: Queues,
    residency: ResidencyTracker,
    swap_chains: SwapChains,
    work: Work,
    objects: ObjectAllocationTracker,
}

impl Tracker for ActivityTracker {
    type Event<'e> = ActivityEvent;
    type Output = Activity;

    fn on_event(&mut self, at: At, event: ActivityEvent) {
        match event {
            ActivityEvent::Segment(event) => self.memory.segment(at.stamp, &event),
            ActivityEvent::Usage(event) => self.memory.usage(at.stamp, &event),
            ActivityEvent::Commitment(event) => self.memory.commitment(&event),
            ActivityEvent::AllocationStart(event) => self.memory.allocation_start(&event),
            ActivityEvent::AllocationStop(event) => self.memory.allocation_stop(&event),
            ActivityEvent::Device(event) => self.engines.device(&event),
            ActivityEvent::Context(event) => self.engines.context(&event),
            ActivityEvent::Queued(event) => {
                let process = self.processes.of_stream(at.thread);
                event.context.into_iter().for_each(|context| self.engines.submission(context, process));
                self.queues.packet(at.stamp, &event, &self.engines);
            }
            ActivityEvent::QueuedWait(event) => self.queues.wait(at.stamp, &event, &self.engines),
            ActivityEvent::Dequeued(event) => self.queues.leave(at.stamp, &event),
            ActivityEvent::ResidencyStart(event) => self.residency.start(at, &event),
            ActivityEvent::ResidencyStop(event) => self.residency.stop(at, &event),
            ActivityEvent::PageIn(event) => self.residency.page_in(&event),
            ActivityEvent::Eviction => self.residency.eviction(),
            ActivityEvent::SwapChainStart(event) => {
                self.swap_chains.start(at.stamp, self.processes.of_stream(at.thread), &event);
            }
            ActivityEvent::SwapChainResizeStart(event) => {
                self.swap_chains.resize_start(at.stamp, self.processes.of_stream(at.thread), &event);
            }
            ActivityEvent::SwapChainResize(event) => {
                self.swap_chains.resize(at.stamp, self.processes.of_stream(at.thread), &event);
            }
            ActivityEvent::SwapChainStop(event) => {
                self.swap_chains.stop(at.stamp, self.processes.of_stream(at.thread), &event);
            }
            ActivityEvent::DmaStart(event) => self.engines.packet_start(at.stamp, &event),
            ActivityEvent::DmaStop(event) => self.engines.packet_stop(at.stamp, &event),
            ActivityEvent::WorkStart => self.work.start(at),
            ActivityEvent::WorkStop => self.work.stop(at),
            ActivityEvent::WorkInfo => self.work.info(at),
            ActivityEvent::ObjectStart(pointer) => self.objects.create(self.processes.of_stream(at.thread), pointer),
            ActivityEvent::ObjectStop(pointer) => self.objects.destroy(self.processes.of_stream(at.thread), pointer),
            ActivityEvent::ObjectAllocations(event) => {
                self.objects.allocations(self.processes.of_stream(at.thread), &event);
            }
            ActivityEvent::PipelineStart(kind) => self.work.pipeline_start(at, kind),
            ActivityEvent::PipelineStop(kind) => self.work.pipeline_stop(at, kind),
            ActivityEvent::Lookups(event) => self.work.lookups(&event),
        }
    }

    fn finish(self) -> Activity {
        let (segments, processes, allocations) = self.memory.finish();
        let (work, runs, pipelines) = self.work.finish();
        Activity {
            segments: Some(segments),
            processes: Some(processes),
            allocations: Some(allocations),
            engines: Some(self.engines.finish()),
            queues: Some(self.queues.finish()),
            residency: Some(self.residency.finish()),
            swap_chains: Some(self.swap_chains.finish()),
            runs,
            work: Some(work),
            object_allocations: Some(self.objects.finish()),
            pipelines: Some(pipelines),
        }
    }
}
