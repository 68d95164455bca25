//! Creation of devices.

use crate::context::Context;
use crate::driver::caps::Caps;
use crate::driver::ddi_version::DdiVersion;
use crate::kernel::DisplayState;
use crate::revision::Revision;
use crate::state::{Adapter, DeviceState};
use taut_schemas::{
    AdapterId, CrossAdapterTier, DdiCapsType, DeviceId, HResult, HResultCode, MessageId, VidMmCaps, WddmVersion, d3d12,
    d3d12_ddi, dxgkddi,
};

/// D3D12CreateDevice. The driver's capabilities are queried once per adapter.
pub(crate) fn create_device(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    display: &mut DisplayState,
    call: &d3d12::CreateDevice,
) -> HResult<DeviceId> {
    device.check_adapter(context, call.adapter)?;
    if device.is_removed() {
        return Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED);
    }
    if context.driver.d3d12_ddi().is_none() {
        context.error(MessageId::UNKNOWN, format_args!("The adapter's driver has no Direct3D 12."));
        return Err(HResultCode::DXGI_ERROR_UNSUPPORTED);
    }
    if device.adapter().is_none() {
        let adapter = query_adapter(context)?;
        check_kernel(context, display, device.adapter_id(), &adapter.caps)?;
        device.set_adapter(adapter);
    }
    let max_level = device.adapter().map_or(0, |adapter| adapter.caps.max_feature_level);
    if call.minimum_feature_level > max_level {
        let wanted = call.minimum_feature_level;
        let text = format_args!("MinimumFeatureLevel is 0x{wanted:x}, but the adapter's greatest is 0x{max_level:x}.");
        context.error(MessageId::UNKNOWN, text);
        return Err(HResultCode::DXGI_ERROR_UNSUPPORTED);
    }
    // The application has a reference again, if it had released the device.
    display.presents.desktop.released_devices.remove(&device.handle().0);
    Ok(device.handle())
}

/// Rule C-08: cross-adapter textures of the user-mode driver need a kernel-mode driver of the tier that supports them.
fn check_kernel(context: &mut Context<'_>, display: &DisplayState, adapter: AdapterId, caps: &Caps) -> HResult<()> {
    if display.is_down(adapter) {
        context.error(MessageId::UNKNOWN, format_args!("Adapter {} does not work.", adapter.0));
        return Err(HResultCode::DXGI_ERROR_UNSUPPORTED);
    }
    if !caps.cross_adapter_row_major_texture {
        return Ok(());
    }
    let started = display.started(adapter).map(|kernel| kernel.tier());
    let Some(tier) = started.or_else(|| unstarted_tier(context)) else { return Ok(()) };
    if tier >= CrossAdapterTier::TEXTURE {
        return Ok(());
    }
    context.error(
        MessageId::UNKNOWN,
        format_args!(
            "The user-mode driver says CrossAdapterRowMajorTextureSupported; the kernel-mode driver has tier {tier:?} of \
             cross-adapter resources, which has no textures."
        ),
    );
    Err(context.settings.kernel_tier_refusal.into())
}

/// Returns the tier of a kernel-mode driver in a session that starts no adapters: there the operating system has started
/// them. `None` without a kernel-mode driver.
fn unstarted_tier(context: &mut Context<'_>) -> Option<CrossAdapterTier> {
    if context.settings.revision < Revision::CHAIN_REFERENCES || context.driver.dxgkddi().is_none() {
        return None;
    }
    let caps = context.ddi(dxgkddi::DxgkDdiQueryAdapterInfo { adapters: 1 });
    // The bits of the later tiers are reserved before WDDM 2.9 (rule C-02).
    let textures = VidMmCaps::CROSS_ADAPTER_RESOURCE_TEXTURE | VidMmCaps::CROSS_ADAPTER_RESOURCE_SCANOUT;
    Some(match caps.wddm_version >= WddmVersion::WDDM_2_9 {
        true => caps.memory_management_caps.tier(),
        false => caps.memory_management_caps.without(textures).tier(),
    })
}

/// Queries the driver's capabilities. Capabilities of tight alignment are queried only if the driver's DDI version has
/// them (rule A-10).
fn query_adapter(context: &mut Context<'_>) -> HResult<Adapter> {
    let SupportedDdi { newest: ddi_version, background_0063, later_options } = query_version(context)?;
    // Caps are reset to tier 0: a driver that is not queried for tight alignment does not support it.
    let mut caps = Caps { tight_alignment_tier: 0, ..Caps::default() };
    let types = [
        (DdiCapsType::ARCHITECTURE_INFO, true),
        (DdiCapsType::MEMORY_ARCHITECTURE, true),
        (DdiCapsType::D3D12_OPTIONS, true),
        (DdiCapsType::TIGHT_ALIGNMENT_TIER_0111, ddi_version >= DdiVersion::V0111),
        (DdiCapsType::LATER_OPTIONS, later_options),
    ];
    for (caps_type, _) in types.into_iter().filter(|(_, requested)| *requested) {
        let size_bytes = caps.encode(caps_type).len() as u32;
        let data = get_caps(context, caps_type, size_bytes)?;
        if !caps.decode(caps_type, &data) {
            let found = data.len();
            context.error(
                MessageId::UNKNOWN,
                format_args!("The driver answered GetCaps({caps_type:?}) with {found} bytes, not {size_bytes}."),
            );
            return Err(HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR);
        }
    }
    Ok(Adapter { ddi_version, background_0063, caps })
}

/// Versions that a driver lists.
struct SupportedDdi {
    newest: DdiVersion,
    /// Version 0063 of background processing, which is assumed unless 0062 is listed without 0063 (rule X-23).
    background_0063: bool,
    /// The driver has capabilities of [`DdiCapsType::LATER_OPTIONS`]; for other drivers they have their defaults.
    later_options: bool,
}

/// Queries the versions that the driver supports. A driver without a supported version cannot be used.
fn query_version(context: &mut Context<'_>) -> HResult<SupportedDdi> {
    let versions = context.ddi(d3d12_ddi::GetSupportedVersions {}).map_or(Vec::new(), |supported| supported.versions);
    let old = versions.contains(&62) && !versions.contains(&63);
    let later_options = versions.contains(&DdiVersion::LATER_OPTIONS.0);
    let newest = versions.into_iter().max().map(DdiVersion);
    newest.map(|newest| SupportedDdi { newest, background_0063: !old, later_options }).ok_or_else(|| {
        context.error(MessageId::UNKNOWN, format_args!("The driver names no version of the DDI that it speaks."));
        HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR
    })
}

fn get_caps(context: &mut Context<'_>, caps_type: DdiCapsType, data_size_bytes: u32) -> HResult<Vec<u8>> {
    let answer = context.ddi(d3d12_ddi::GetCaps { caps_type, data_size_bytes });
    let data = answer.map_err(|code| {
        context.error(MessageId::UNKNOWN, format_args!("The driver answered GetCaps({caps_type:?}) with {code}."));
        HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR
    })?;
    Ok(data.0)
}
