//! Machine that draws frames of the bundled shaders; checks control when its tasks run.

use crate::checks::bench::{Bench, DEVICE};
use crate::checks::ddi_recorder::DdiRecorder;
use crate::checks::tally::NotApplicable;
use std::collections::BTreeSet;
use std::sync::Arc;
use taut_runtime::EventLog;
use taut_runtime::Settings;
use taut_runtime::{ExecuteWith, Machine, command_list_notice};
use taut_schemas::{
    AdapterId, BackgroundProcessingMode as Mode, Bytes, Call, CommandListId, CommandListType, CommandQueueDesc,
    CommandQueueId, Driver, EventHandle, HResult, HResultCode, MeasurementsAction as Action, PipelineStateId, Rule,
    TaskId, VariantId, d3d12, d3d12_callbacks, d3d12_ddi, machine, mark,
};
use taut_shaders::{BUNDLED, Material, Shader, Word};

/// Machine per check, so that no check affects another.
pub(super) struct DrawingMachine<'d> {
    machine: Machine<'d>,
    /// Events inside the last input.
    log: EventLog,
    queue: CommandQueueId,
    list: CommandListId,
    allocator: taut_schemas::CommandAllocatorId,
    pub pipelines: Vec<(PipelineStateId, Material, u32)>,
    /// Pipeline states that frames do not draw with, and their lanes; their indices follow those of `pipelines`.
    others: Vec<(PipelineStateId, u32)>,
    /// Work queued by tasks when all tasks were last run.
    pub queued_by_tasks: Vec<d3d12_callbacks::QueueProcessingWork>,
}

impl<'d> DrawingMachine<'d> {
    /// Creates a machine with the bench's driver, if that supports background processing.
    pub fn new(bench: &Bench<'d>) -> Result<DrawingMachine<'d>, NotApplicable> {
        let settings = Settings { developer_mode: true, ..bench.settings().clone() };
        DrawingMachine::under(bench, settings)
    }

    /// Creates a machine with other settings.
    pub fn under(bench: &Bench<'d>, settings: Settings) -> Result<DrawingMachine<'d>, NotApplicable> {
        if bench.adapter().is_none_or(|adapter| !adapter.caps.background_processing) {
            return Err(NotApplicable("the driver has no background processing".to_owned()));
        }
        let refused = |code: HResultCode| NotApplicable(format!("a frame cannot be drawn: {code:?}"));
        DrawingMachine::set_up(bench.ddi_recorder.driver, settings).map_err(refused)
    }

    fn set_up(driver: &'d dyn Driver, settings: Settings) -> HResult<DrawingMachine<'d>> {
        let (device, list_type) = (DEVICE, CommandListType::DIRECT);
        let mut drawing = DrawingMachine {
            machine: Machine::new(settings, Arc::new(DdiRecorder::new(driver))),
            log: EventLog::default(),
            queue: CommandQueueId::NULL,
            list: CommandListId::NULL,
            allocator: Default::default(),
            pipelines: Vec::new(),
            others: Vec::new(),
            queued_by_tasks: Vec::new(),
        };
        drawing.call(&d3d12::CreateDevice::default())?;
        let desc = CommandQueueDesc { list_type, ..CommandQueueDesc::default() };
        drawing.queue = drawing.call(&d3d12::CreateCommandQueue { device, desc })?;
        drawing.allocator = drawing.call(&d3d12::CreateCommandAllocator { device, list_type })?;
        let command_allocator = drawing.allocator;
        let create = d3d12::CreateCommandList { device, list_type, command_allocator, ..Default::default() };
        drawing.list = drawing.call(&create)?;
        drawing.call(&d3d12::CloseCommandList { command_list: drawing.list })?;
        for bundled in BUNDLED {
            let material = bundled.material().map_err(|_| HResultCode::E_FAIL)?;
            let id = drawing.create(&material.shader)?;
            let lanes = material.lanes as u32;
            drawing.pipelines.push((id, material, lanes));
        }
        Ok(drawing)
    }

    fn create(&mut self, shader: &Shader) -> HResult<PipelineStateId> {
        let shader = serde_json::to_vec(shader.function()).map_err(|_| HResultCode::E_FAIL)?;
        self.call(&d3d12::CreateGraphicsPipelineState { device: DEVICE, shader: Bytes(shader) })
    }

    /// Adds a pipeline state for this number of lanes and returns its index. `None` if the runtime or the driver
    /// rejects it.
    pub fn add(&mut self, shader: &Shader, lanes: u32) -> Option<usize> {
        let id = self.create(shader).ok()?;
        self.others.push((id, lanes));
        Some(self.pipelines.len() + self.others.len() - 1)
    }

    fn pipeline(&self, at: usize) -> Option<(PipelineStateId, u32)> {
        let own = self.pipelines.get(at).map(|(id, _, lanes)| (*id, *lanes));
        own.or_else(|| self.others.get(at.checked_sub(self.pipelines.len())?).copied())
    }

    /// Executes an input and its follow-ups: the driver is notified of closed lists, and its thread runs, if it has
    /// one. Clears the log first.
    pub fn call<C: ExecuteWith>(&mut self, call: &C) -> C::Output {
        self.log.events.clear();
        self.call_without_clearing_log(call)
    }

    /// Executes an input and its follow-ups without clearing the log.
    fn call_without_clearing_log<C: ExecuteWith>(&mut self, call: &C) -> C::Output {
        let output = self.machine.call(call, &mut self.log);
        let traits = self.machine.driver(AdapterId::FIRST).traits();
        if let Some(notice) = command_list_notice(call).filter(|_| traits.receives_command_lists) {
            // Fails only if the list is destroyed.
            let _ = self.machine.call(&notice, &mut self.log);
        }
        if self.machine.state.adapter(AdapterId::FIRST).queue.is_driver_woken() {
            let _ = self.machine.call(&machine::RunDriverThread::default(), &mut self.log);
        }
        output
    }

    /// Returns the violations of a rule in the last input.
    pub fn violations(&self, rule: &Rule) -> Vec<mark::DriverViolation> {
        let violations = self.log.marks::<mark::DriverViolation>().into_iter();
        violations.filter(|violation| violation.rule == rule.id).collect()
    }

    /// Returns the calls of one kind in the last input.
    pub fn calls<C: Call>(&self) -> Vec<C> {
        self.log.started()
    }

    /// Returns the results of the calls of one kind in the last input.
    pub fn answers<C: Call>(&self) -> Vec<C::Output> {
        self.log.stopped::<C>()
    }

    /// Sets a mode. Returns whether further measurements are desired.
    pub fn set(&mut self, mode: Mode, measurements_action: Action) -> bool {
        let event = EventHandle::NULL;
        let set =
            d3d12::SetBackgroundProcessingMode { device: DEVICE, mode, measurements_action, event, want_further: true };
        self.call(&set).is_ok_and(|further| further.desired)
    }

    /// Submits a frame: each pipeline state is drawn `draws` times with its constants of frame `frame`.
    pub fn submit(&mut self, frame: u32, draws: u32) {
        let all: Vec<_> =
            self.pipelines.iter().enumerate().map(|(at, (_, material, _))| (at, material.constants(frame))).collect();
        self.submit_with(&all, draws);
    }

    /// Submits draws: each of these pipeline states, by index, `draws` times with these constants. The log includes the
    /// follow-ups of closing the list.
    pub fn submit_with(&mut self, drawn: &[(usize, Vec<Word>)], draws: u32) {
        let (command_list, command_allocator) = (self.list, self.allocator);
        let _ = self.call(&d3d12::ResetCommandList { command_list, command_allocator, ..Default::default() });
        for (at, constants) in drawn {
            let Some((pipeline_state, lanes)) = self.pipeline(*at) else { continue };
            let src_data = constants.iter().map(|word| word.0).collect();
            let _ = self.call(&d3d12::SetPipelineState { command_list, pipeline_state });
            let _ = self.call(&d3d12::SetGraphicsRoot32BitConstants { command_list, src_data, ..Default::default() });
            let (vertex_count_per_instance, instance_count) = (lanes, 1);
            let draw =
                d3d12::DrawInstanced { command_list, vertex_count_per_instance, instance_count, ..Default::default() };
            for _ in 0..draws {
                let _ = self.call(&draw);
            }
        }
        let _ = self.call(&d3d12::CloseCommandList { command_list });
        let (command_queue, command_lists) = (self.queue, vec![command_list]);
        let _ = self.call_without_clearing_log(&d3d12::ExecuteCommandLists { command_queue, command_lists });
    }

    /// Completes the submission on the GPU.
    pub fn complete(&mut self) {
        let command_queue = self.queue;
        let _ = self.call(&machine::CompleteQueueOperation { command_queue, ..Default::default() });
    }

    /// Submits and completes a frame.
    pub fn draw(&mut self, frame: u32, draws: u32) {
        self.submit(frame, draws);
        self.complete();
    }

    /// Starts the next task, if there is one.
    pub fn start(&mut self) -> Option<TaskId> {
        if self.machine.state.adapter(AdapterId::FIRST).queue.can_start_work() {
            self.call(&machine::StartBackgroundWork { worker: 0, ..Default::default() }).ok()
        } else {
            None
        }
    }

    /// Does the work of a task and finishes it.
    pub fn finish(&mut self, task: TaskId) {
        let _ = self.call(&machine::FinishBackgroundWork { task, ..Default::default() });
    }

    /// Runs all tasks. Returns the variants that they built.
    pub fn drain(&mut self) -> BTreeSet<VariantId> {
        let mut variants = BTreeSet::new();
        self.queued_by_tasks.clear();
        while let Some(task) = self.start() {
            self.finish(task);
            self.queued_by_tasks.extend(self.calls::<d3d12_callbacks::QueueProcessingWork>());
            variants
                .extend(self.answers::<d3d12_ddi::ProcessBackgroundWork>().into_iter().map(|verdict| verdict.variant));
        }
        variants
    }
}
