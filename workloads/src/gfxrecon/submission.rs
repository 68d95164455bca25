//! Translation of the calls of queues, command lists, fences and swap chains.

use super::args::{
    CreateAllocatorArgs, CreateFenceArgs, CreateListArgs, CreateQueueArgs, CreateSwapChainArgs, ExecuteArgs,
    FenceEventArgs, FenceSignalArgs, GetBufferArgs, PresentArgs, QueueFenceArgs, ResetListArgs,
};
use super::objects::{Kind, Object, Objects};
use super::row::Call;
use super::translation::{Translated, Translation, created, defined, line};
use crate::call_log::SubmissionCall;
use taut_schemas::{CommandAllocatorId, CommandListId, CommandQueueId, FenceId, HResultCode};

/// Translates calls of queues, lists, fences and swap chains.
pub(super) fn submission(call: &Call<'_>, objects: &mut Objects) -> Translation {
    let is = |kind: Kind| move |found: &Kind| *found == kind;
    let (queue, fence) = (objects.id(call.handle, is(Kind::Queue)), objects.id(call.handle, is(Kind::Fence)));
    let (queue, fence) = (queue.map(CommandQueueId), fence.map(FenceId));
    match (&*call.interface, &*call.name) {
        (_, "CreateCommandQueue" | "CreateCommandQueue1") => {
            let args: CreateQueueArgs = call.args()?;
            let Some(desc) = args.pDesc else { return Ok(Translated::NotPlayed) };
            let (hr, id) = created(call, objects, args.ppCommandQueue, Kind::Queue)?;
            Ok(line(SubmissionCall::CreateCommandQueue { desc: desc.desc() }, hr, id))
        }
        (_, "CreateCommandAllocator") => {
            let args: CreateAllocatorArgs = call.args()?;
            let (hr, id) = created(call, objects, args.ppCommandAllocator, Kind::Allocator)?;
            Ok(line(SubmissionCall::CreateCommandAllocator { list_type: args.r#type.0 }, hr, id))
        }
        (_, "CreateCommandList" | "CreateCommandList1") => create_list(call, objects),
        ("ID3D12GraphicsCommandList", "Reset") => reset_list(call, objects),
        (_, "Close") if call.interface.starts_with("ID3D12GraphicsCommandList") => {
            let list = CommandListId(defined!(objects.id(call.handle, is(Kind::List))));
            Ok(line(SubmissionCall::CloseCommandList { list }, call.result_of()?, None))
        }
        (_, "ExecuteCommandLists") => {
            let args: ExecuteArgs = call.args()?;
            let lists = args.ppCommandLists.iter().map(|handle| objects.id(*handle, is(Kind::List)));
            let lists: Vec<u64> = defined!(lists.collect::<Option<_>>());
            let (queue, lists) = (defined!(queue), lists.into_iter().map(CommandListId).collect());
            Ok(line(SubmissionCall::ExecuteCommandLists { queue, lists }, HResultCode::S_OK, None))
        }
        ("ID3D12CommandQueue", "Signal" | "Wait") => {
            let args: QueueFenceArgs = call.args()?;
            let (queue, value) = (defined!(queue), args.Value);
            let fence = FenceId(defined!(objects.id(args.pFence, is(Kind::Fence))));
            let played = match &*call.name {
                "Signal" => SubmissionCall::SignalQueue { queue, fence, value },
                _ => SubmissionCall::WaitQueue { queue, fence, value },
            };
            Ok(line(played, call.result_of()?, None))
        }
        (_, "CreateFence") => {
            let args: CreateFenceArgs = call.args()?;
            let (hr, id) = created(call, objects, args.ppFence, Kind::Fence)?;
            let (initial_value, flags) = (args.InitialValue, args.Flags.0);
            Ok(line(SubmissionCall::CreateFence { initial_value, flags }, hr, id))
        }
        ("ID3D12Fence", "Signal") => {
            let (fence, args): (_, FenceSignalArgs) = (defined!(fence), call.args()?);
            Ok(line(SubmissionCall::SignalFence { fence, value: args.Value }, call.result_of()?, None))
        }
        ("ID3D12Fence", "GetCompletedValue") => {
            Ok(line(SubmissionCall::GetCompletedValue { fence: defined!(fence) }, HResultCode::S_OK, None))
        }
        ("ID3D12Fence", "SetEventOnCompletion") => {
            let (fence, args): (_, FenceEventArgs) = (defined!(fence), call.args()?);
            // Without an event the call blocks, for a time that the capture does not have.
            if args.hEvent == 0 {
                return Ok(Translated::NotPlayed);
            }
            let played = SubmissionCall::SetEventOnCompletion { fence, value: args.Value, event: args.hEvent };
            Ok(line(played, call.result_of()?, None))
        }
        _ => swap_chain(call, objects),
    }
}

fn create_list(call: &Call<'_>, objects: &mut Objects) -> Translation {
    let args: CreateListArgs = call.args()?;
    let (node_mask, list_type) = (args.nodeMask.0.0, args.r#type.0);
    if call.name == "CreateCommandList1" {
        created(call, objects, args.ppCommandList, Kind::UnusedList { node_mask, list_type })?;
        return Ok(Translated::Noted);
    }
    let handle = args.pCommandAllocator.unwrap_or_default();
    let Some(allocator) = objects.id(handle, |kind| *kind == Kind::Allocator) else {
        return Ok(Translated::Undefined);
    };
    let (hr, id) = created(call, objects, args.ppCommandList, Kind::List)?;
    let allocator = CommandAllocatorId(allocator);
    Ok(line(SubmissionCall::CreateCommandList { node_mask, list_type, allocator }, hr, id))
}

fn reset_list(call: &Call<'_>, objects: &mut Objects) -> Translation {
    let args: ResetListArgs = call.args()?;
    let hr = call.result_of()?;
    let allocator = defined!(objects.id(args.pAllocator, |kind| *kind == Kind::Allocator));
    let allocator = CommandAllocatorId(allocator);
    let Some(Object { kind, id, .. }) = objects.get(call.handle).cloned() else { return Ok(Translated::Undefined) };
    match kind {
        Kind::List => Ok(line(SubmissionCall::ResetCommandList { list: CommandListId(id), allocator }, hr, None)),
        // The first Reset is the creation with an allocator.
        Kind::UnusedList { node_mask, list_type } if hr == HResultCode::S_OK => {
            let id = objects.begin_list(call.handle);
            Ok(line(SubmissionCall::CreateCommandList { node_mask, list_type, allocator }, hr, Some(id)))
        }
        _ => Ok(Translated::NotPlayed),
    }
}

/// Translates presents, and notes swap chains and back buffers.
fn swap_chain(call: &Call<'_>, objects: &mut Objects) -> Translation {
    /// DXGI_PRESENT_TEST (dxgi.h).
    const PRESENT_TEST: u32 = 1;
    match &*call.name {
        name if name.starts_with("CreateSwapChain") => {
            let args: CreateSwapChainArgs = call.args()?;
            let queue = objects.id(args.pDevice, |kind| *kind == Kind::Queue).unwrap_or_default();
            created(call, objects, args.ppSwapChain, Kind::SwapChain { queue })?;
            Ok(Translated::NotPlayed)
        }
        "GetBuffer" if call.interface == "IDXGISwapChain" => {
            let args: GetBufferArgs = call.args()?;
            // The same buffer has the same handle each time.
            objects.add(args.ppSurface.unwrap_or_default(), Kind::BackBuffer);
            Ok(Translated::NotPlayed)
        }
        "Present" | "Present1" => {
            let args: PresentArgs = call.args()?;
            if args.Flags & PRESENT_TEST != 0 {
                return Ok(Translated::TestPresent);
            }
            let Some(Kind::SwapChain { queue }) = objects.get(call.handle).map(|object| &object.kind) else {
                return Ok(Translated::Undefined);
            };
            let queue = CommandQueueId(defined!(Some(*queue).filter(|queue| *queue != 0)));
            let (sync_interval, hr) = (args.SyncInterval, call.result_of()?);
            Ok(line(SubmissionCall::Present { queue, sync_interval }, hr, None))
        }
        _ => Ok(Translated::NotPlayed),
    }
}
