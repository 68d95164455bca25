//! Max frame latency, and waits on frame latency waitable objects.

use super::errors::{chain_mut, invalid_call};
use crate::context::Context;
use crate::d3d11::open_device;
use crate::kernel::{DisplayState, FRAME_LATENCY};
use crate::state::Objects;
use taut_schemas::{HResult, HResultCode, ObjectId, SwapChainId, WaitStatus, dxgi, rule};

/// Max frame latency that an application can set (rule D-09).
const MAX_LATENCY: u32 = 16;
/// The INFINITE time-out of WaitForSingleObject.
const INFINITE: u32 = u32::MAX;
const NS_PER_MS: u64 = 1_000_000;

/// IDXGIDevice1::SetMaximumFrameLatency.
pub(crate) fn set_device_maximum_frame_latency(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    objects: &mut dyn Objects,
    call: &dxgi::SetDeviceMaximumFrameLatency,
) -> HResult<()> {
    open_device(context, objects, call.device)?;
    if call.latency > MAX_LATENCY {
        let (latency, id) = (call.latency, rule::D_09.id);
        return invalid_call(context, format_args!("MaxLatency is {latency}, at most {MAX_LATENCY} ({id})."));
    }
    // 0 selects the default of 3.
    let latency = if call.latency == 0 { FRAME_LATENCY } else { call.latency };
    display.presents.desktop.device_latency.insert(call.device.0, latency);
    Ok(())
}

/// IDXGIDevice1::GetMaximumFrameLatency.
pub(crate) fn get_device_maximum_frame_latency(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    objects: &mut dyn Objects,
    call: &dxgi::GetDeviceMaximumFrameLatency,
) -> HResult<u32> {
    open_device(context, objects, call.device)?;
    Ok(display.presents.desktop.device_latency.get(&call.device.0).copied().unwrap_or(FRAME_LATENCY))
}

/// Validates that the swap chain has a latency of its own, which needs a waitable object.
fn waitable(context: &mut Context<'_>, display: &mut DisplayState, id: SwapChainId) -> HResult<()> {
    if chain_mut(context, display, id)?.is_waitable() {
        return Ok(());
    }
    invalid_call(context, format_args!("The swap chain has no waitable object, so no latency ({}).", rule::D_09.id))
}

/// IDXGISwapChain2::SetMaximumFrameLatency.
pub(crate) fn set_maximum_frame_latency(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::SetMaximumFrameLatency,
) -> HResult<()> {
    waitable(context, display, call.swap_chain)?;
    if call.latency == 0 || call.latency > MAX_LATENCY {
        let (latency, id) = (call.latency, rule::D_09.id);
        return invalid_call(context, format_args!("MaxLatency is {latency}: 1 to {MAX_LATENCY} ({id})."));
    }
    let front = &mut chain_mut(context, display, call.swap_chain)?.application;
    // An increase adds signals at once; a decrease does not remove signals that were added before.
    front.signals = front.signals.saturating_add(call.latency.saturating_sub(front.latency));
    front.latency = call.latency;
    Ok(())
}

/// IDXGISwapChain2::GetMaximumFrameLatency.
pub(crate) fn get_maximum_frame_latency(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::GetMaximumFrameLatency,
) -> HResult<u32> {
    waitable(context, display, call.swap_chain)?;
    Ok(chain_mut(context, display, call.swap_chain)?.application.latency)
}

/// IDXGISwapChain2::GetFrameLatencyWaitableObject.
pub(crate) fn get_frame_latency_waitable_object(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::GetFrameLatencyWaitableObject,
) -> HResult<u64> {
    if !chain_mut(context, display, call.swap_chain)?.is_waitable() {
        return Ok(0);
    }
    Ok(display.presents.desktop.add_waitable(call.swap_chain))
}

fn no_handle<T>(context: &mut Context<'_>, handle: u64) -> HResult<T> {
    let text = format_args!("There is no handle {handle} of a waitable object.");
    context.refuse(HResultCode::E_HANDLE, ObjectId::NULL, text)
}

/// Consumes a signal of a handle's swap chain. A released chain never blocks a wait.
fn take(display: &mut DisplayState, handle: u64) -> Option<bool> {
    let chain = display.presents.desktop.waitable_mut(handle)?.chain;
    let Some(chain) = display.presents.chain_mut(chain) else { return Some(true) };
    let left = chain.application.signals.checked_sub(1);
    chain.application.signals = left.unwrap_or(0);
    Some(left.is_some())
}

/// WaitForSingleObject of a waitable object, up to the point where it blocks.
pub(crate) fn begin_wait_for_frame_latency(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::BeginWaitForFrameLatency,
) -> HResult<WaitStatus> {
    let now_ns = display.presents.now_ns();
    match take(display, call.handle) {
        None => no_handle(context, call.handle),
        Some(true) => Ok(WaitStatus::OBJECT_0),
        Some(false) if call.timeout_ms == 0 => Ok(WaitStatus::TIMEOUT),
        Some(false) => {
            let until_at_ns = match call.timeout_ms {
                INFINITE => u64::MAX,
                timeout_ms => now_ns.saturating_add(u64::from(timeout_ms) * NS_PER_MS),
            };
            if let Some(waitable) = display.presents.desktop.waitable_mut(call.handle) {
                waitable.until_at_ns = Some(until_at_ns);
            }
            Ok(WaitStatus::PENDING)
        }
    }
}

/// Completes a wait that blocked.
pub(crate) fn finish_wait_for_frame_latency(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::FinishWaitForFrameLatency,
) -> HResult<WaitStatus> {
    let now_ns = display.presents.now_ns();
    let Some(waitable) = display.presents.desktop.waitable_mut(call.handle) else {
        return no_handle(context, call.handle);
    };
    let Some(until_at_ns) = waitable.until_at_ns else {
        return invalid_call(context, format_args!("No wait for handle {} has begun.", call.handle));
    };
    let status = match take(display, call.handle) {
        Some(true) => WaitStatus::OBJECT_0,
        // The time-out is compared with simulated time; the caller advances it.
        _ if now_ns >= until_at_ns => WaitStatus::TIMEOUT,
        // Not an error: the application polls with this call until the wait completes.
        _ => return Err(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING),
    };
    if let Some(waitable) = display.presents.desktop.waitable_mut(call.handle) {
        waitable.until_at_ns = None;
    }
    Ok(status)
}

/// CloseHandle of a waitable object.
pub(crate) fn close_frame_latency_waitable_object(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::CloseFrameLatencyWaitableObject,
) -> HResult<()> {
    match display.presents.desktop.close_waitable(call.handle) {
        Some(_) => Ok(()),
        None => no_handle(context, call.handle),
    }
}
