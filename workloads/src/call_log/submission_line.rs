//! Lines of queues, command lists, fences and presents, which logs of other formats have. Ids are the log's own.

use taut_schemas::{
    CommandAllocatorId, CommandListId, CommandListType, CommandQueueDesc, CommandQueueId, FenceFlags, FenceId,
};

/// Line with its return value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmissionLine {
    pub call: SubmissionCall,
    /// Return value of the call; S_OK for a call without one.
    pub hr: taut_schemas::HResultCode,
    /// Object that a creation created.
    pub created: Option<taut_schemas::ObjectId>,
}

/// Call of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum SubmissionCall {
    CreateCommandQueue {
        desc: CommandQueueDesc,
    },
    ReleaseCommandQueue {
        queue: CommandQueueId,
    },
    CreateCommandAllocator {
        list_type: CommandListType,
    },
    ReleaseCommandAllocator {
        allocator: CommandAllocatorId,
    },
    CreateCommandList {
        node_mask: u32,
        list_type: CommandListType,
        allocator: CommandAllocatorId,
    },
    ResetCommandList {
        list: CommandListId,
        allocator: CommandAllocatorId,
    },
    CloseCommandList {
        list: CommandListId,
    },
    ReleaseCommandList {
        list: CommandListId,
    },
    ExecuteCommandLists {
        queue: CommandQueueId,
        lists: Vec<CommandListId>,
    },
    SignalQueue {
        queue: CommandQueueId,
        fence: FenceId,
        value: u64,
    },
    WaitQueue {
        queue: CommandQueueId,
        fence: FenceId,
        value: u64,
    },
    CreateFence {
        initial_value: u64,
        flags: FenceFlags,
    },
    SignalFence {
        fence: FenceId,
        value: u64,
    },
    GetCompletedValue {
        fence: FenceId,
    },
    /// `event` is the program's handle.
    SetEventOnCompletion {
        fence: FenceId,
        value: u64,
        event: u64,
    },
    ReleaseFence {
        fence: FenceId,
    },
    Present {
        queue: CommandQueueId,
        sync_interval: u32,
    },
}

impl SubmissionCall {
    /// Name of the call.
    pub fn as_str(&self) -> &'static str {
        match self {
            SubmissionCall::CreateCommandQueue { .. } => "CreateCommandQueue",
            SubmissionCall::CreateCommandAllocator { .. } => "CreateCommandAllocator",
            SubmissionCall::CreateCommandList { .. } => "CreateCommandList",
            SubmissionCall::ResetCommandList { .. } => "ResetCommandList",
            SubmissionCall::CloseCommandList { .. } => "CloseCommandList",
            SubmissionCall::ExecuteCommandLists { .. } => "ExecuteCommandLists",
            SubmissionCall::SignalQueue { .. } => "CommandQueueSignal",
            SubmissionCall::WaitQueue { .. } => "CommandQueueWait",
            SubmissionCall::CreateFence { .. } => "CreateFence",
            SubmissionCall::SignalFence { .. } => "SignalFence",
            SubmissionCall::GetCompletedValue { .. } => "GetCompletedValue",
            SubmissionCall::SetEventOnCompletion { .. } => "SetEventOnCompletion",
            SubmissionCall::Present { .. } => "Present",
            SubmissionCall::ReleaseCommandQueue { .. }
            | SubmissionCall::ReleaseCommandAllocator { .. }
            | SubmissionCall::ReleaseCommandList { .. }
            | SubmissionCall::ReleaseFence { .. } => "Release",
        }
    }

    /// Objects that the call names.
    pub(super) fn objects(&self) -> Vec<u64> {
        match self {
            SubmissionCall::CreateCommandQueue { .. }
            | SubmissionCall::CreateCommandAllocator { .. }
            | SubmissionCall::CreateFence { .. } => Vec::new(),
            SubmissionCall::CreateCommandList { allocator, .. }
            | SubmissionCall::ReleaseCommandAllocator { allocator } => vec![allocator.0],
            SubmissionCall::ResetCommandList { list, allocator } => vec![list.0, allocator.0],
            SubmissionCall::CloseCommandList { list } | SubmissionCall::ReleaseCommandList { list } => vec![list.0],
            SubmissionCall::ExecuteCommandLists { queue, lists } => {
                std::iter::once(queue.0).chain(lists.iter().map(|list| list.0)).collect()
            }
            SubmissionCall::SignalQueue { queue, fence, .. } | SubmissionCall::WaitQueue { queue, fence, .. } => {
                vec![queue.0, fence.0]
            }
            SubmissionCall::SignalFence { fence, .. }
            | SubmissionCall::GetCompletedValue { fence }
            | SubmissionCall::SetEventOnCompletion { fence, .. }
            | SubmissionCall::ReleaseFence { fence } => vec![fence.0],
            SubmissionCall::Present { queue, .. } | SubmissionCall::ReleaseCommandQueue { queue } => vec![queue.0],
        }
    }
}
