//! Tests of pipeline states, command lists, queues, fences and events.

use super::world::{DEVICE, World};
use taut_schemas::{
    AdapterId, Bytes, CommandListId, CommandListType, CommandQueueDesc, CommandQueueId, EventHandle, FenceFlags,
    FenceId, HResultCode, PipelineStateId, QueueOperation, SubmissionResult, WaitStatus, d3d12, d3d12_ddi, dxgi,
    machine, win32,
};
use taut_shaders::Bundled;

struct Drawing {
    world: World,
    queue: CommandQueueId,
    list: CommandListId,
    fence: FenceId,
    pipeline: PipelineStateId,
}

fn shader() -> Bytes {
    let material = Bundled::named("tone-map").unwrap().material().unwrap();
    Bytes(serde_json::to_vec(material.shader.function()).unwrap())
}

impl Drawing {
    fn new(driver: &str) -> Drawing {
        let mut world = World::new(driver);
        let (device, list_type) = (DEVICE, CommandListType::DIRECT);
        let desc = CommandQueueDesc { list_type, ..Default::default() };
        let queue = world.call(&d3d12::CreateCommandQueue { device, desc }).unwrap();
        let command_allocator = world.call(&d3d12::CreateCommandAllocator { device, list_type }).unwrap();
        let create = d3d12::CreateGraphicsPipelineState { device, shader: shader() };
        let pipeline = world.call(&create).unwrap();
        let (node_mask, initial_state) = (0, pipeline);
        let list = world
            .call(&d3d12::CreateCommandList { device, node_mask, list_type, command_allocator, initial_state })
            .unwrap();
        let fence = world.call(&d3d12::CreateFence { device, initial_value: 0, flags: FenceFlags::NONE }).unwrap();
        Drawing { world, queue, list, fence, pipeline }
    }

    fn draw(&mut self, vertices: u32) -> Result<(), HResultCode> {
        self.world.call(&d3d12::DrawInstanced {
            command_list: self.list,
            vertex_count_per_instance: vertices,
            instance_count: 1,
            start_vertex_location: 0,
            start_instance_location: 0,
        })
    }

    fn close(&mut self) -> Result<(), HResultCode> {
        self.world.call(&d3d12::CloseCommandList { command_list: self.list })
    }

    fn execute(&mut self) -> Result<(), HResultCode> {
        let (command_queue, command_lists) = (self.queue, vec![self.list]);
        self.world.call(&d3d12::ExecuteCommandLists { command_queue, command_lists })
    }

    fn complete(&mut self) -> Result<QueueOperation, HResultCode> {
        let command_queue = self.queue;
        self.world
            .call(&machine::CompleteQueueOperation { command_queue, ..Default::default() })
            .map(|progress| progress.operation)
    }

    fn signal(&mut self, value: u64) -> Result<(), HResultCode> {
        let (command_queue, fence) = (self.queue, self.fence);
        self.world.call(&d3d12::CommandQueueSignal { command_queue, fence, value })
    }

    fn value(&mut self) -> u64 {
        self.world.call(&d3d12::GetCompletedValue { fence: self.fence }).unwrap().value
    }
}

#[test]
fn draws_run_under_every_driver_and_give_the_same_outputs() {
    let mut hashes = Vec::new();
    for (driver, _) in taut_runtime::Profile::bundled() {
        let mut drawing = Drawing::new(driver);
        drawing.draw(100).unwrap();
        drawing.draw(5).unwrap();
        drawing.draw(0).unwrap();
        drawing.close().unwrap();
        drawing.execute().unwrap();
        let submitted = drawing.world.ddi::<d3d12_ddi::ExecuteCommandLists>().remove(0);
        assert_eq!(submitted.draws.iter().map(|draw| draw.lane_count).collect::<Vec<_>>(), [64, 5]);
        assert_eq!(drawing.complete(), Ok(QueueOperation::EXECUTE));
        let runs = drawing.world.ddi::<d3d12_ddi::CollectMeasurements>().remove(0).runs;
        assert!(runs.iter().all(|run| run.executed > 0 && run.output_hash == run.generic_output_hash), "{driver}");
        hashes.push(runs.iter().map(|run| run.output_hash).collect::<Vec<_>>());
    }
    hashes.dedup();
    assert_eq!(hashes.len(), 1);
}

/// A list is executed twice in one call, so that its shared constants are at two indices.
#[test]
fn draws_with_equal_constants_share_them_and_run_as_if_each_had_its_own() {
    let mut drawing = Drawing::new("reference");
    let command_list = drawing.list;
    let constants = Bundled::named("tone-map").unwrap().material().unwrap().shader.function().constants.len();
    for value in [0.5f32, 2.0] {
        let src_data = vec![value.to_bits(); constants];
        let set = d3d12::SetGraphicsRoot32BitConstants { command_list, src_data, ..Default::default() };
        drawing.world.call(&set).unwrap();
        drawing.draw(8).unwrap();
        drawing.draw(8).unwrap();
    }
    drawing.close().unwrap();
    let (command_queue, command_lists) = (drawing.queue, vec![drawing.list; 2]);
    drawing.world.call(&d3d12::ExecuteCommandLists { command_queue, command_lists }).unwrap();
    let submitted = drawing.world.ddi::<d3d12_ddi::ExecuteCommandLists>().remove(0);
    let each = constants as u32;
    let firsts: Vec<u32> = submitted.draws.iter().map(|draw| draw.first_constant).collect();
    assert_eq!(firsts, [0, 0, each, each, 2 * each, 2 * each, 3 * each, 3 * each]);
    assert_eq!(submitted.constants.len(), 4 * each as usize);
    assert_eq!(drawing.complete(), Ok(QueueOperation::EXECUTE));
    let runs = drawing.world.ddi::<d3d12_ddi::CollectMeasurements>().remove(0).runs;
    let hashes: Vec<u64> = runs.iter().map(|run| run.output_hash).collect();
    assert_ne!(hashes[0], hashes[2]);
    assert_eq!(hashes, [hashes[0], hashes[0], hashes[2], hashes[2]].repeat(2));
}

#[test]
fn a_fence_is_set_when_what_came_before_is_done_and_signals_its_event() {
    let mut drawing = Drawing::new("reference");
    drawing.close().unwrap();
    drawing.execute().unwrap();
    drawing.signal(5).unwrap();
    let (fence, value) = (drawing.fence, 5);
    let event = drawing.world.call(&win32::CreateEvent { manual_reset: false, initial_state: false }).unwrap();
    drawing.world.call(&d3d12::SetEventOnCompletion { fence, value, event }).unwrap();
    let begin = win32::BeginWaitForSingleObject { event, timeout_ms: u32::MAX };
    assert_eq!(drawing.world.call(&begin), Ok(WaitStatus::PENDING));
    assert_eq!((drawing.complete(), drawing.value()), (Ok(QueueOperation::EXECUTE), 0));
    let finish = |timed_out| win32::FinishWaitForSingleObject { event, timed_out };
    assert_eq!(drawing.world.call(&finish(false)), Err(HResultCode::DXGI_ERROR_INVALID_CALL));
    assert_eq!(drawing.world.call(&finish(true)), Ok(WaitStatus::TIMEOUT));
    assert_eq!((drawing.complete(), drawing.value()), (Ok(QueueOperation::SIGNAL), 5));
    assert_eq!(drawing.world.call(&finish(false)), Ok(WaitStatus::OBJECT_0));
    // The event is auto-reset.
    assert_eq!(drawing.world.call(&begin), Ok(WaitStatus::PENDING));
    assert_eq!(drawing.complete(), Err(HResultCode::DXGI_ERROR_INVALID_CALL));
}

#[test]
fn a_queue_waits_for_the_fence_of_another() {
    let mut drawing = Drawing::new("reference");
    let desc = CommandQueueDesc { list_type: CommandListType::COMPUTE, ..Default::default() };
    let other = drawing.world.call(&d3d12::CreateCommandQueue { device: DEVICE, desc }).unwrap();
    let (command_queue, fence, value) = (drawing.queue, drawing.fence, 1);
    drawing.world.call(&d3d12::CommandQueueWait { command_queue, fence, value }).unwrap();
    assert_eq!(drawing.complete(), Err(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING));
    drawing.world.call(&d3d12::CommandQueueSignal { command_queue: other, fence, value }).unwrap();
    assert_eq!(
        drawing.world.state.adapter(AdapterId::FIRST).queue.runnable().map(|next| next.command_queue),
        Some(other)
    );
    drawing.world.call(&machine::CompleteQueueOperation { command_queue: other, ..Default::default() }).unwrap();
    assert_eq!(drawing.complete(), Ok(QueueOperation::WAIT));
}

#[test]
fn what_a_list_cannot_record_fails_its_close_and_its_execution() {
    let mut drawing = Drawing::new("reference");
    let (command_list, src_data) = (drawing.list, vec![1]);
    let set = |root_parameter_index, dest_offset_in_32bit_values| d3d12::SetGraphicsRoot32BitConstants {
        command_list,
        root_parameter_index,
        src_data: src_data.clone(),
        dest_offset_in_32bit_values,
    };
    assert_eq!(drawing.execute(), Err(HResultCode::E_INVALIDARG), "it is open");
    assert!(drawing.world.call(&set(0, 3)).is_ok());
    assert!(drawing.world.call(&set(1, 0)).is_err());
    assert!(drawing.world.call(&set(0, u32::MAX)).is_err());
    assert_eq!(drawing.close(), Err(HResultCode::E_INVALIDARG));
    assert_eq!(drawing.execute(), Err(HResultCode::E_INVALIDARG));
    assert_eq!(drawing.close(), Err(HResultCode::E_FAIL));
    assert_eq!(drawing.draw(3), Err(HResultCode::E_FAIL));
    let groups = d3d12::Dispatch { command_list, thread_group_count_x: 1, ..Default::default() };
    assert_eq!(drawing.world.call(&groups), Err(HResultCode::E_FAIL));
}

#[test]
fn a_pipeline_state_that_is_released_cannot_be_executed_with() {
    let mut drawing = Drawing::new("reference");
    drawing.draw(3).unwrap();
    drawing.close().unwrap();
    let release = d3d12::ReleasePipelineState { pipeline_state: drawing.pipeline };
    drawing.world.call(&release).unwrap();
    assert_eq!(drawing.world.ddi::<d3d12_ddi::DestroyPipelineState>().len(), 1);
    assert_eq!(drawing.world.call(&release), Err(HResultCode::E_HANDLE));
    assert_eq!(drawing.execute(), Err(HResultCode::E_INVALIDARG));
}

#[test]
fn an_invalid_shader_is_rejected_with_a_reason() {
    let mut world = World::new("reference");
    let good = String::from_utf8(shader().0).unwrap();
    // No JSON; not a shader; a slot beyond the declared ones.
    let no_slots = {
        let mut value: serde_json::Value = serde_json::from_str(&good).unwrap();
        value["constants"] = serde_json::json!([]);
        value.to_string()
    };
    for text in ["{", "{}", no_slots.as_str()] {
        let create = d3d12::CreateComputePipelineState { device: DEVICE, shader: Bytes(text.as_bytes().to_vec()) };
        assert_eq!(world.call(&create), Err(HResultCode::E_INVALIDARG));
        let message_text = &world.messages()[0].description;
        assert!(message_text.starts_with("The shader cannot be used: ") && message_text.len() > 40, "{message_text}");
        assert!(world.ddi::<d3d12_ddi::CreatePipelineState>().is_empty());
    }
}

#[test]
fn dead_handles_are_answered_with_e_handle() {
    let mut world = World::new("reference");
    let dead = HResultCode::E_HANDLE;
    let (command_queue, fence, event) = (CommandQueueId(9), FenceId(9), EventHandle(9));
    assert_eq!(world.call(&d3d12::ExecuteCommandLists { command_queue, command_lists: Vec::new() }), Err(dead));
    assert_eq!(world.call(&dxgi::Present { command_queue, sync_interval: 0 }), Err(dead));
    assert_eq!(world.call(&d3d12::CommandQueueSignal { command_queue, fence, value: 1 }), Err(dead));
    assert_eq!(world.call(&d3d12::GetCompletedValue { fence }).map(|found| found.value), Err(dead));
    assert_eq!(world.call(&d3d12::SetEventOnCompletion { fence, value: 1, event }), Err(dead));
    assert_eq!(world.call(&win32::BeginWaitForSingleObject { event, timeout_ms: 1 }), Err(dead));
    assert_eq!(world.call(&win32::CloseHandle { event }), Err(dead));
    assert_eq!(world.call(&d3d12::ReleaseFence { fence }), Err(dead));
    assert_eq!(world.call(&d3d12::ReleaseCommandQueue { command_queue }), Err(dead));
    assert_eq!(world.call(&d3d12::CloseCommandList { command_list: CommandListId(9) }), Err(dead));
}

#[test]
fn a_submission_ends_with_what_its_own_draws_did_or_not_at_all() {
    let mut drawing = Drawing::new("reference");
    drawing.close().unwrap();
    drawing.execute().unwrap();
    let complete = machine::CompleteQueueOperation { command_queue: drawing.queue, ..Default::default() };
    for wrong in [None, Some(SubmissionResult { submission: 2, runs: Vec::new() })] {
        assert_eq!(drawing.world.call_with(&complete, wrong), Err(HResultCode::DXGI_ERROR_INVALID_CALL));
        assert!(drawing.world.ddi::<d3d12_ddi::CollectMeasurements>().is_empty());
    }
    let own = SubmissionResult { submission: 1, runs: Vec::new() };
    assert!(drawing.world.call_with(&complete, Some(own)).is_ok());
    assert_eq!(drawing.world.ddi::<d3d12_ddi::CollectMeasurements>().len(), 1);
}
