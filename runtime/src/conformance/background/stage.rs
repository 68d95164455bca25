//! A machine that draws frames of the bundled shaders, and whose tasks run when the check wants.

use crate::conformance::bench::{Bench, DEVICE};
use crate::conformance::tally::NotApplicable;
use crate::context::{Context, Tap};
use crate::execute::{Execute, RuntimeState};
use crate::settings::Settings;
use std::collections::BTreeSet;
use taut_schemas::{
    AdapterId, BackgroundProcessingMode as Mode, Bytes, Call, CommandListId, CommandListType, CommandQueueDesc,
    CommandQueueId, Decoder, Driver, Encoder, EventCode, EventHandle, Field, HResult, HResultCode,
    MeasurementsAction as Action, Opcode, PipelineStateId, TaskId, VariantId, d3d12, d3d12_ddi, machine,
};
use taut_shaders::{BUNDLED, Material};

/// What the last input made the runtime and the driver say.
#[derive(Default)]
struct Heard(Vec<(EventCode, Vec<u8>)>);

impl Tap for Heard {
    fn event(&mut self, code: EventCode, payload: &dyn Fn(&mut Encoder<'_>)) {
        let mut row = Vec::new();
        payload(&mut Encoder::new(&mut row));
        self.0.push((code, row));
    }
}

/// A machine of its own, so that nothing of one check is seen in another.
pub(super) struct Stage<'d> {
    driver: &'d dyn Driver,
    settings: Settings,
    state: RuntimeState,
    heard: Heard,
    queue: CommandQueueId,
    list: CommandListId,
    allocator: taut_schemas::CommandAllocatorId,
    pub pipelines: Vec<(PipelineStateId, Material, u32)>,
}

impl<'d> Stage<'d> {
    /// A machine with the bench's driver, if that has background processing.
    pub fn new(bench: &Bench<'d>) -> Result<Stage<'d>, NotApplicable> {
        let settings = Settings { developer_mode: true, ..bench.settings.clone() };
        Stage::under(bench, settings)
    }

    /// The same under other settings.
    pub fn under(bench: &Bench<'d>, settings: Settings) -> Result<Stage<'d>, NotApplicable> {
        if bench.adapter().is_none_or(|adapter| !adapter.caps.background_processing) {
            return Err(NotApplicable("the driver has no background processing".to_owned()));
        }
        let refused = |code: HResultCode| NotApplicable(format!("a frame cannot be drawn: {code:?}"));
        Stage::set_up(bench.watched.driver, settings).map_err(refused)
    }

    fn set_up(driver: &'d dyn Driver, settings: Settings) -> HResult<Stage<'d>> {
        let (device, list_type) = (DEVICE, CommandListType::DIRECT);
        let mut stage = Stage {
            driver,
            settings,
            state: RuntimeState::default(),
            heard: Heard::default(),
            queue: CommandQueueId::NULL,
            list: CommandListId::NULL,
            allocator: Default::default(),
            pipelines: Vec::new(),
        };
        stage.call(&d3d12::CreateDevice::default())?;
        let desc = CommandQueueDesc { list_type, ..CommandQueueDesc::default() };
        stage.queue = stage.call(&d3d12::CreateCommandQueue { device, desc })?;
        stage.allocator = stage.call(&d3d12::CreateCommandAllocator { device, list_type })?;
        let command_allocator = stage.allocator;
        let create = d3d12::CreateCommandList { device, list_type, command_allocator, ..Default::default() };
        stage.list = stage.call(&create)?;
        stage.call(&d3d12::CloseCommandList { command_list: stage.list })?;
        for bundled in BUNDLED {
            let material = bundled.material().map_err(|_| HResultCode::E_FAIL)?;
            let shader = serde_json::to_vec(material.shader.function()).map_err(|_| HResultCode::E_FAIL)?;
            let id = stage.call(&d3d12::CreateGraphicsPipelineState { device, shader: Bytes(shader) })?;
            let lanes = material.lanes as u32;
            stage.pipelines.push((id, material, lanes));
        }
        Ok(stage)
    }

    /// Makes an input; what was heard before is forgotten.
    pub fn call<C: Execute>(&mut self, call: &C) -> C::Output {
        self.heard.0.clear();
        let mut context = Context::new(&self.settings, self.driver, &mut self.heard);
        call.execute(&mut context, self.state.locked_for(call))
    }

    /// The calls of one kind that the last input led to.
    pub fn heard<C: Call>(&self) -> Vec<C> {
        self.rows(EventCode::new(C::ID, Opcode::Start), C::decode)
    }

    /// What they were answered.
    pub fn answers<C: Call>(&self) -> Vec<C::Output> {
        self.rows(EventCode::new(C::ID, Opcode::Stop), <C::Output as Field>::decode)
    }

    fn rows<T, E>(&self, code: EventCode, decode: impl Fn(&mut Decoder<'_>) -> Result<T, E>) -> Vec<T> {
        let rows = self.heard.0.iter().filter(|(found, _)| *found == code);
        rows.filter_map(|(_, row)| decode(&mut Decoder::new(row)).ok()).collect()
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
        let (command_list, command_allocator) = (self.list, self.allocator);
        let _ = self.call(&d3d12::ResetCommandList { command_list, command_allocator, ..Default::default() });
        for at in 0..self.pipelines.len() {
            let (pipeline_state, material, lanes) = &self.pipelines[at];
            let src_data = material.constants(frame).into_iter().map(|word| word.0).collect();
            let (pipeline, lanes) = (d3d12::SetPipelineState { command_list, pipeline_state: *pipeline_state }, *lanes);
            let _ = self.call(&pipeline);
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
        let _ = self.call(&d3d12::ExecuteCommandLists { command_queue, command_lists });
    }

    /// Lets the graphics processor do what was submitted.
    pub fn complete(&mut self) {
        let command_queue = self.queue;
        let _ = self.call(&machine::CompleteQueueOperation { command_queue });
    }

    /// Draws a frame to its end.
    pub fn draw(&mut self, frame: u32, draws: u32) {
        self.submit(frame, draws);
        self.complete();
    }

    /// Begins the next task, if there is one.
    pub fn start(&mut self) -> Option<TaskId> {
        if self.state.adapter(AdapterId::FIRST).queue.can_start_work() {
            self.call(&machine::StartBackgroundWork { worker: 0, ..Default::default() }).ok()
        } else {
            None
        }
    }

    /// Does a task's work.
    pub fn finish(&mut self, task: TaskId) {
        let _ = self.call(&machine::FinishBackgroundWork { task });
    }

    /// Does all tasks; the variants they made.
    pub fn drain(&mut self) -> BTreeSet<VariantId> {
        let mut made = BTreeSet::new();
        while let Some(task) = self.start() {
            self.finish(task);
            made.extend(self.answers::<d3d12_ddi::ProcessBackgroundWork>().into_iter().map(|verdict| verdict.variant));
        }
        made
    }
}
