//! DXGI: what is presented.

mod decision;
mod swap_chain;

pub(crate) use swap_chain::{
    create_swap_chain_for_hwnd, finish_present_1, present_1, release_swap_chain, simulate_work,
};

use crate::context::Context;
use crate::d3d12::open;
use crate::state::Objects;
use crate::submission::{OperationKind, SubmissionState};
use taut_schemas::{HResult, HResultCode, dxgi};

/// IDXGISwapChain::Present.
pub(crate) fn present(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    _: &mut dyn Objects,
    call: &dxgi::Present,
) -> HResult<()> {
    open(context, queue, call.command_queue)?;
    if call.sync_interval > 4 {
        let text = format_args!("SyncInterval is {}, at most 4.", call.sync_interval);
        return context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, call.command_queue, text);
    }
    queue.push(call.command_queue, OperationKind::Present);
    Ok(())
}
