//! What a thread draws with: a command queue, a command list, a fence and an event.

use super::caller::Caller;
use super::error::WorkloadError;
use super::kit::required;
use taut_schemas::{
    BackgroundProcessingMode, Bytes, CommandAllocatorId, CommandListId, CommandListType, CommandQueueDesc,
    CommandQueueId, DeviceId, EventHandle, FenceFlags, FenceId, HResult, MeasurementsAction, PipelineStateId,
    WaitStatus, api,
};
use taut_shaders::{Bundled, Function, Material};

/// MinimumFeatureLevel of the device: 11_0 (d3dcommon.h: D3D_FEATURE_LEVEL).
const MINIMUM_FEATURE_LEVEL: u32 = 0xb000;

/// A pipeline state and what it is drawn with.
pub(crate) struct Pipeline {
    pub id: PipelineStateId,
    pub material: Material,
    pub lanes: u32,
}

/// What a thread draws with.
pub(crate) struct Renderer {
    pub device: DeviceId,
    pub queue: CommandQueueId,
    allocator: CommandAllocatorId,
    list: CommandListId,
    fence: FenceId,
    event: EventHandle,
    /// Value of the fence that was signalled last.
    signalled: u64,
}

impl Renderer {
    /// Creates the device, if there is none, and everything else.
    pub(crate) fn new<C: Caller>(caller: &mut C) -> Result<Renderer, WorkloadError> {
        let create = api::CreateDevice { minimum_feature_level: MINIMUM_FEATURE_LEVEL };
        let device = required("CreateDevice", caller.call(create))?;
        let list_type = CommandListType::DIRECT;
        let desc = CommandQueueDesc { list_type, ..CommandQueueDesc::default() };
        let queue = required("CreateCommandQueue", caller.call(api::CreateCommandQueue { device, desc }))?;
        let create = api::CreateCommandAllocator { device, list_type };
        let allocator = required("CreateCommandAllocator", caller.call(create))?;
        let create = api::CreateCommandList {
            device,
            node_mask: 0,
            list_type,
            command_allocator: allocator,
            initial_state: PipelineStateId::NULL,
        };
        let list = required("CreateCommandList", caller.call(create))?;
        required("CloseCommandList", caller.call(api::CloseCommandList { command_list: list }))?;
        let create = api::CreateFence { device, initial_value: 0, flags: FenceFlags::NONE };
        let fence = required("CreateFence", caller.call(create))?;
        let event = event(caller)?;
        Ok(Renderer { device, queue, allocator, list, fence, event, signalled: 0 })
    }

    /// Creates a pipeline state of a bundled shader.
    pub(crate) fn pipeline<C: Caller>(&self, caller: &mut C, bundled: &Bundled) -> Result<Pipeline, WorkloadError> {
        let wrong = |what: String| WorkloadError::Shader(format!("{}: {what}", bundled.name));
        let material = bundled.material().map_err(|error| wrong(error.to_string()))?;
        let function: &Function = material.shader.function();
        let shader = Bytes(serde_json::to_vec(function).map_err(|error| wrong(error.to_string()))?);
        let create = api::CreateGraphicsPipelineState { device: self.device, shader };
        let id = required("CreateGraphicsPipelineState", caller.call(create))?;
        Ok(Pipeline { id, material, lanes: bundled.lanes as u32 })
    }

    /// Draws each pipeline so many times with its constants of a frame, submits that, and presents.
    pub(crate) fn frame<C: Caller>(
        &mut self,
        caller: &mut C,
        pipelines: &[Pipeline],
        (frame, draws): (u32, u32),
    ) -> Result<(), WorkloadError> {
        self.begin(caller)?;
        for pipeline in pipelines {
            let constants = pipeline.material.constants(frame).into_iter().map(|word| word.0).collect();
            self.draw(caller, pipeline, constants, draws)?;
        }
        self.submit(caller)
    }

    /// Opens the list.
    pub(crate) fn begin<C: Caller>(&self, caller: &mut C) -> Result<(), WorkloadError> {
        let (command_list, command_allocator) = (self.list, self.allocator);
        let reset = api::ResetCommandList { command_list, command_allocator, initial_state: PipelineStateId::NULL };
        required("ResetCommandList", caller.call(reset))
    }

    /// Draws a pipeline so many times with these constants.
    pub(crate) fn draw<C: Caller>(
        &self,
        caller: &mut C,
        pipeline: &Pipeline,
        src_data: Vec<u32>,
        draws: u32,
    ) -> Result<(), WorkloadError> {
        let (command_list, pipeline_state) = (self.list, pipeline.id);
        required("SetPipelineState", caller.call(api::SetPipelineState { command_list, pipeline_state }))?;
        let set = api::SetGraphicsRoot32BitConstants {
            command_list,
            root_parameter_index: 0,
            src_data,
            dest_offset_in_32bit_values: 0,
        };
        required("SetGraphicsRoot32BitConstants", caller.call(set))?;
        for _ in 0..draws {
            let draw = api::DrawInstanced {
                command_list,
                vertex_count_per_instance: pipeline.lanes,
                instance_count: 1,
                start_vertex_location: 0,
                start_instance_location: 0,
            };
            required("DrawInstanced", caller.call(draw))?;
        }
        Ok(())
    }

    /// Closes the list, submits it, signals the fence after it, and presents.
    pub(crate) fn submit<C: Caller>(&mut self, caller: &mut C) -> Result<(), WorkloadError> {
        let (command_queue, command_list) = (self.queue, self.list);
        required("CloseCommandList", caller.call(api::CloseCommandList { command_list }))?;
        let execute = api::ExecuteCommandLists { command_queue, command_lists: vec![command_list] };
        required("ExecuteCommandLists", caller.call(execute))?;
        self.signalled += 1;
        let signal = api::CommandQueueSignal { command_queue, fence: self.fence, value: self.signalled };
        required("CommandQueueSignal", caller.call(signal))?;
        required("Present", caller.call(api::Present { command_queue, sync_interval: 0 }))
    }

    /// Waits until the frame that was submitted `behind` frames before the last one is done.
    pub(crate) fn wait_for<C: Caller>(&self, caller: &mut C, behind: u64) -> Result<(), WorkloadError> {
        let (fence, event, value) = (self.fence, self.event, self.signalled.saturating_sub(behind));
        let completed = required("GetCompletedValue", caller.call(api::GetCompletedValue { fence }))?;
        if completed.value >= value {
            return Ok(());
        }
        required("SetEventOnCompletion", caller.call(api::SetEventOnCompletion { fence, value, event }))?;
        required("WaitForSingleObject", caller.wait(event, u32::MAX)).map(drop)
    }

    /// Waits until everything submitted is done, and releases all but the device and its pipeline states.
    pub(crate) fn release<C: Caller>(self, caller: &mut C) -> Result<(), WorkloadError> {
        self.wait_for(caller, 0)?;
        let (command_list, command_allocator) = (self.list, self.allocator);
        required("ReleaseCommandList", caller.call(api::ReleaseCommandList { command_list }))?;
        required("ReleaseCommandAllocator", caller.call(api::ReleaseCommandAllocator { command_allocator }))?;
        required("ReleaseFence", caller.call(api::ReleaseFence { fence: self.fence }))?;
        required("CloseHandle", caller.call(api::CloseHandle { event: self.event }))?;
        required("ReleaseCommandQueue", caller.call(api::ReleaseCommandQueue { command_queue: self.queue }))
    }

    /// Sets the background processing mode; whether further measurements are desired.
    pub(crate) fn set_mode<C: Caller>(
        &self,
        caller: &mut C,
        (mode, measurements_action): (BackgroundProcessingMode, MeasurementsAction),
        event: EventHandle,
        want_further: bool,
    ) -> HResult<bool> {
        let device = self.device;
        let set = api::SetBackgroundProcessingMode { device, mode, measurements_action, event, want_further };
        caller.call(set).map(|further| further.desired)
    }
}

/// Creates an event that resets itself.
pub(crate) fn event<C: Caller>(caller: &mut C) -> Result<EventHandle, WorkloadError> {
    required("CreateEvent", caller.call(api::CreateEvent { manual_reset: false, initial_state: false }))
}

/// Waits for an event; whether it came before the time was up.
pub(crate) fn wait<C: Caller>(caller: &mut C, event: EventHandle, timeout_ms: u32) -> Result<bool, WorkloadError> {
    required("WaitForSingleObject", caller.wait(event, timeout_ms)).map(|status| status == WaitStatus::OBJECT_0)
}
