//! DXGI: swap chains and presents.

mod application;
mod arrival;
mod buffers;
mod create;
mod cross_adapter;
mod decision;
mod direct3d9;
mod errors;
mod full_screen;
mod latency;
mod link_limit;
mod mode;
mod queries;
mod queue_wait;
mod reselect;
mod resize;
mod swap_chain;
mod validate;
mod window;

pub(crate) use application::start_application;
pub(crate) use arrival::connect_display;
pub(crate) use buffers::*;
pub(crate) use create::create_swap_chain;
pub(crate) use cross_adapter::{
    create_cross_adapter_resource, create_cross_adapter_view, open_cross_adapter_resource,
    release_cross_adapter_resource,
};
pub(crate) use direct3d9::create_additional_swap_chain;
pub(crate) use full_screen::*;
pub(crate) use latency::*;
pub(crate) use mode::set_display_mode;
pub(crate) use queries::*;
pub(crate) use queue_wait::*;
pub(crate) use resize::*;
pub(crate) use swap_chain::{
    create_swap_chain_for_hwnd, finish_present_1, present_1, release_swap_chain, simulate_work,
};
pub(crate) use window::*;

use crate::context::Context;
use crate::d3d12::open;
use crate::state::Objects;
use crate::submission::{OperationKind, SubmissionState};
use taut_schemas::{HResult, HResultCode, dxgi};

/// Implements IDXGISwapChain::Present.
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
