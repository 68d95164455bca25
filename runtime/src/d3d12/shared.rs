//! Resources shared by several adapters (rules C-09, C-13 and ).

use super::query::resource;
use super::translate;
use crate::context::{Context, no_such_object};
use crate::kernel::{DisplayState, SharedResource};
use crate::memory::space::PAGE_BYTES;
use crate::placement::KIB_64;
use crate::state::{Creation, DeviceState, Object, Objects, ResourcePlacement, ResourceState};
use crate::violation::{ObservedValue, violate};
use taut_schemas::format::Format;
use taut_schemas::{
    CrossAdapterTier, Dimension, HResult, HResultCode, ObjectId, ResourceFlags, ResourceId, TextureLayout, TextureView,
    d3d12, d3d12_ddi, rule,
};

/// ID3D12Device::CreateSharedHandle.
pub(crate) fn create_shared_handle(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    display: &mut DisplayState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateSharedHandle,
) -> HResult<u64> {
    device.open(context, call.device)?;
    let state = resource(context, objects, call.resource)?;
    let fault = match state.home {
        ResourcePlacement::Placed(_) | ResourcePlacement::Reserved => {
            Some("only a committed resource has a handle of its own")
        }
        ResourcePlacement::Committed if !state.is_shared => Some("its heap flags lack SHARED_CROSS_ADAPTER"),
        ResourcePlacement::Committed if !state.desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER) => {
            Some("its flags lack ALLOW_CROSS_ADAPTER")
        }
        ResourcePlacement::Committed => None,
    };
    let shared =
        SharedResource { desc: state.desc, ddi_desc: translate::shared(&state.desc), size_bytes: state.size_bytes };
    if let Some(fault) = fault {
        let text = format_args!("Resource {} cannot be shared across adapters: {fault}.", call.resource.0);
        return context.refuse(HResultCode::E_INVALIDARG, call.resource, text);
    }
    Ok(display.shared.share(shared))
}

/// ID3D12Device::OpenSharedHandle. Opening needs cross-adapter tier COPY only (rule C-03); views of the resource need
/// TEXTURE.
pub(crate) fn open_shared_handle(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    display: &mut DisplayState,
    objects: &mut dyn Objects,
    call: &d3d12::OpenSharedHandle,
) -> HResult<ResourceId> {
    device.open(context, call.device)?;
    let Some(shared) = display.shared.shared(call.handle).cloned() else {
        return no_such_object(context, "shared handle", ObjectId(call.handle));
    };
    let tier = display.started(device.adapter_id()).map(|kernel| kernel.tier());
    if tier.is_some_and(|tier| tier < CrossAdapterTier::COPY) {
        let text = format_args!("The adapter has tier {tier:?} of cross-adapter resources: it opens none.");
        return context.refuse(HResultCode::E_INVALIDARG, ObjectId::NULL, text);
    }
    let resource = ResourceId(device.next_object().0);
    let size_bytes = shared.size_bytes.checked_next_multiple_of(PAGE_BYTES).unwrap_or(u64::MAX);
    let Some(address) = device.memory.allocate(size_bytes, KIB_64) else {
        let text = format_args!("There is no room of {size_bytes} bytes in the adapter's address space.");
        return context.refuse(HResultCode::E_OUTOFMEMORY, ObjectId::NULL, text);
    };
    let opened = context.ddi(d3d12_ddi::OpenHeapAndResource { resource_desc: shared.ddi_desc, resource });
    if let Err(code) = opened {
        device.memory.release(address, size_bytes);
        return Err(code);
    }
    let state = ResourceState {
        desc: shared.desc,
        home: ResourcePlacement::Committed,
        address,
        size_bytes: shared.size_bytes,
        mappable: false,
        subresources: 1,
        maps: Vec::new(),
        is_shared: true,
        created: Creation::default(),
    };
    objects.insert(resource.into(), Object::resource(state));
    device.count_object();
    Ok(resource)
}

/// View that a call creates.
pub(super) struct ViewRequest {
    pub resource: ResourceId,
    pub view: TextureView,
    /// `UNKNOWN` for the format of the resource.
    pub format: Format,
}

/// Creates a view of a row-major texture on the adapter's driver. Views of other resources need no DDI call here.
pub(super) fn view(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    request: ViewRequest,
) -> HResult<()> {
    let ViewRequest { resource: id, view, format } = request;
    if id == ResourceId::NULL {
        return Ok(());
    }
    let desc = resource(context, objects, id)?.desc;
    if desc.layout != TextureLayout::ROW_MAJOR || desc.dimension == Dimension::BUFFER {
        return Ok(());
    }
    let format = if format == Format::UNKNOWN { desc.format } else { format };
    let caps = device.adapter().map(|adapter| adapter.caps.cross_adapter_row_major_texture);
    let family = |format: Format| format.info().map(|info| info.family);
    let fault = if caps != Some(true) {
        Some("the adapter says no CrossAdapterRowMajorTextureSupported: it copies such a texture, and views none")
    } else if family(format).is_none() || family(format) != family(desc.format) {
        Some("the view's format is of another family")
    } else if view == TextureView::UNORDERED_ACCESS && format.is_srgb() {
        Some("sRGB formats have no unordered access")
    } else if !allows(view, desc.flags) {
        Some("the resource was not created for such a view")
    } else {
        None
    };
    if let Some(fault) = fault {
        let text = format_args!("{view:?} of row-major texture {} in {format:?}: {fault}.", id.0);
        return context.refuse(HResultCode::E_INVALIDARG, id, text);
    }
    let Err(code) = context.ddi(d3d12_ddi::CreateRowMajorTextureView { resource: id, view, format }) else {
        return Ok(());
    };
    let text = format_args!(
        "CrossAdapterRowMajorTextureSupported, and {view:?} of a row-major texture in {format:?} gives {code:?}."
    );
    violate(context, device, rule::C_13, ObservedValue { found: 0, min: 1, max: 1 }, text)?;
    Err(code)
}

fn allows(view: TextureView, flags: ResourceFlags) -> bool {
    match view {
        TextureView::UNORDERED_ACCESS => flags.contains(ResourceFlags::ALLOW_UNORDERED_ACCESS),
        TextureView::RENDER_TARGET => flags.contains(ResourceFlags::ALLOW_RENDER_TARGET),
        _ => !flags.contains(ResourceFlags::DENY_SHADER_RESOURCE),
    }
}
