//! Swap chains: created, presented, released.

use super::decision::decide;
use crate::context::Context;
use crate::d3d12::open;
use crate::kernel::{DisplayState, SwapChain};
use crate::submission::SubmissionState;
use taut_schemas::format::Format;
use taut_schemas::{
    Call, HResult, HResultCode, HybridPresentMode, ObjectId, PresentFlags, SwapChainDesc, SwapChainFlags, SwapChainId,
    dxgi, dxgi_ddi, rule,
};

/// The formats of the flip model (rule D-02).
const FLIP_FORMATS: [Format; 4] =
    [Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM, Format::R10G10B10A2_UNORM, Format::R16G16B16A16_FLOAT];
/// The greatest side of a buffer.
const GREATEST_SIDE: u32 = 16384;

fn invalid<T>(context: &mut Context<'_>, text: std::fmt::Arguments<'_>) -> HResult<T> {
    context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, ObjectId::NULL, text)
}

/// IDXGIFactory2::CreateSwapChainForHwnd on a Direct3D 12 command queue.
pub(crate) fn create_swap_chain_for_hwnd(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    display: &mut DisplayState,
    call: &dxgi::CreateSwapChainForHwnd,
) -> HResult<SwapChainId> {
    open(context, queue, call.command_queue)?;
    let Some(connected) = display.presents.display(call.display) else {
        return invalid(context, format_args!("CreateSwapChainForHwnd: there is no display {}.", call.display));
    };
    let desc = checked(context, call.desc, (connected.mode.width, connected.mode.height))?;
    if let Some(lacking) = display.presents.lacking([call.adapter(), connected.adapter]) {
        return invalid(context, format_args!("CreateSwapChainForHwnd: {lacking} was not described."));
    }
    let id = display.presents.next_id();
    let mut chain = SwapChain::new(desc, call.adapter(), (call.display, connected.adapter), call.covers);
    chain.mode = decide(context, display, (id, &chain))?;
    display.presents.add(id, chain);
    Ok(id)
}

/// What is created: sizes of 0 are the window's (rule D-06).
fn checked(context: &mut Context<'_>, desc: SwapChainDesc, window: (u32, u32)) -> HResult<SwapChainDesc> {
    let or = |size, of_window: u32| if size == 0 { of_window.max(8) } else { size };
    let desc = SwapChainDesc { width: or(desc.width, window.0), height: or(desc.height, window.1), ..desc };
    if !desc.swap_effect.is_flip_model() {
        let text = format_args!(
            "SwapEffect is {:?}: on a command queue the flip model alone ({}).",
            desc.swap_effect,
            rule::D_01.id
        );
        return invalid(context, text);
    }
    if !(2..=16).contains(&desc.buffer_count) {
        return invalid(
            context,
            format_args!("BufferCount is {}: 2 to 16 in the flip model ({}).", desc.buffer_count, rule::D_01.id),
        );
    }
    if !FLIP_FORMATS.contains(&desc.format) {
        return invalid(
            context,
            format_args!("Format is {:?}: none of the flip model's ({}).", desc.format, rule::D_02.id),
        );
    }
    if desc.width > GREATEST_SIDE || desc.height > GREATEST_SIDE {
        let (width, height) = (desc.width, desc.height);
        return invalid(context, format_args!("{width} by {height} is beyond {GREATEST_SIDE} by {GREATEST_SIDE}."));
    }
    Ok(desc)
}

fn no_chain<T>(context: &mut Context<'_>, id: SwapChainId) -> HResult<T> {
    context.refuse(HResultCode::E_HANDLE, ObjectId::NULL, format_args!("There is no swap chain {}.", id.0))
}

/// IDXGISwapChain1::Present1.
pub(crate) fn present_1(context: &mut Context<'_>, display: &mut DisplayState, call: &dxgi::Present1) -> HResult<u64> {
    let now_ns = display.presents.now_ns();
    let Some(chain) = display.presents.chain(call.swap_chain) else { return no_chain(context, call.swap_chain) };
    if call.sync_interval > 4 {
        return invalid(
            context,
            format_args!("SyncInterval is {}, at most 4 ({}).", call.sync_interval, rule::D_04.id),
        );
    }
    let tears = call.flags.contains(PresentFlags::ALLOW_TEARING);
    if tears && (call.sync_interval > 0 || !chain.desc.flags.contains(SwapChainFlags::ALLOW_TEARING)) {
        return invalid(context, format_args!("Tearing needs SyncInterval 0 and a swap chain that allows it."));
    }
    if call.flags.contains(PresentFlags::TEST) {
        return Ok(chain.present_count);
    }
    if chain.process_at_ns > now_ns {
        let at_ns = chain.process_at_ns;
        return invalid(context, format_args!("The application is there at {at_ns} ns; it is {now_ns} ns."));
    }
    if chain.is_presenting {
        return invalid(context, format_args!("The Present1 before it has not ended."));
    }
    Ok(display.presents.present(call.swap_chain, call.sync_interval, tears))
}

/// The end of a Present1.
pub(crate) fn finish_present_1(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::FinishPresent1,
) -> HResult<u64> {
    let Some(chain) = display.presents.chain(call.swap_chain) else { return no_chain(context, call.swap_chain) };
    if !chain.is_presenting {
        return invalid(context, format_args!("No Present1 of swap chain {} has begun.", call.swap_chain.0));
    }
    // What the application goes by; it is no mistake to ask.
    display.presents.finish_present(call.swap_chain).ok_or(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING)
}

/// What the application's next frame costs.
pub(crate) fn simulate_work(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::SimulateWork,
) -> HResult<u64> {
    match display.presents.work(call.swap_chain, call.cpu_ns, call.gpu_ns) {
        Some(at_ns) => Ok(at_ns),
        None => no_chain(context, call.swap_chain),
    }
}

/// IUnknown::Release: its frames end, and what was created for it goes.
pub(crate) fn release_swap_chain(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::ReleaseSwapChain,
) -> HResult<()> {
    let Some(chain) = display.presents.remove(context, call.swap_chain) else {
        return no_chain(context, call.swap_chain);
    };
    if chain.mode == HybridPresentMode::ONE_COPY_PATH_CASO {
        for adapter in [chain.render, chain.display_adapter] {
            // What the driver answers changes nothing.
            let _ = context.ddi_of(adapter, dxgi_ddi::DestroyResource { adapter });
        }
    }
    Ok(())
}
