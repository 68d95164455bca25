//! Start and removal of adapters. An adapter whose capabilities contradict each other is not started.

use super::DisplayState;
use super::state::KernelAdapter;
use crate::context::Context;
use taut_schemas::{
    DriverCaps, MessageId, MessageSeverity, NtStatus, ObjectId, VidMmCaps, WddmVersion, dxgkddi, machine,
};

/// Capability bits that are reserved before WDDM 2.9.
const FROM_WDDM_2_9: [(VidMmCaps, &str); 2] = [
    (VidMmCaps::CROSS_ADAPTER_RESOURCE_TEXTURE, "CrossAdapterResourceTexture"),
    (VidMmCaps::CROSS_ADAPTER_RESOURCE_SCANOUT, "CrossAdapterResourceScanout"),
];

/// Starts an adapter.
pub(crate) fn start_adapter(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &machine::StartAdapter,
) -> NtStatus {
    if !display.has(call.adapter) {
        context.error(MessageId::UNKNOWN, format_args!("There is no adapter {}.", call.adapter.0));
        return NtStatus::NO_SUCH_DEVICE;
    }
    if display.started(call.adapter).is_some() {
        context.error(MessageId::UNKNOWN, format_args!("Adapter {} has started already.", call.adapter.0));
        return NtStatus::DEVICE_ALREADY_ATTACHED;
    }
    // The driver gets the number of adapters that work, this one included.
    let (status, started) = start(context, call, display.started_count() + 1);
    display.set_started(call.adapter, started);
    status
}

/// Queries a driver at its start; `None` if the adapter cannot be used.
fn start(context: &mut Context<'_>, call: &machine::StartAdapter, adapters: u32) -> (NtStatus, Option<KernelAdapter>) {
    let refused = |context: &mut Context<'_>, status, text: std::fmt::Arguments<'_>| {
        context.error(MessageId::UNKNOWN, text);
        (status, None)
    };
    if context.driver.dxgkddi().is_none() {
        let text = format_args!("Adapter {} has no kernel-mode driver.", call.adapter.0);
        return refused(context, NtStatus::NOT_SUPPORTED, text);
    }
    let functions = context.ddi(dxgkddi::DriverEntry {});
    let status = context.ddi(dxgkddi::DxgkDdiStartDevice {});
    if status != NtStatus::SUCCESS {
        let text = format_args!("The driver of adapter {} answers {status:?} to its start.", call.adapter.0);
        return refused(context, status, text);
    }
    let caps = context.ddi(dxgkddi::DxgkDdiQueryAdapterInfo { adapters });
    let caps = without_reserved(context, call, caps);
    if let Some(missing) = caps.memory_management_caps.missing_tier() {
        // Rule C-01: each tier includes the tier below. The status is this project's choice (rule X-14).
        let text = format_args!(
            "The caps of adapter {} say tier {:?} of cross-adapter resources without tier {missing:?}: it is not started.",
            call.adapter.0,
            caps.memory_management_caps.tier()
        );
        // The driver has started by now, so it is stopped again.
        context.ddi(dxgkddi::DxgkDdiStopDevice {});
        return refused(context, NtStatus::INVALID_PARAMETER, text);
    }
    (NtStatus::SUCCESS, Some(KernelAdapter { functions, caps }))
}

/// Clears the two bits that are reserved before WDDM 2.9, with a warning (rule C-02).
fn without_reserved(context: &mut Context<'_>, call: &machine::StartAdapter, caps: DriverCaps) -> DriverCaps {
    if caps.wddm_version >= WddmVersion::WDDM_2_9 {
        return caps;
    }
    let mut valid_caps = caps;
    for (bit, name) in FROM_WDDM_2_9 {
        if caps.memory_management_caps.contains(bit) {
            valid_caps.memory_management_caps = valid_caps.memory_management_caps.without(bit);
            let text = format_args!(
                "The driver of adapter {} speaks {:?}, where {name} is reserved: the bit is ignored.",
                call.adapter.0, caps.wddm_version
            );
            context.message(MessageSeverity::WARNING, MessageId::UNKNOWN, ObjectId::NULL, text);
        }
    }
    valid_caps
}

/// Removes an adapter.
pub(crate) fn stop_adapter(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &machine::StopAdapter,
) -> NtStatus {
    if display.started(call.adapter).is_none() {
        context.error(MessageId::UNKNOWN, format_args!("Adapter {} has not started.", call.adapter.0));
        return NtStatus::INVALID_DEVICE_STATE;
    }
    display.set_stopped(call.adapter);
    display.presents.adapter_removed(context, call.adapter);
    display.shared.adapter_removed(call.adapter);
    context.ddi(dxgkddi::DxgkDdiStopDevice {})
}
