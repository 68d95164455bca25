//! Writes background processing events as a runtime records them.

use crate::trace_builder::TraceBuilder;
use taut_schemas::{
    Bytes, CancelReason, CommandQueueId, CommitId, CompileOutcome, DeviceId, DrawCommand, DrawRun, Encoder,
    EventHandle, Field, FurtherMeasurements, HResult, Opcode, PipelineStateId, QueueOperation, QueueProgress,
    Selection, TaskId, VariantChange, VariantId, WorkPriority, WorkVerdict, d3d12, d3d12_callbacks, d3d12_ddi, dxgi,
    machine, mark,
};
use taut_schemas::{Call, HResultCode};

const FIRST_WORKER: u32 = 0x1_0000;
const GPU: u32 = 0x2_0000;
/// Pipeline state of all draws.
pub const PIPELINE: PipelineStateId = PipelineStateId(10);
pub const QUEUE: CommandQueueId = CommandQueueId(20);
pub const EVENT: EventHandle = EventHandle(1);

pub use taut_schemas::{BackgroundProcessingMode as Mode, MeasurementsAction as Action};

/// A draw with `generic` instructions in the generic shader and `executed` in the variant (0: none).
pub fn draw(variant: u64, executed: u64, generic: u64) -> DrawRun {
    DrawRun {
        pipeline_state: PIPELINE,
        variant: VariantId(variant),
        executed,
        generic_executed: generic,
        output_hash: 7,
        generic_output_hash: 7,
        ..DrawRun::default()
    }
}

impl TraceBuilder {
    fn on(&mut self, thread: u32, write: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.thread, thread);
        write(self);
        self.thread = before;
    }

    /// Writes a DDI call with nested events.
    pub fn ddi_with<C: Call>(&mut self, call: C, output: C::Output, inside: impl FnOnce(&mut Self)) {
        self.event(C::ID, Opcode::Start, |row: &mut Encoder<'_>| call.encode(row));
        inside(self);
        self.event(C::ID, Opcode::Stop, |row| output.encode(row));
    }

    /// Creates a device and a pipeline state.
    pub fn begin_background(&mut self) {
        self.api(d3d12::CreateDevice::default(), Ok(DeviceId(1)), |_| {});
        let shader = Bytes(br#"{"name":"lighting","constants":[],"inputs":[],"body":[],"outputs":[]}"#.to_vec());
        self.api(d3d12::CreateGraphicsPipelineState { shader, ..Default::default() }, Ok(PIPELINE), |_| {});
    }

    /// SetBackgroundProcessingMode with the driver's answer `desired`; `want_further` is true if the application
    /// queries it.
    pub fn set_mode(
        &mut self,
        (mode, measurements_action, event): (Mode, Action, EventHandle),
        (want_further, desired): (bool, bool),
        inside: impl FnOnce(&mut Self),
    ) {
        let call =
            d3d12::SetBackgroundProcessingMode { mode, measurements_action, event, want_further, ..Default::default() };
        self.api(call, Ok(FurtherMeasurements { desired: desired && want_further }), |w| {
            let ddi_call = d3d12_ddi::SetBackgroundProcessingMode0063 { mode, measurements_action };
            w.ddi_with(ddi_call, Some(FurtherMeasurements { desired }), inside);
        });
    }

    /// SetBackgroundProcessingMode with a commit of the given tasks after the driver was notified.
    pub fn commit(
        &mut self,
        (mode, commit, event): (Mode, u64, EventHandle),
        desired: bool,
        queued: &[(u64, u64)],
        tasks: &[u64],
    ) {
        let (measurements_action, want_further) = (Action::COMMIT_RESULTS_HIGH_PRIORITY, true);
        let call =
            d3d12::SetBackgroundProcessingMode { mode, measurements_action, event, want_further, ..Default::default() };
        self.api(call, Ok(FurtherMeasurements { desired }), |w| {
            let ddi_call = d3d12_ddi::SetBackgroundProcessingMode0063 { mode, measurements_action };
            w.ddi_with(ddi_call, Some(FurtherMeasurements { desired }), |w| {
                queued.iter().for_each(|(task, decided_by)| w.queue(*task, *decided_by));
            });
            w.mark(mark::BackgroundCommit {
                commit: CommitId(commit),
                event,
                high_priority: true,
                tasks: tasks.iter().copied().map(TaskId).collect(),
            });
            if tasks.is_empty() {
                w.commit_done(commit);
            }
        });
    }

    pub fn commit_done(&mut self, commit: u64) {
        self.mark(mark::BackgroundCommitDone { commit: CommitId(commit), event: EVENT });
    }

    fn queue_with(&mut self, has_cancel: bool, decided_by_submission: u64, result: HResult<TaskId>, cancels: bool) {
        let call = d3d12_callbacks::QueueProcessingWork {
            has_callback: true,
            has_cancel,
            pipeline_state: PIPELINE,
            decided_by_submission,
            slots: vec![0, 3],
            words: vec![1, 2],
            ..Default::default()
        };
        let task = result.unwrap_or_default().0;
        self.ddi_with(call, result, |w| {
            if cancels {
                w.cancel(task, CancelReason::DISABLED, has_cancel);
            }
        });
    }

    /// QueueProcessingWork, accepted.
    pub fn queue(&mut self, task: u64, decided_by_submission: u64) {
        self.queue_with(true, decided_by_submission, Ok(TaskId(task)), false);
    }

    /// QueueProcessingWork while background work is disabled.
    pub fn queue_disabled(&mut self, task: u64) {
        self.queue_with(true, 0, Ok(TaskId(task)), true);
    }

    /// QueueProcessingWork that fails.
    pub fn queue_refused(&mut self) {
        self.queue_with(true, 0, Err(HResultCode::E_INVALIDARG), false);
    }

    /// Cancels a task; `callback` is true if the driver's callback is called.
    pub fn cancel(&mut self, task: u64, reason: CancelReason, callback: bool) {
        let (task, sequence, pipeline_state) = (TaskId(task), task, PIPELINE);
        self.mark(mark::BackgroundWorkCancel { task, sequence, reason, pipeline_state, commits: Vec::new() });
        if callback {
            self.ddi(d3d12_ddi::CancelBackgroundWork { task, context: 0 }, ());
        }
    }

    /// Starts a task on a worker.
    pub fn start(&mut self, worker: u32, task: u64, priority: WorkPriority) {
        self.on(FIRST_WORKER + worker, |w| {
            let id = TaskId(task);
            w.api(machine::StartBackgroundWork { worker, ..Default::default() }, Ok(id), |w| {
                let (sequence, pipeline_state, commits) = (task, PIPELINE, Vec::new());
                w.mark(mark::BackgroundWorkStart { task: id, sequence, priority, worker, pipeline_state, commits });
            });
        });
    }

    /// Ends a task on a worker; its result becomes the given variant (0: discarded).
    pub fn finish_task(&mut self, worker: u32, task: u64, variant: u64) {
        self.finish_task_with(worker, task, variant, |_| {});
    }

    pub fn finish_task_with(&mut self, worker: u32, id: u64, variant: u64, after: impl FnOnce(&mut Self)) {
        self.on(FIRST_WORKER + worker, |w| {
            let task = TaskId(id);
            w.api(machine::FinishBackgroundWork { task, ..Default::default() }, Ok(()), |w| {
                w.process(id, variant);
                w.stop(worker, id);
                after(w);
            });
        });
    }

    /// The work of a task fails on a worker.
    pub fn fail_task(&mut self, worker: u32, id: u64) {
        self.on(FIRST_WORKER + worker, |w| {
            let call = machine::FailBackgroundWork { task: TaskId(id), reason: "index out of bounds".to_owned() };
            w.api(call, Ok(()), |_| {});
        });
    }

    pub fn process(&mut self, task: u64, variant: u64) {
        let outcome = CompileOutcome { length_before: 40, length_after: 25, folded_slots: 2, text_hash: 3 };
        let call = d3d12_ddi::ProcessBackgroundWork { task: TaskId(task), context: 0, outcome };
        self.ddi_with(call, WorkVerdict { variant: VariantId(variant) }, |w| {
            if variant != 0 {
                w.report(variant, VariantChange::INSTALLED);
            }
        });
    }

    /// The driver reports a variant whose guard compares the slots that `queue` requests.
    pub fn report(&mut self, variant: u64, change: VariantChange) {
        let (slots, words) = (vec![0, 3], vec![1, 2]);
        let (variant, pipeline_state) = (VariantId(variant), PIPELINE);
        self.ddi(d3d12_callbacks::ReportVariant { variant, pipeline_state, change, slots, words }, ());
    }

    /// Submits one draw with the given constants, executed by the generic shader.
    pub fn submit_bound(&mut self, submission: u64, constants: &[u32]) {
        let call = d3d12::ExecuteCommandLists { command_queue: QUEUE, ..Default::default() };
        let num_constants = constants.len() as u32;
        let draws = vec![DrawCommand { pipeline_state: PIPELINE, lane_count: 1, num_constants, first_constant: 0 }];
        let constants = constants.to_vec();
        self.api(call, Ok(()), |w| {
            let ddi_call = d3d12_ddi::ExecuteCommandLists { command_queue: QUEUE, submission, draws, constants };
            w.ddi(ddi_call, vec![Selection::default()]);
        });
    }

    pub fn stop(&mut self, worker: u32, task: u64) {
        let (id, sequence, pipeline_state, commits) = (TaskId(task), task, PIPELINE, Vec::new());
        let priority = WorkPriority::IDLE;
        self.mark(mark::BackgroundWorkStop { task: id, sequence, priority, worker, pipeline_state, commits });
    }

    /// Submits draws with the given variants; the flag marks a guard miss.
    pub fn submit(&mut self, submission: u64, draws: &[(u64, bool)]) {
        self.submit_on(QUEUE, submission, draws);
    }

    /// Submits draws on the given command queue.
    pub fn submit_on(&mut self, command_queue: CommandQueueId, submission: u64, draws: &[(u64, bool)]) {
        let call = d3d12::ExecuteCommandLists { command_queue, ..Default::default() };
        self.api(call, Ok(()), |w| {
            let selection = |(variant, guard_missed): &(u64, bool)| Selection {
                variant: VariantId(*variant),
                guard_missed: *guard_missed,
                guard_cost: 1,
            };
            let call = d3d12_ddi::ExecuteCommandLists { command_queue, submission, ..Default::default() };
            w.ddi(call, draws.iter().map(selection).collect());
        });
    }

    pub fn present(&mut self) {
        self.api(dxgi::Present { command_queue: QUEUE, sync_interval: 0 }, Ok(()), |_| {});
    }

    /// The GPU has completed a submission; `inside` adds the driver's events while it reads the measurements.
    pub fn complete(&mut self, submission: u64, runs: Vec<DrawRun>, inside: impl FnOnce(&mut Self)) {
        self.complete_on((QUEUE, submission), runs, inside);
    }

    /// Completes a submission on the given command queue.
    pub fn complete_on(
        &mut self,
        (command_queue, submission): (CommandQueueId, u64),
        runs: Vec<DrawRun>,
        inside: impl FnOnce(&mut Self),
    ) {
        self.on(GPU, |w| {
            let progress = QueueProgress { operation: QueueOperation::EXECUTE, submission };
            w.api(machine::CompleteQueueOperation { command_queue, ..Default::default() }, Ok(progress), |w| {
                w.ddi_with(d3d12_ddi::CollectMeasurements { command_queue, submission, runs }, (), inside);
            });
        });
    }

    /// A frame with one submission that completes immediately.
    pub fn frame(&mut self, submission: u64, runs: &[DrawRun]) {
        let selections: Vec<_> = runs.iter().map(|run| (run.variant.0, false)).collect();
        self.submit(submission, &selections);
        self.present();
        self.complete(submission, runs.to_vec(), |_| {});
    }

    /// Destroys the device.
    pub fn destroy_device(&mut self) {
        self.api(d3d12::ReleaseDevice::default(), Ok(0), |_| {});
        self.api(d3d12::FinishReleaseDevice::default(), Ok(()), |w| w.ddi(d3d12_ddi::DestroyDevice {}, ()));
    }

    /// A tool that repeats one frame until the driver has converged, and then measures.
    pub fn play_until_converged(&mut self) {
        self.begin_background();
        self.set_mode(
            (Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS, EventHandle::NULL),
            (false, true),
            |_| {},
        );
        self.frame(1, &[draw(0, 100, 100), draw(0, 100, 100)]);
        self.commit((Mode::DISABLE_PROFILING_BY_SYSTEM, 1, EVENT), true, &[(1, 1), (2, 1)], &[1, 2]);
        self.start(0, 1, WorkPriority::ABOVE_IDLE);
        self.start(1, 2, WorkPriority::ABOVE_IDLE);
        self.finish_task(0, 1, 1);
        self.finish_task_with(1, 2, 0, |w| w.commit_done(1));
        self.set_mode((Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL, EventHandle::NULL), (false, true), |_| {});
        self.frame(2, &[draw(1, 60, 100), draw(1, 60, 100)]);
        self.commit((Mode::DISABLE_PROFILING_BY_SYSTEM, 2, EVENT), false, &[], &[]);
        self.submit(3, &[(1, false), (0, true)]);
        self.present();
        self.complete(3, vec![draw(1, 60, 100), draw(0, 101, 100)], |_| {});
        self.destroy_device();
    }
}
