//! User-mode queries to the graphics kernel (d3dkmthk.h).

use crate::context::Context;
use crate::kernel::DisplayState;
use std::fmt;
use taut_schemas::{
    AdapterId, Bytes, CrossAdapterTier, DriverCaps, KmtQueryAdapterInfoType, MessageId, NtStatus, QueriedAdapterInfo,
    VidMmCaps, Wddm13Caps, WddmVersion, d3dkmt,
};

/// Implements D3DKMTQueryAdapterInfo (rule C-03). The answer depends on the adapter alone (rule C-06).
pub(crate) fn query_adapter_info(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &d3dkmt::D3DKMTQueryAdapterInfo,
) -> QueriedAdapterInfo {
    let Some(kernel) = display.started(call.adapter) else {
        let text = format_args!("D3DKMTQueryAdapterInfo: adapter {} has not started.", call.adapter.0);
        return refused(context, NtStatus::INVALID_HANDLE, text);
    };
    // The operating system supports the tier query from WDDM 2.9 on.
    let hybrid = [is_hybrid_integrated(display, call.adapter), is_hybrid_discrete(display, call.adapter)];
    let has_tiers = context.settings.os_wddm_version.0 >= WddmVersion::WDDM_2_9;
    let word = match call.info_type {
        KmtQueryAdapterInfoType::CROSSADAPTERRESOURCE_SUPPORT if has_tiers => Some(kernel.tier().0),
        KmtQueryAdapterInfoType::WDDM_1_3_CAPS => Some(wddm_1_3_caps(kernel.caps, hybrid).0),
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

/// True for the integrated adapter of a hybrid system. It has the panel, if any adapter has a display (rule C-12).
pub(crate) fn is_hybrid_integrated(display: &DisplayState, adapter: AdapterId) -> bool {
    let has_display = |other| display.presents.displays_of(other).next().is_some();
    let is_integrated = display.started(adapter).is_some_and(|kernel| kernel.caps.hybrid_integrated);
    is_integrated && (has_display(adapter) || !display.adapters().any(has_display))
}

/// True for the discrete adapter of a hybrid system. It supports copies, has no display, and is the first such adapter
/// (rule C-12).
pub(crate) fn is_hybrid_discrete(display: &DisplayState, adapter: AdapterId) -> bool {
    let fits = |other: AdapterId| {
        display.started(other).is_some_and(|kernel| {
            kernel.caps.hybrid_discrete
                && kernel.tier() >= CrossAdapterTier::COPY
                && display.presents.displays_of(other).next().is_none()
        })
    };
    fits(adapter) && display.adapters().filter(|other| *other < adapter).all(|other| !fits(other))
}

fn wddm_1_3_caps(caps: DriverCaps, [is_integrated, is_discrete]: [bool; 2]) -> Wddm13Caps {
    let parts = [
        (is_integrated, Wddm13Caps::IS_HYBRID_INTEGRATED_GPU),
        (is_discrete, Wddm13Caps::IS_HYBRID_DISCRETE_GPU),
        (
            caps.memory_management_caps.contains(VidMmCaps::CROSS_ADAPTER_RESOURCE),
            Wddm13Caps::SUPPORT_CROSS_ADAPTER_RESOURCE,
        ),
    ];
    parts.into_iter().filter(|(holds, _)| *holds).fold(Wddm13Caps::NONE, |caps, (_, cap)| caps | cap)
}
