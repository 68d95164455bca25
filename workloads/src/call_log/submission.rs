//! Calls of queues, command lists, fences and presents.

use super::line::LogLine;
use super::player::LogPlayer;
use super::submission_line::{SubmissionCall, SubmissionLine};
use taut_capture::Caller;
use taut_schemas::{
    CommandAllocatorId, CommandListId, CommandQueueId, EventHandle, FenceId, HResult, ObjectId, PipelineStateId, d3d12,
    dxgi, win32,
};

impl LogPlayer<'_> {
    /// Makes the call of a line.
    pub(super) fn submit<C: Caller>(&mut self, caller: &mut C, line: &LogLine, submission: &SubmissionLine) {
        let SubmissionLine { call, hr, created } = submission;
        if call.objects().into_iter().any(|logged| self.object(logged).is_none()) {
            self.skip();
            // The id is used up without an object, so that later ids still match.
            return self.add_object(created.map(|_| ObjectId::NULL));
        }
        if let SubmissionCall::SetEventOnCompletion { event, .. } = call {
            self.create_event(caller, line, *event);
        }
        let output = self.call_line(caller, line, |player, caller| player.submission(caller, call));
        self.judge(caller, line, *hr, &output);
        match (created, output) {
            (Some(_), output) => self.add_object(Some(output.unwrap_or_default())),
            (None, Ok(object)) if object != ObjectId::NULL => self.undo(|| release(caller, call, object)),
            (None, _) => {}
        }
    }

    /// Creates the event of a program's handle at its first use.
    fn create_event<C: Caller>(&mut self, caller: &mut C, line: &LogLine, event: u64) {
        if !self.events.contains_key(&event) {
            self.announce(caller, line.seq);
            let created = caller.call(win32::CreateEvent { manual_reset: false, initial_state: false });
            self.events.insert(event, created.unwrap_or_default());
            self.forget_position();
        }
    }

    fn submission<C: Caller>(&self, caller: &mut C, call: &SubmissionCall) -> HResult<ObjectId> {
        let device = self.device;
        let live = |logged: u64| self.object(logged).map_or(0, |object| object.0);
        let queue = |logged: &CommandQueueId| CommandQueueId(live(logged.0));
        let allocator = |logged: &CommandAllocatorId| CommandAllocatorId(live(logged.0));
        let list = |logged: &CommandListId| CommandListId(live(logged.0));
        let fence = |logged: &FenceId| FenceId(live(logged.0));
        let initial_state = PipelineStateId::NULL;
        let none = |()| ObjectId::NULL;
        match call {
            SubmissionCall::CreateCommandQueue { desc } => {
                caller.call(d3d12::CreateCommandQueue { device, desc: *desc }).map(ObjectId::from)
            }
            SubmissionCall::CreateCommandAllocator { list_type } => {
                caller.call(d3d12::CreateCommandAllocator { device, list_type: *list_type }).map(ObjectId::from)
            }
            SubmissionCall::CreateCommandList { node_mask, list_type, allocator: logged } => {
                let (node_mask, list_type, command_allocator) = (*node_mask, *list_type, allocator(logged));
                let create =
                    d3d12::CreateCommandList { device, node_mask, list_type, command_allocator, initial_state };
                caller.call(create).map(ObjectId::from)
            }
            SubmissionCall::CreateFence { initial_value, flags } => {
                let create = d3d12::CreateFence { device, initial_value: *initial_value, flags: *flags };
                caller.call(create).map(ObjectId::from)
            }
            SubmissionCall::ResetCommandList { list: logged, allocator: of } => {
                let (command_list, command_allocator) = (list(logged), allocator(of));
                caller.call(d3d12::ResetCommandList { command_list, command_allocator, initial_state }).map(none)
            }
            SubmissionCall::CloseCommandList { list: logged } => {
                caller.call(d3d12::CloseCommandList { command_list: list(logged) }).map(none)
            }
            SubmissionCall::ExecuteCommandLists { queue: logged, lists } => {
                let (command_queue, command_lists) = (queue(logged), lists.iter().map(list).collect());
                caller.call(d3d12::ExecuteCommandLists { command_queue, command_lists }).map(none)
            }
            SubmissionCall::SignalQueue { queue: logged, fence: of, value } => {
                let (command_queue, fence, value) = (queue(logged), fence(of), *value);
                caller.call(d3d12::CommandQueueSignal { command_queue, fence, value }).map(none)
            }
            SubmissionCall::WaitQueue { queue: logged, fence: of, value } => {
                let (command_queue, fence, value) = (queue(logged), fence(of), *value);
                caller.call(d3d12::CommandQueueWait { command_queue, fence, value }).map(none)
            }
            SubmissionCall::SignalFence { fence: logged, value } => {
                caller.call(d3d12::SignalFence { fence: fence(logged), value: *value }).map(none)
            }
            SubmissionCall::GetCompletedValue { fence: logged } => {
                caller.call(d3d12::GetCompletedValue { fence: fence(logged) }).map(|_| ObjectId::NULL)
            }
            SubmissionCall::SetEventOnCompletion { fence: logged, value, event } => {
                let event: EventHandle = self.events.get(event).copied().unwrap_or_default();
                let call = d3d12::SetEventOnCompletion { fence: fence(logged), value: *value, event };
                caller.call(call).map(none)
            }
            SubmissionCall::Present { queue: logged, sync_interval } => {
                let present = dxgi::Present { command_queue: queue(logged), sync_interval: *sync_interval };
                caller.call(present).map(none)
            }
            SubmissionCall::ReleaseCommandQueue { queue: logged } => release(caller, call, ObjectId(live(logged.0))),
            SubmissionCall::ReleaseCommandAllocator { allocator: logged } => {
                release(caller, call, ObjectId(live(logged.0)))
            }
            SubmissionCall::ReleaseCommandList { list: logged } => release(caller, call, ObjectId(live(logged.0))),
            SubmissionCall::ReleaseFence { fence: logged } => release(caller, call, ObjectId(live(logged.0))),
        }
    }
}

/// Releases the object that a call creates or releases.
fn release<C: Caller>(caller: &mut C, call: &SubmissionCall, object: ObjectId) -> HResult<ObjectId> {
    let ObjectId(id) = object;
    let released = match call {
        SubmissionCall::CreateCommandQueue { .. } | SubmissionCall::ReleaseCommandQueue { .. } => {
            caller.call(d3d12::ReleaseCommandQueue { command_queue: CommandQueueId(id) }).map(drop)
        }
        SubmissionCall::CreateCommandAllocator { .. } | SubmissionCall::ReleaseCommandAllocator { .. } => {
            caller.call(d3d12::ReleaseCommandAllocator { command_allocator: CommandAllocatorId(id) })
        }
        SubmissionCall::CreateCommandList { .. } | SubmissionCall::ReleaseCommandList { .. } => {
            caller.call(d3d12::ReleaseCommandList { command_list: CommandListId(id) })
        }
        _ => caller.call(d3d12::ReleaseFence { fence: FenceId(id) }),
    };
    released.map(|()| ObjectId::NULL)
}
