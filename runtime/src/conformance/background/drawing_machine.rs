//! A machine that draws frames of the bundled shaders, and whose tasks run when the check wants.

use crate::conformance::bench::{Bench, DEVICE};
use crate::conformance::tally::NotApplicable;
use crate::conformance::watched::Watched;
use crate::event_log::EventLog;
use crate::execute::{ExecuteGiven, Machine, told_of};
use crate::settings::Settings;
use std::collections::BTreeSet;
use std::sync::Arc;
use taut_schemas::{
    AdapterId, BackgroundProcessingMode as Mode, Bytes, Call, CommandListId, CommandListType, CommandQueueDesc,
    CommandQueueId, Driver, EventHandle, HResult, HResultCode, MeasurementsAction as Action, PipelineStateId, Rule,
    TaskId, VariantId, d3d12, d3d12_callbacks, d3d12_ddi, machine, mark,
};
use taut_shaders::{BUNDLED, Material, Shader, Word};

/// A machine of its own, so that nothing of one check is seen in another.
pub(super) struct DrawingMachine<'d> {
    machine: Machine<'d>,
    /// What the last input made the runtime and the driver say.
    log: EventLog,
    queue: CommandQueueId,
    list: CommandListId,
    allocator: taut_schemas::CommandAllocatorId,
    pub pipelines: Vec<(PipelineStateId, Material, u32)>,
    /// Others, that frames do not draw with, and their lanes; their places follow those of `pipelines`.
    others: Vec<(PipelineStateId, u32)>,
    /// What tasks queued when all were last done.
    pub queued_by_tasks: Vec<d3d12_callbacks::QueueProcessingWork>,
}

impl<'d> DrawingMachine<'d> {
    /// A machine with the bench's driver, if that has background processing.
    pub fn new(bench: &Bench<'d>) -> Result<DrawingMachine<'d>, NotApplicable> {
        let settings = Settings { developer_mode: true, ..bench.settings().clone() };
        DrawingMachine::under(bench, settings)
    }

    /// The same under other settings.
    pub fn under(bench: &Bench<'d>, settings: Settings) -> Result<DrawingMachine<'d>, NotApplicable> {
        if bench.adapter().is_none_or(|adapter| !adapter.caps.background_processing) {
            return Err(NotApplicable("the driver has no background processing".to_owned()));
        }
        let refused = |code: HResultCode| NotApplicable(format!("a frame cannot be drawn: {code:?}"));
        DrawingMachine::set_up(bench.watched.driver, settings).map_err(refused)
    }

    fn set_up(driver: &'d dyn Driver, settings: Settings) -> HResult<DrawingMachine<'d>> {
        let (device, list_type) = (DEVICE, CommandListType::DIRECT);
        let mut drawing = DrawingMachine {
            machine: Machine::new(settings, Arc::new(Watched::new(driver))),
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

    /// Another pipeline state, for so many lanes; its place. None if the runtime or the driver refuses it.
    pub fn add(&mut self, shader: &Shader, lanes: u32) -> Option<usize> {
        let id = self.create(shader).ok()?;
        self.others.push((id, lanes));
        Some(self.pipelines.len() + self.others.len() - 1)
    }

    fn pipeline(&self, at: usize) -> Option<(PipelineStateId, u32)> {
        let own = self.pipelines.get(at).map(|(id, _, lanes)| (*id, *lanes));
        own.or_else(|| self.others.get(at.checked_sub(self.pipelines.len())?).copied())
    }

    /// Makes an input, and what follows it: the driver hears of recording, and its own thread goes on, if it has one. What was
    /// logged before is forgotten.
    pub fn call<C: ExecuteGiven>(&mut self, call: &C) -> C::Output {
        self.log.events.clear();
        self.call_too(call)
    }

    /// The same, and what was logged before is kept.
    fn call_too<C: ExecuteGiven>(&mut self, call: &C) -> C::Output {
        let output = self.machine.call(call, &mut self.log);
        let habits = self.machine.driver(AdapterId::FIRST).habits();
        if let Some(tell) = told_of(call).filter(|_| habits.hears_of_command_lists) {
            // Refused only if the list is gone.
            let _ = self.machine.call(&tell, &mut self.log);
        }
        if self.machine.state.adapter(AdapterId::FIRST).queue.is_driver_woken() {
            let _ = self.machine.call(&machine::RunDriverThread::default(), &mut self.log);
        }
        output
    }

    /// What the last input made the runtime say of the driver under a rule.
    pub fn violations(&self, rule: &Rule) -> Vec<mark::DriverViolation> {
        let violations = self.log.marks::<mark::DriverViolation>().into_iter();
        violations.filter(|violation| violation.rule == rule.id).collect()
    }

    /// The calls of one kind that the last input led to.
    pub fn calls<C: Call>(&self) -> Vec<C> {
        self.log.started()
    }

    /// What they were answered.
    pub fn answers<C: Call>(&self) -> Vec<C::Output> {
        self.log.stopped::<C>()
    }

    /// Sets a mode; whether further measurements are desired.
    pub fn set(&mut self, mode: Mode, measurements_action: Action) -> bool {
        let event = EventHandle::NULL;
        let set =
            d3d12::SetBackgroundProcessingMode { device: DEVICE, mode, measurements_action, event, want_further: true };
        self.call(&set).is_ok_and(|further| further.desired)
    }

    /// Submits a frame: each pipeline state drawn so many times, with its constants of frame number `frame`.
    pub fn submit(&mut self, frame: u32, draws: u32) {
        let all: Vec<_> =
            self.pipelines.iter().enumerate().map(|(at, (_, material, _))| (at, material.constants(frame))).collect();
        self.submit_with(&all, draws);
    }

    /// Submits draws; what recording's end led to is logged, too: each of these pipeline states, by place, with these constants, so many times.
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
        let _ = self.call_too(&d3d12::ExecuteCommandLists { command_queue, command_lists });
    }

    /// Lets the graphics processor do what was submitted.
    pub fn complete(&mut self) {
        let command_queue = self.queue;
        let _ = self.call(&machine::CompleteQueueOperation { command_queue, ..Default::default() });
    }

    /// Draws a frame to its end.
    pub fn draw(&mut self, frame: u32, draws: u32) {
        self.submit(frame, draws);
        self.complete();
    }

    /// Begins the next task, if there is one.
    pub fn start(&mut self) -> Option<TaskId> {
        if self.machine.state.adapter(AdapterId::FIRST).queue.can_start_work() {
            self.call(&machine::StartBackgroundWork { worker: 0, ..Default::default() }).ok()
        } else {
            None
        }
    }

    /// Does a task's work.
    pub fn finish(&mut self, task: TaskId) {
        let _ = self.call(&machine::FinishBackgroundWork { task, ..Default::default() });
    }

    /// Does all tasks; the variants they made.
    pub fn drain(&mut self) -> BTreeSet<VariantId> {
        let mut made = BTreeSet::new();
        self.queued_by_tasks.clear();
        while let Some(task) = self.start() {
            self.finish(task);
            self.queued_by_tasks.extend(self.calls::<d3d12_callbacks::QueueProcessingWork>());
            made.extend(self.answers::<d3d12_ddi::ProcessBackgroundWork>().into_iter().map(|verdict| verdict.variant));
        }
        made
    }
}
