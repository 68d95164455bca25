//! Cross-adapter resources as DXGI has Direct3D 11's drivers make them (rules C-09 and C-10).

use super::said::{bad_argument, invalid};
use crate::context::Context;
use crate::kernel::DisplayState;
use crate::violation;
use taut_schemas::format::Format;
use taut_schemas::{
    AdapterId, CrossAdapterTier, HResult, HResultCode, ObjectId, PrimaryDesc, PrimaryDriverFlags, SCAN_OUT_FORMATS,
    TextureView, dxgi, dxgi_ddi, rule,
};

/// The greatest side of a texture.
const GREATEST_SIDE: u32 = 16384;

/// The tier of an adapter that works and has functions for DXGI.
fn tier(context: &mut Context<'_>, display: &DisplayState, adapter: AdapterId) -> HResult<CrossAdapterTier> {
    let Some(kernel) = display.started(adapter) else {
        return invalid(context, format_args!("Adapter {} has not started.", adapter.0));
    };
    let tier = kernel.tier();
    if tier < CrossAdapterTier::COPY || context.driver_of(adapter).dxgi_ddi().is_none() {
        let text = format_args!("Adapter {} has tier {tier:?} of cross-adapter resources: it has none.", adapter.0);
        return context.refuse(HResultCode::DXGI_ERROR_UNSUPPORTED, ObjectId::NULL, text);
    }
    Ok(tier)
}

/// A cross-adapter resource, with pPrimaryDesc or without.
pub(crate) fn create_cross_adapter_resource(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::CreateCrossAdapterResource,
) -> HResult<u64> {
    let &dxgi::CreateCrossAdapterResource { adapter, width, height, format, is_primary } = call;
    let sides = 1..=GREATEST_SIDE;
    if !sides.contains(&width) || !sides.contains(&height) {
        return bad_argument(context, format_args!("{width} by {height}: sides are from 1 to {GREATEST_SIDE}."));
    }
    if !SCAN_OUT_FORMATS.contains(&format) {
        return bad_argument(
            context,
            format_args!("{format:?} is none of the formats of scan-out ({}).", rule::C_10.id),
        );
    }
    let tier = tier(context, display, adapter)?;
    let desc = PrimaryDesc::new(width, height, format);
    let flags = context.ddi_of(adapter, dxgi_ddi::CreateResource { adapter, desc })?;
    if is_primary && flags.contains(PrimaryDriverFlags::NO_SCANOUT) {
        opted_out(context, (adapter, tier), &desc);
        // What the driver answers changes nothing.
        let _ = context.ddi_of(adapter, dxgi_ddi::DestroyResource { adapter });
        let text = format_args!("The driver of adapter {} does not scan {width} by {height} out.", adapter.0);
        return context.refuse(HResultCode::DXGI_ERROR_UNSUPPORTED, ObjectId::NULL, text);
    }
    Ok(display.shared.add(adapter, desc))
}

/// NO_SCANOUT within what every driver of tier 3 scans out breaks rule C-10. The swap chain takes two copies: no device goes.
pub(super) fn opted_out(context: &mut Context<'_>, (adapter, tier): (AdapterId, CrossAdapterTier), desc: &PrimaryDesc) {
    if tier < CrossAdapterTier::SCANOUT || !desc.is_within_the_least() {
        return;
    }
    let PrimaryDesc { width, height, format, .. } = desc;
    let text = format_args!("Adapter {}: NO_SCANOUT for {width} by {height} in {format:?}.", adapter.0);
    // What strict mode would remove is no device of this call's.
    let _ = violation::say(context, rule::C_10, (1, 0, 0), text);
}

/// pfnOpenResource on another adapter.
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

/// A view, on an adapter that has the resource.
pub(crate) fn create_cross_adapter_view(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::CreateCrossAdapterView,
) -> HResult<()> {
    let &dxgi::CreateCrossAdapterView { adapter, resource, view, format } = call;
    let Some(found) = display.shared.resource(resource).cloned() else { return no_resource(context, resource) };
    if !found.adapters.contains(&adapter.0) {
        return invalid(context, format_args!("Adapter {} has not opened resource {resource}.", adapter.0));
    }
    let tier = tier(context, display, adapter)?;
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
        return bad_argument(context, format_args!("{view:?} of resource {resource} in {format:?}: {fault}."));
    }
    let made = context.ddi_of(adapter, dxgi_ddi::CreateView { adapter, desc: found.desc, view, format });
    if let Err(code) = made
        && SCAN_OUT_FORMATS.contains(&format)
    {
        let text = format_args!("Adapter {} has tier {tier:?}, and {view:?} in {format:?} gives {code:?}.", adapter.0);
        violation::say(context, rule::C_09, (0, 1, 1), text)?;
    }
    made
}

/// The last reference goes.
pub(crate) fn release_cross_adapter_resource(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::ReleaseCrossAdapterResource,
) -> HResult<()> {
    let Some(gone) = display.shared.remove(call.resource) else { return no_resource(context, call.resource) };
    for adapter in gone.adapters.into_iter().map(AdapterId) {
        // What the driver answers changes nothing.
        let _ = context.ddi_of(adapter, dxgi_ddi::DestroyResource { adapter });
    }
    Ok(())
}

fn no_resource<T>(context: &mut Context<'_>, number: u64) -> HResult<T> {
    invalid(context, format_args!("There is no cross-adapter resource {number}."))
}
