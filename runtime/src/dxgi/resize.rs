//! ResizeBuffers, ResizeBuffers1 and ResizeTarget.

use super::errors::{chain_mut, invalid_call};
use super::reselect::apply_change;
use super::validate::{SwapChainTarget, validate};
use crate::context::Context;
use crate::kernel::DisplayState;
use crate::revision::Revision;
use taut_schemas::format::Format;
use taut_schemas::{HResult, HResultCode, ObjectId, SwapChainDesc, SwapChainFlags, SwapChainId, dxgi, rule};

/// Flags that ResizeBuffers must not change.
const FIXED_FLAGS: SwapChainFlags =
    SwapChainFlags(SwapChainFlags::FRAME_LATENCY_WAITABLE_OBJECT.0 | SwapChainFlags::ALLOW_TEARING.0);

/// IDXGISwapChain::ResizeBuffers.
pub(crate) fn resize_buffers(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::ResizeBuffers,
) -> HResult<()> {
    let &dxgi::ResizeBuffers { swap_chain, buffer_count, width, height, format, flags } = call;
    resize(context, display, swap_chain, BufferChange { buffer_count, width, height, format, flags })
}

/// IDXGISwapChain3::ResizeBuffers1.
pub(crate) fn resize_buffers_1(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::ResizeBuffers1,
) -> HResult<()> {
    let chain = chain_mut(context, display, call.swap_chain)?;
    if chain.application.is_of_queue() {
        let count = if call.buffer_count == 0 { chain.desc.buffer_count } else { call.buffer_count } as usize;
        // The adapter has one node, so 1 is the only valid mask.
        let nodes = call.node_masks.len() == count && call.node_masks.iter().all(|mask| *mask == 1);
        let queues = call.queues.len() == count && call.queues.iter().all(|queue| queue.0 != 0);
        if !nodes || !queues {
            let text = format_args!("Each of {count} buffers needs the mask of a node that is there, and a queue.");
            return invalid_call(context, text);
        }
    } else if !call.queues.is_empty() && context.settings.revision >= Revision::CHAIN_OWNERS {
        let text = format_args!("ResizeBuffers1: the swap chain's device is of Direct3D 11, which has no queues.");
        return invalid_call(context, text);
    }
    let dxgi::ResizeBuffers1 { buffer_count, width, height, format, flags, .. } = *call;
    resize(context, display, call.swap_chain, BufferChange { buffer_count, width, height, format, flags })
}

/// Buffers that a call requests; 0 and `UNKNOWN` keep the current value.
struct BufferChange {
    buffer_count: u32,
    width: u32,
    height: u32,
    format: Format,
    flags: SwapChainFlags,
}

fn resize(context: &mut Context<'_>, display: &mut DisplayState, id: SwapChainId, change: BufferChange) -> HResult<()> {
    let BufferChange { buffer_count: count, width, height, format, flags } = change;
    let chain = chain_mut(context, display, id)?;
    if chain.application.is_removed {
        return Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED);
    }
    // Rule D-05: nothing changes and no path is chosen while a buffer is referenced.
    if chain.application.is_referenced() {
        return invalid_call(context, format_args!("A buffer is still referenced ({}).", rule::D_05.id));
    }
    if (chain.desc.flags.0 ^ flags.0) & FIXED_FLAGS.0 != 0 {
        return invalid_call(context, format_args!("ResizeBuffers does not change what was chosen at creation."));
    }
    let (before, front) = (chain.desc, &chain.application);
    let (number, shown_on) = (front.window_desc.window, chain.display);
    let (is_of_queue, samples) = (front.is_of_queue(), front.window_desc.samples);
    let of_display = display.presents.display(shown_on).map_or((0, 0), |on| (on.mode.width, on.mode.height));
    let window = display.presents.desktop.window(number).map_or(of_display, |window| (window.width, window.height));
    let desc = SwapChainDesc {
        width,
        height,
        format: if format == Format::UNKNOWN { before.format } else { format },
        buffer_count: if count == 0 { before.buffer_count } else { count },
        flags,
        ..before
    };
    let desc = validate(context, desc, SwapChainTarget { is_of_queue, samples, window })?;
    apply_change(context, display, id, |chain| {
        chain.desc = desc;
        chain.application.resized(desc.buffer_count);
    })
}

/// IDXGISwapChain::ResizeTarget.
pub(crate) fn resize_target(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::ResizeTarget,
) -> HResult<()> {
    let chain = chain_mut(context, display, call.swap_chain)?;
    if call.width == 0 || call.height == 0 {
        return invalid_call(context, format_args!("ResizeTarget: {} by {} is no size.", call.width, call.height));
    }
    let (is_full_screen, number, shown_on) =
        (chain.application.is_full_screen, chain.application.window_desc.window, chain.display);
    if is_full_screen {
        let mode = display.presents.display(shown_on).map(|on| (on.mode.width, on.mode.height));
        if mode == Some((call.width, call.height)) {
            return Ok(());
        }
        // Only the machine changes a display's mode, so ResizeTarget cannot.
        let text = format_args!("The display has no mode of {} by {}.", call.width, call.height);
        return context.refuse(HResultCode::DXGI_ERROR_NOT_CURRENTLY_AVAILABLE, ObjectId::NULL, text);
    }
    if let Some(window) = display.presents.desktop.window(number) {
        let window = crate::kernel::Window { width: call.width, height: call.height, ..window };
        let _ = display.presents.desktop.set_window(number, window);
    }
    display.presents.update_coverage(call.swap_chain);
    Ok(())
}
