//! Cross-adapter resources that DXGI creates through Direct3D 11 drivers (rules C-09 and C-10).

use super::errors::{invalid_arg, invalid_call};
use crate::context::Context;
use crate::kernel::DisplayState;
use crate::revision::Revision;
use crate::violation;
use crate::violation::ObservedValue;
use taut_schemas::format::{Format, FormatClass, FormatInfo};
use taut_schemas::{
    AdapterId, CrossAdapterTier, HResult, HResultCode, ObjectId, PrimaryDesc, PrimaryDriverFlags, SCAN_OUT_FORMATS,
    TextureView, dxgi, dxgi_ddi, pixel_bytes, rule,
};

/// Max width and height of a texture (D3D11_REQ_TEXTURE2D_U_OR_V_DIMENSION).
const MAX_SIDE: u32 = 16384;

/// The cross-adapter tier of an adapter that has started and has DXGI DDI functions.
fn tier(context: &mut Context<'_>, display: &DisplayState, adapter: AdapterId) -> HResult<CrossAdapterTier> {
    let Some(kernel) = display.started(adapter) else {
        return invalid_call(context, format_args!("Adapter {} has not started.", adapter.0));
    };
    let tier = kernel.tier();
    // COPY is the lowest tier with cross-adapter resources.
    if tier < CrossAdapterTier::COPY || context.driver_of(adapter).dxgi_ddi().is_none() {
        let text = format_args!("Adapter {} has tier {tier:?} of cross-adapter resources: it has none.", adapter.0);
        return context.refuse(HResultCode::DXGI_ERROR_UNSUPPORTED, ObjectId::NULL, text);
    }
    Ok(tier)
}

/// Creates a cross-adapter resource, with or without pPrimaryDesc.
pub(crate) fn create_cross_adapter_resource(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::CreateCrossAdapterResource,
) -> HResult<u64> {
    let &dxgi::CreateCrossAdapterResource { adapter, width, height, format, is_primary } = call;
    let sides = 1..=MAX_SIDE;
    if !sides.contains(&width) || !sides.contains(&height) {
        return invalid_arg(context, format_args!("{width} by {height}: sides are from 1 to {MAX_SIDE}."));
    }
    // A driver may scan out further formats (rules C-09, X-11): only its answer shows that.
    let is_further = context.settings.revision >= Revision::CHAIN_REFERENCES && is_further_format(format);
    if !is_further && !SCAN_OUT_FORMATS.contains(&format) {
        return invalid_arg(
            context,
            format_args!("{format:?} is none of the formats of scan-out ({}).", rule::C_10.id),
        );
    }
    let tier = tier(context, display, adapter)?;
    let desc = PrimaryDesc::new(width, height, format);
    let flags = context.ddi_of(adapter, dxgi_ddi::CreateResource { adapter, desc })?;
    if is_primary && flags.contains(PrimaryDriverFlags::NO_SCANOUT) {
        check_no_scanout(context, adapter, tier, &desc);
        // An error of the driver has no consequence here.
        let _ = context.ddi_of(adapter, dxgi_ddi::DestroyResource { adapter });
        let text = format_args!("The driver of adapter {} does not scan {width} by {height} out.", adapter.0);
        return context.refuse(HResultCode::DXGI_ERROR_UNSUPPORTED, ObjectId::NULL, text);
    }
    let scans_out = tier >= CrossAdapterTier::SCANOUT && !flags.contains(PrimaryDriverFlags::NO_SCANOUT);
    Ok(display.shared.add(adapter, desc, scans_out))
}

/// True for colour formats with 4 bytes per pixel, of which the primaries' rows may consist.
fn is_further_format(format: Format) -> bool {
    let is_plain = |info: &FormatInfo| info.class == FormatClass::Color && info.unit_texels == (1, 1);
    format.info().is_some_and(|info| is_plain(info) && u64::from(info.unit_bits / 8) == pixel_bytes(format))
}

/// Records the violation if a driver of tier SCANOUT sets NO_SCANOUT for a primary that every such driver must scan out
/// (rule C-10). The swap chain falls back to two copies, and no device is removed.
pub(super) fn check_no_scanout(
    context: &mut Context<'_>,
    adapter: AdapterId,
    tier: CrossAdapterTier,
    desc: &PrimaryDesc,
) {
    if tier < CrossAdapterTier::SCANOUT || !desc.is_within_min_scan_out() {
        return;
    }
    let PrimaryDesc { width, height, format, .. } = desc;
    let text = format_args!("Adapter {}: NO_SCANOUT for {width} by {height} in {format:?}.", adapter.0);
    // Strict mode would remove a device, but this call has none, so the result does not matter.
    let _ = violation::record_violation(context, rule::C_10, ObservedValue { found: 1, min: 0, max: 0 }, text);
}

/// Opens the resource on another adapter (pfnOpenResource).
pub(crate) fn open_cross_adapter_resource(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::OpenCrossAdapterResource,
) -> HResult<()> {
    let Some(desc) = display.shared.resource(call.resource).map(|resource| resource.desc) else {
        return no_resource(context, call.resource);
    };
    tier(context, display, call.adapter)?;
    context.ddi_of(call.adapter, dxgi_ddi::OpenResource { adapter: call.adapter, desc })?;
    display.shared.opened(call.resource, call.adapter);
    Ok(())
}

/// Creates a view on an adapter that created or opened the resource.
pub(crate) fn create_cross_adapter_view(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::CreateCrossAdapterView,
) -> HResult<()> {
    let &dxgi::CreateCrossAdapterView { adapter, resource, view, format } = call;
    let Some(found) = display.shared.resource(resource).cloned() else { return no_resource(context, resource) };
    // pfnOpenResource must precede a view.
    if !found.adapters.contains(&adapter.0) {
        return invalid_call(context, format_args!("Adapter {} has not opened resource {resource}.", adapter.0));
    }
    let tier = tier(context, display, adapter)?;
    // A view may reinterpret texels within a format family.
    let family = |format: Format| format.info().map(|info| info.family);
    let fault = if tier < CrossAdapterTier::TEXTURE {
        Some("the adapter copies cross-adapter resources, and views none")
    } else if family(format).is_none() || family(format) != family(found.desc.format) {
        Some("the format is of another family")
    } else if view == TextureView::UNORDERED_ACCESS && format.is_srgb() {
        Some("sRGB formats have no unordered access")
    } else {
        None
    };
    if let Some(fault) = fault {
        return invalid_arg(context, format_args!("{view:?} of resource {resource} in {format:?}: {fault}."));
    }
    let created = context.ddi_of(adapter, dxgi_ddi::CreateView { adapter, desc: found.desc, view, format });
    // The driver that scans out a format must view it, too (rule C-09).
    let is_scanned_out = found.scanned_out_by == Some(adapter.0) && format == found.desc.format;
    if let Err(code) = created
        && (SCAN_OUT_FORMATS.contains(&format) || is_scanned_out)
    {
        let text = format_args!("Adapter {} has tier {tier:?}, and {view:?} in {format:?} gives {code:?}.", adapter.0);
        violation::record_violation(context, rule::C_09, ObservedValue { found: 0, min: 1, max: 1 }, text)?;
    }
    created
}

/// Releases the last reference.
pub(crate) fn release_cross_adapter_resource(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::ReleaseCrossAdapterResource,
) -> HResult<()> {
    let Some(gone) = display.shared.remove(call.resource) else { return no_resource(context, call.resource) };
    for adapter in gone.adapters.into_iter().map(AdapterId) {
        // An error of the driver has no consequence here.
        let _ = context.ddi_of(adapter, dxgi_ddi::DestroyResource { adapter });
    }
    Ok(())
}

fn no_resource<T>(context: &mut Context<'_>, number: u64) -> HResult<T> {
    invalid_call(context, format_args!("There is no cross-adapter resource {number}."))
}
