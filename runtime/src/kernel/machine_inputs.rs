//! Inputs that describe the machine, connect displays, and advance simulated time.

use super::state::DisplayState;
use super::swap_chain::ConnectedDisplay;
use crate::context::Context;
use taut_schemas::{AdapterId, HResult, HResultCode, MessageId, NtStatus, ObjectId, machine};

fn refused(context: &mut Context<'_>, status: NtStatus, text: std::fmt::Arguments<'_>) -> NtStatus {
    context.error(MessageId::UNKNOWN, text);
    status
}

/// The error of a description of an unknown adapter, or after the first swap chain, when the machine must not change.
fn refusal(context: &mut Context<'_>, display: &DisplayState, adapter: AdapterId) -> Option<NtStatus> {
    if !display.has(adapter) {
        let text = format_args!("There is no adapter {}.", adapter.0);
        return Some(refused(context, NtStatus::NO_SUCH_DEVICE, text));
    }
    let text = format_args!("The machine is described after its first swap chain.");
    display.presents.has_begun().then(|| refused(context, NtStatus::INVALID_DEVICE_STATE, text))
}

/// Describes the parts that all adapters share.
pub(crate) fn describe_machine(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &machine::DescribeMachine,
) -> NtStatus {
    if let Some(status) = refusal(context, display, AdapterId::FIRST) {
        return status;
    }
    if call.system_memory_bytes_per_second == 0 {
        return refused(context, NtStatus::INVALID_PARAMETER, format_args!("The system's memory has no bandwidth."));
    }
    let parts = &mut display.presents.parts;
    parts.system_memory_bytes_per_second = call.system_memory_bytes_per_second;
    parts.cross_adapter_fence_ns = call.cross_adapter_fence_ns;
    NtStatus::SUCCESS
}

/// Describes an adapter's parts.
pub(crate) fn describe_adapter(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &machine::DescribeAdapter,
) -> NtStatus {
    if let Some(status) = refusal(context, display, call.adapter) {
        return status;
    }
    let own = call.parts.memory_bytes_per_second > 0 && call.parts.link_bytes_per_second > 0;
    if call.parts.copy_bytes_per_second == 0 || !(call.parts.uses_system_memory || own) {
        let text = format_args!("Adapter {} cannot copy: one of its rates is 0.", call.adapter.0);
        return refused(context, NtStatus::INVALID_PARAMETER, text);
    }
    if let Some(parts) = display.presents.parts.adapters.get_mut(call.adapter.index()) {
        *parts = call.parts;
    }
    NtStatus::SUCCESS
}

/// Connects a display, at the start of a session or while other displays already show frames.
pub(crate) fn connect(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &machine::ConnectDisplay,
) -> NtStatus {
    if !display.has(call.adapter) {
        let text = format_args!("There is no adapter {}.", call.adapter.0);
        return refused(context, NtStatus::NO_SUCH_DEVICE, text);
    }
    if call.mode.width == 0 || call.mode.height == 0 || call.mode.refresh_millihertz == 0 {
        return refused(context, NtStatus::INVALID_PARAMETER, format_args!("A display has no size, or no refreshes."));
    }
    display.presents.connected(ConnectedDisplay {
        adapter: call.adapter,
        mode: call.mode,
        refreshes_at_ns: Vec::new(),
    });
    NtStatus::SUCCESS
}

/// Adds a recorded refresh of a display.
pub(crate) fn refresh_display(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &machine::RefreshDisplay,
) -> NtStatus {
    if let Some(status) = refusal(context, display, AdapterId::FIRST) {
        return status;
    }
    let Some(connected) = display.presents.displays.get_mut(call.display as usize) else {
        return refused(context, NtStatus::INVALID_PARAMETER, format_args!("There is no display {}.", call.display));
    };
    let last = connected.refreshes_at_ns.last().copied().unwrap_or(0);
    if call.refresh_at_ns <= last {
        let text = format_args!("A refresh at {} ns comes after one at {last} ns.", call.refresh_at_ns);
        return refused(context, NtStatus::INVALID_PARAMETER, text);
    }
    connected.refreshes_at_ns.push(call.refresh_at_ns);
    NtStatus::SUCCESS
}

/// Advances simulated time.
pub(crate) fn advance_simulation(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &machine::AdvanceSimulation,
) -> HResult<u64> {
    let (now_ns, until_ns) = (display.presents.now_ns(), call.until_at_ns);
    if !display.presents.has_begun() {
        let text = format_args!("There is nothing to simulate: no swap chain was created.");
        return context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, ObjectId::NULL, text);
    }
    if until_ns < now_ns {
        let text = format_args!("Time does not run backwards: it is {now_ns} ns, not yet {until_ns}.");
        return context.refuse(HResultCode::E_INVALIDARG, ObjectId::NULL, text);
    }
    Ok(display.advance(context, until_ns))
}
