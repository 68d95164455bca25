//! Objects with which a thread draws: a command queue, a command list, a fence and an event.

use super::check_interrupted::check_interrupted;
use super::error::WorkloadError;
use super::event::{close, event, wait};
use super::pipeline::Pipeline;
use super::refusal::required;
use taut_capture::Caller;
use taut_schemas::{
    CommandAllocatorId, CommandListId, CommandListType, CommandQueueDesc, CommandQueueId, DeviceId, EventHandle,
    FenceFlags, FenceId, PipelineStateId, d3d12, dxgi,
};

/// MinimumFeatureLevel of the device: 11_0 (d3dcommon.h: D3D_FEATURE_LEVEL).
const MINIMUM_FEATURE_LEVEL: u32 = 0xb000;

/// Creates a device on the first adapter.
pub(crate) fn create_device<C: Caller>(caller: &mut C) -> Result<DeviceId, WorkloadError> {
    let create = d3d12::CreateDevice { minimum_feature_level: MINIMUM_FEATURE_LEVEL, ..Default::default() };
    required("CreateDevice", caller.call(create))
}

/// Creates a command queue for draws and dispatches.
pub(crate) fn create_queue<C: Caller>(caller: &mut C, device: DeviceId) -> Result<CommandQueueId, WorkloadError> {
    let desc = CommandQueueDesc { list_type: CommandListType::DIRECT, ..CommandQueueDesc::default() };
    required("CreateCommandQueue", caller.call(d3d12::CreateCommandQueue { device, desc }))
}

/// Releases a command queue whose work is complete.
pub(crate) fn release_queue<C: Caller>(caller: &mut C, command_queue: CommandQueueId) -> Result<(), WorkloadError> {
    required("ReleaseCommandQueue", caller.call(d3d12::ReleaseCommandQueue { command_queue })).map(drop)
}

/// Objects with which a thread draws.
pub(crate) struct Renderer {
    /// Queue for submissions, possibly shared by several threads.
    pub queue: CommandQueueId,
    allocator: CommandAllocatorId,
    pub list: CommandListId,
    pub fence: FenceId,
    event: EventHandle,
    /// Last value that was submitted to the queue for a signal.
    pub signalled: u64,
}

impl Renderer {
    /// Creates the objects for submitting to a command queue.
    pub(crate) fn new<C: Caller>(
        caller: &mut C,
        device: DeviceId,
        queue: CommandQueueId,
    ) -> Result<Renderer, WorkloadError> {
        let list_type = CommandListType::DIRECT;
        let create = d3d12::CreateCommandAllocator { device, list_type };
        let allocator = required("CreateCommandAllocator", caller.call(create))?;
        let create = d3d12::CreateCommandList {
            device,
            node_mask: 0,
            list_type,
            command_allocator: allocator,
            initial_state: PipelineStateId::NULL,
        };
        let list = required("CreateCommandList", caller.call(create))?;
        // A new list is open, but `begin` resets a closed one.
        required("CloseCommandList", caller.call(d3d12::CloseCommandList { command_list: list }))?;
        let create = d3d12::CreateFence { device, initial_value: 0, flags: FenceFlags::NONE };
        let fence = required("CreateFence", caller.call(create))?;
        let event = event(caller)?;
        Ok(Renderer { queue, allocator, list, fence, event, signalled: 0 })
    }

    /// Draws a number of times with each pipeline state and its constants of a frame, submits and presents.
    pub(crate) fn frame<C: Caller>(
        &mut self,
        caller: &mut C,
        pipelines: &[Pipeline],
        frame: u32,
        draws: u32,
    ) -> Result<(), WorkloadError> {
        self.begin(caller)?;
        for pipeline in pipelines {
            self.draw(caller, pipeline, pipeline.constants(frame), draws)?;
        }
        self.submit(caller)
    }

    /// Resets the command list for recording.
    pub(crate) fn begin<C: Caller>(&self, caller: &mut C) -> Result<(), WorkloadError> {
        check_interrupted(caller)?;
        let (command_list, command_allocator) = (self.list, self.allocator);
        let reset = d3d12::ResetCommandList { command_list, command_allocator, initial_state: PipelineStateId::NULL };
        required("ResetCommandList", caller.call(reset))
    }

    /// Records a number of draws or dispatches with these constants.
    pub(crate) fn draw<C: Caller>(
        &self,
        caller: &mut C,
        pipeline: &Pipeline,
        constants: Vec<u32>,
        draws: u32,
    ) -> Result<(), WorkloadError> {
        let (command_list, pipeline_state) = (self.list, pipeline.id);
        required("SetPipelineState", caller.call(d3d12::SetPipelineState { command_list, pipeline_state }))?;
        match pipeline.compute {
            true => self.dispatch(caller, constants, draws),
            false => self.draw_instanced(caller, constants, pipeline.lanes(), draws),
        }
    }

    /// Records draws with the current pipeline state.
    pub(crate) fn draw_instanced<C: Caller>(
        &self,
        caller: &mut C,
        src_data: Vec<u32>,
        lanes: u32,
        draws: u32,
    ) -> Result<(), WorkloadError> {
        let command_list = self.list;
        let set = d3d12::SetGraphicsRoot32BitConstants {
            command_list,
            root_parameter_index: 0,
            src_data,
            dest_offset_in_32bit_values: 0,
        };
        required("SetGraphicsRoot32BitConstants", caller.call(set))?;
        for _ in 0..draws {
            let draw = d3d12::DrawInstanced {
                command_list,
                vertex_count_per_instance: lanes,
                instance_count: 1,
                start_vertex_location: 0,
                start_instance_location: 0,
            };
            required("DrawInstanced", caller.call(draw))?;
        }
        Ok(())
    }

    fn dispatch<C: Caller>(&self, caller: &mut C, src_data: Vec<u32>, times: u32) -> Result<(), WorkloadError> {
        let command_list = self.list;
        let set = d3d12::SetComputeRoot32BitConstants {
            command_list,
            root_parameter_index: 0,
            src_data,
            dest_offset_in_32bit_values: 0,
        };
        required("SetComputeRoot32BitConstants", caller.call(set))?;
        for _ in 0..times {
            let dispatch = d3d12::Dispatch {
                command_list,
                thread_group_count_x: 1,
                thread_group_count_y: 1,
                thread_group_count_z: 1,
            };
            required("Dispatch", caller.call(dispatch))?;
        }
        Ok(())
    }

    /// Closes the list, submits it, presents, and then signals the fence.
    pub(crate) fn submit<C: Caller>(&mut self, caller: &mut C) -> Result<(), WorkloadError> {
        let (command_queue, command_list) = (self.queue, self.list);
        required("CloseCommandList", caller.call(d3d12::CloseCommandList { command_list }))?;
        let execute = d3d12::ExecuteCommandLists { command_queue, command_lists: vec![command_list] };
        required("ExecuteCommandLists", caller.call(execute))?;
        required("Present", caller.call(dxgi::Present { command_queue, sync_interval: 0 }))?;
        caller.step_done();
        self.signal(caller)
    }

    /// Signals the fence after all submitted work.
    pub(crate) fn signal<C: Caller>(&mut self, caller: &mut C) -> Result<(), WorkloadError> {
        self.signalled += 1;
        let signal = d3d12::CommandQueueSignal { command_queue: self.queue, fence: self.fence, value: self.signalled };
        required("CommandQueueSignal", caller.call(signal))
    }

    /// Waits until the frame submitted `frames_ago` frames before the last one is complete.
    pub(crate) fn wait_for<C: Caller>(&self, caller: &mut C, frames_ago: u64) -> Result<(), WorkloadError> {
        let (fence, event, value) = (self.fence, self.event, self.signalled.saturating_sub(frames_ago));
        let completed = required("GetCompletedValue", caller.call(d3d12::GetCompletedValue { fence }))?;
        if completed.value >= value {
            return Ok(());
        }
        required("SetEventOnCompletion", caller.call(d3d12::SetEventOnCompletion { fence, value, event }))?;
        wait(caller, event, u32::MAX).map(drop)
    }

    /// Makes the queue wait until a fence has a value.
    pub(crate) fn wait_on_queue<C: Caller>(
        &self,
        caller: &mut C,
        fence: FenceId,
        value: u64,
    ) -> Result<(), WorkloadError> {
        let command_queue = self.queue;
        required("CommandQueueWait", caller.call(d3d12::CommandQueueWait { command_queue, fence, value }))
    }

    /// Waits for all submitted work and releases everything but the command queue.
    pub(crate) fn release<C: Caller>(self, caller: &mut C) -> Result<(), WorkloadError> {
        self.wait_for(caller, 0)?;
        let (command_list, command_allocator) = (self.list, self.allocator);
        required("ReleaseCommandList", caller.call(d3d12::ReleaseCommandList { command_list }))?;
        required("ReleaseCommandAllocator", caller.call(d3d12::ReleaseCommandAllocator { command_allocator }))?;
        required("ReleaseFence", caller.call(d3d12::ReleaseFence { fence: self.fence }))?;
        close(caller, self.event)
    }
}
