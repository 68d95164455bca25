//! Swap chains for windows, Present1, and Release.

use super::decision::decide;
use super::errors::{invalid_call, no_such_chain};
use super::reselect::destroy_path;
use super::validate::{SwapChainTarget, validate};
use crate::context::Context;
use crate::d3d12::open;
use crate::kernel::{ApplicationState, DisplayState, SwapChain};
use crate::revision::Revision;
use crate::submission::SubmissionState;
use taut_schemas::{
    Call, HResult, HResultCode, ObjectId, PresentFlags, PrimaryDesc, SwapChainFlags, SwapChainId, WindowState, dxgi,
    dxgi_ddi, rule,
};

/// IDXGIFactory2::CreateSwapChainForHwnd on a Direct3D 12 command queue.
pub(crate) fn create_swap_chain_for_hwnd(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    display: &mut DisplayState,
    call: &dxgi::CreateSwapChainForHwnd,
) -> HResult<SwapChainId> {
    open(context, queue, call.command_queue)?;
    let Some(connected) = display.presents.display(call.display) else {
        return invalid_call(context, format_args!("CreateSwapChainForHwnd: there is no display {}.", call.display));
    };
    let window = (connected.mode.width, connected.mode.height);
    let shows = connected.adapter;
    let desc = validate(context, call.desc, SwapChainTarget { is_of_queue: true, samples: 1, window })?;
    if let Some(missing_description) = display.presents.missing_description([call.adapter(), shows]) {
        return invalid_call(context, format_args!("CreateSwapChainForHwnd: {missing_description} was not described."));
    }
    let id = display.presents.next_id();
    let front = ApplicationState::plain(call.command_queue, &desc);
    let mut chain = SwapChain::new(desc, call.adapter(), call.display, shows, front);
    chain.covers = call.covers;
    chain.mode = decide(context, display, id, &chain)?;
    // Added after the choice: a failed choice leaves no chain.
    display.presents.add(id, chain);
    Ok(id)
}

/// IDXGISwapChain1::Present1.
pub(crate) fn present_1(context: &mut Context<'_>, display: &mut DisplayState, call: &dxgi::Present1) -> HResult<u64> {
    let now_ns = display.presents.now_ns();
    let Some(chain) = display.presents.chain(call.swap_chain) else { return no_such_chain(context, call.swap_chain) };
    // D3D12 and DXGI accept sync intervals from 0 to 4.
    if call.sync_interval > 4 {
        return invalid_call(
            context,
            format_args!("SyncInterval is {}, at most 4 ({}).", call.sync_interval, rule::D_04.id),
        );
    }
    let tears = call.flags.contains(PresentFlags::ALLOW_TEARING);
    if tears && (call.sync_interval > 0 || !chain.desc.flags.contains(SwapChainFlags::ALLOW_TEARING)) {
        return invalid_call(context, format_args!("Tearing needs SyncInterval 0 and a swap chain that allows it."));
    }
    if chain.application.is_removed {
        let text = format_args!("An adapter that the swap chain needs has gone.");
        return context.refuse(HResultCode::DXGI_ERROR_DEVICE_REMOVED, ObjectId::NULL, text);
    }
    let window = display.presents.desktop.window(chain.application.window_desc.window);
    let is_minimised = window.is_some_and(|window| window.state.contains(WindowState::MINIMISED));
    if is_minimised && !chain.application.is_of_queue() {
        // A success code, so there is no debug message (rule D-04).
        return Err(HResultCode::DXGI_STATUS_OCCLUDED);
    }
    if call.flags.contains(PresentFlags::TEST) {
        return Ok(chain.present_count);
    }
    if chain.process_at_ns > now_ns {
        let at_ns = chain.process_at_ns;
        return invalid_call(context, format_args!("The application is there at {at_ns} ns; it is {now_ns} ns."));
    }
    if chain.is_presenting {
        return invalid_call(context, format_args!("The Present1 before it has not ended."));
    }
    // Ownership ends at the present after ReleaseOwnership, not at the call.
    if chain.application.is_ownership_released {
        if let Some(chain) = display.presents.chain_mut(call.swap_chain) {
            chain.application.is_full_screen = false;
            chain.application.is_ownership_released = false;
        }
        display.presents.update_coverage(call.swap_chain);
    }
    present_first_frame(context, display, call)?;
    Ok(display.presents.present(call.swap_chain, call.sync_interval, tears))
}

/// Calls pfnPresent1 of the rendering adapter's driver for the first frame of a chain.
///
/// # Errors
/// The driver's error.
fn present_first_frame(context: &mut Context<'_>, display: &DisplayState, call: &dxgi::Present1) -> HResult<()> {
    let Some(chain) = display.presents.chain(call.swap_chain) else { return Ok(()) };
    let adapter = chain.render;
    let has_function = display.started(adapter).is_some() && context.driver_of(adapter).dxgi_ddi().is_some();
    let is_called = context.settings.revision >= Revision::OVERLAY_FUNCTIONS && chain.present_count == 0;
    if !is_called || !has_function {
        return Ok(());
    }
    let surface = PrimaryDesc::new(chain.desc.width, chain.desc.height, chain.desc.format);
    context.ddi_of(adapter, dxgi_ddi::Present1 { adapter, surface, sync_interval: call.sync_interval })
}

/// Completes a Present1 that blocked.
pub(crate) fn finish_present_1(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::FinishPresent1,
) -> HResult<u64> {
    let Some(chain) = display.presents.chain(call.swap_chain) else { return no_such_chain(context, call.swap_chain) };
    if !chain.is_presenting {
        return invalid_call(context, format_args!("No Present1 of swap chain {} has begun.", call.swap_chain.0));
    }
    // Not an error: the application polls with this call until Present1 completes.
    display.presents.finish_present(call.swap_chain).ok_or(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING)
}

/// Sets the CPU and GPU time of the application's next frame.
pub(crate) fn simulate_work(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::SimulateWork,
) -> HResult<u64> {
    match display.presents.work(call.swap_chain, call.cpu_ns, call.gpu_ns) {
        Some(at_ns) => Ok(at_ns),
        None => no_such_chain(context, call.swap_chain),
    }
}

/// IUnknown::Release of a swap chain: its frames end, and its resources are destroyed. The shell then drops the chain's
/// reference ([`DueReleases`](crate::DueReleases)), whose locks this call does not have.
pub(crate) fn release_swap_chain(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::ReleaseSwapChain,
) -> HResult<()> {
    let Some(chain) = display.presents.remove(context, call.swap_chain) else {
        return no_such_chain(context, call.swap_chain);
    };
    if context.settings.revision >= Revision::CHAIN_REFERENCES {
        display.presents.drop_owner(chain.application.creator);
    }
    destroy_path(context, &chain);
    Ok(())
}
