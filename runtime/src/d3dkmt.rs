//! What user mode asks of the graphics kernel (d3dkmthk.h).

use crate::context::Context;
use crate::kernel::DisplayState;
use std::fmt;
use taut_schemas::{
    Bytes, DriverCaps, KmtQueryAdapterInfoType, MessageId, NtStatus, QueriedAdapterInfo, VidMmCaps, Wddm13Caps,
    WddmVersion, d3dkmt,
};

/// D3DKMTQueryAdapterInfo (rule C-03). What it answers is the adapter's alone (rule C-06).
pub(crate) fn query_adapter_info(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &d3dkmt::D3DKMTQueryAdapterInfo,
) -> QueriedAdapterInfo {
    let Some(kernel) = display.started(call.adapter) else {
        let text = format_args!("D3DKMTQueryAdapterInfo: adapter {} has not started.", call.adapter.0);
        return refused(context, NtStatus::INVALID_HANDLE, text);
    };
    // The operating system has the tiers' question from WDDM 2.9 on.
    let has_tiers = context.settings.os_wddm_version.0 >= WddmVersion::WDDM_2_9;
    let word = match call.info_type {
        KmtQueryAdapterInfoType::CROSSADAPTERRESOURCE_SUPPORT if has_tiers => Some(kernel.tier().0),
        KmtQueryAdapterInfoType::WDDM_1_3_CAPS => Some(wddm_1_3_caps(kernel.caps).0),
        _ => None,
    };
    let Some(word) = word else {
        let text = format_args!("D3DKMTQueryAdapterInfo: {:?} is no type that is answered.", call.info_type);
        return refused(context, NtStatus::INVALID_PARAMETER, text);
    };
    let data = word.to_le_bytes().to_vec();
    let (found, needed) = (call.private_driver_data_size_bytes, data.len());
    if (found as usize) < needed {
        let text = format_args!(
            "D3DKMTQueryAdapterInfo: {:?} takes {needed} bytes, PrivateDriverDataSize is {found}.",
            call.info_type
        );
        return refused(context, NtStatus::INVALID_PARAMETER, text);
    }
    QueriedAdapterInfo { status: NtStatus::SUCCESS, private_driver_data: Bytes(data) }
}

fn refused(context: &mut Context<'_>, status: NtStatus, text: fmt::Arguments<'_>) -> QueriedAdapterInfo {
    context.error(MessageId::UNKNOWN, text);
    QueriedAdapterInfo { status, private_driver_data: Bytes::default() }
}

fn wddm_1_3_caps(caps: DriverCaps) -> Wddm13Caps {
    let parts = [
        (caps.hybrid_integrated, Wddm13Caps::IS_HYBRID_INTEGRATED_GPU),
        (caps.hybrid_discrete, Wddm13Caps::IS_HYBRID_DISCRETE_GPU),
        (
            caps.memory_management_caps.contains(VidMmCaps::CROSS_ADAPTER_RESOURCE),
            Wddm13Caps::SUPPORT_CROSS_ADAPTER_RESOURCE,
        ),
    ];
    parts.into_iter().filter(|(holds, _)| *holds).fold(Wddm13Caps::NONE, |caps, (_, cap)| caps | cap)
}
