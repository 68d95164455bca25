//! Views of resources.

use super::object::{self, CreateCall, HandleCalls, HandleKind, create_handle, insert};
use super::open::find;
use crate::context::{Context, no_such_object};
use crate::state::{D3d11Kind, D3d11Object, D3d11View, DeviceFacts, DeviceState, IcHandle, Objects};
use std::sync::Arc;
use taut_schemas::{
    BindFlags, D3d11DeviceId, D3d11OutputViewDesc, D3d11ResourceId, D3d11ShaderResourceViewDesc, D3d11ViewId,
    Dimension, HResult, HResultCode, HandleType, SrvDimension, d3d11, d3d11_context_ddi as ddi,
};

/// ID3D11Device::CreateShaderResourceView. The view pins its resource.
pub(crate) fn create_shader_resource_view(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d11::CreateShaderResourceView,
) -> HResult<D3d11ViewId> {
    let create_call = CreateCall { device: call.device, name: "CreateShaderResourceView" };
    let (facts, object) = device_and_resource(context, device, objects, create_call, call.resource)?;
    let desc = resolved(&object, call.desc.as_ref());
    let desc = check_view(context, create_call, call.resource, &object, desc)?;
    let of = object.handle.clone();
    let kind = HandleKind { handle_type: HandleType::SHADERRESOURCEVIEW, of: of.as_deref() };
    let handle = create_handle(
        context,
        device,
        &facts,
        kind,
        HandleCalls {
            size: |context, device| ddi::CalcPrivateShaderResourceViewSize { context, device, desc },
            create: |context, device, handle| ddi::CreateShaderResourceView {
                context,
                device,
                handle,
                desc: Some(desc),
            },
        },
    )?;
    // Only contents of mip level 0 are modelled, so the first level decides whether a clear changes them.
    let mip = if desc.dimension == SrvDimension::BUFFER { 0 } else { desc.first_element };
    let handle_type = kind.handle_type;
    let view = D3d11View { handle_type, mip, resource: call.resource, resource_object: Arc::new(object) };
    Ok(hold_resource(device, objects, call.device, view, handle))
}

macro_rules! output_views {
    ($( $(#[$doc:meta])+ $method:ident $Name:ident $Size:ident $TYPE:ident $BIND:ident; )*) => { $(
        $(#[$doc])+
        pub(crate) fn $method(
            context: &mut Context<'_>,
            device: &mut DeviceState,
            objects: &mut dyn Objects,
            call: &d3d11::$Name,
        ) -> HResult<D3d11ViewId> {
            let create_call = CreateCall { device: call.device, name: stringify!($Name) };
            let (facts, object) = device_and_resource(context, device, objects, create_call, call.resource)?;
            let desc = output(&object, call.desc.as_ref(), BindFlags::$BIND);
            let desc = check_view(context, create_call, call.resource, &object, desc)?;
            let of = object.handle.clone();
            let kind = HandleKind { handle_type: HandleType::$TYPE, of: of.as_deref() };
            let handle = create_handle(context, device, &facts, kind, HandleCalls {
                size: |context, device| ddi::$Size { context, device, desc },
                create: |context, device, handle| ddi::$Name { context, device, handle, desc: Some(desc) },
            })?;
            let mip = desc.first_element;
            let handle_type = kind.handle_type;
            let view = D3d11View { handle_type, mip, resource: call.resource, resource_object: Arc::new(object) };
            Ok(hold_resource(device, objects, call.device, view, handle))
        }
    )* };
}

output_views! {
    /// ID3D11Device::CreateRenderTargetView.
    create_render_target_view CreateRenderTargetView CalcPrivateRenderTargetViewSize RENDERTARGETVIEW RENDER_TARGET;
    /// ID3D11Device::CreateDepthStencilView.
    create_depth_stencil_view CreateDepthStencilView CalcPrivateDepthStencilViewSize DEPTHSTENCILVIEW DEPTH_STENCIL;
    /// ID3D11Device::CreateUnorderedAccessView.
    create_unordered_access_view CreateUnorderedAccessView CalcPrivateUnorderedAccessViewSize UNORDEREDACCESSVIEW
        UNORDERED_ACCESS;
}

/// The device and the resource of a create call.
fn device_and_resource(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    create_call: CreateCall<'_>,
    resource: D3d11ResourceId,
) -> HResult<(Arc<DeviceFacts>, D3d11Object)> {
    super::open::device_clearing_access_mark(context, objects, create_call.device)?;
    let found = find(objects, resource.into()).filter(|object| matches!(object.kind, D3d11Kind::Resource(_)));
    let Some(object) = found.cloned() else { return no_such_object(context, "Direct3D 11 resource", resource.into()) };
    Ok((object::owner(context, device, objects, create_call)?, object))
}

/// Validates the view: its resource supports it and belongs to the same device.
fn check_view<T>(
    context: &mut Context<'_>,
    create_call: CreateCall<'_>,
    resource: D3d11ResourceId,
    object: &D3d11Object,
    desc: Option<T>,
) -> HResult<T> {
    let CreateCall { device: owner, name } = create_call;
    let Some(desc) = desc.filter(|_| object.handle.is_some()) else {
        let text = format_args!("{name}: resource {} can have no such view.", resource.0);
        return context.refuse(HResultCode::E_INVALIDARG, resource, text);
    };
    if object.device != owner {
        let text = format_args!("{name}: resource {} is another device's.", resource.0);
        return context.refuse(HResultCode::E_INVALIDARG, resource, text);
    }
    Ok(desc)
}

/// Inserts the view, which pins its resource.
fn hold_resource(
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    owner: D3d11DeviceId,
    view: D3d11View,
    handle: IcHandle,
) -> D3d11ViewId {
    let resource = view.resource;
    // The pin keeps the resource's handle alive longer than its views' (rule H-09).
    if let Some(object) = find(objects, D3d11ResourceId::into(resource)) {
        object.pins += 1;
    }
    let id = insert(device, objects, owner, D3d11Kind::View(view), handle);
    device.d3d11.view_resources.insert(id, resource.into());
    D3d11ViewId(id.0)
}

/// The description with defaults filled in. `None` if the resource supports no such view.
fn resolved(object: &D3d11Object, desc: Option<&D3d11ShaderResourceViewDesc>) -> Option<D3d11ShaderResourceViewDesc> {
    let D3d11Kind::Resource(resource) = &object.kind else { return None };
    let is_buffer = resource.desc.dimension == Dimension::BUFFER;
    let whole = D3d11ShaderResourceViewDesc {
        format: resource.desc.format,
        dimension: match resource.desc.dimension {
            Dimension::BUFFER => SrvDimension::BUFFER,
            Dimension::TEXTURE1D => SrvDimension::TEXTURE1D,
            Dimension::TEXTURE3D => SrvDimension::TEXTURE3D,
            _ => SrvDimension::TEXTURE2D,
        },
        first_element: 0,
        element_count: if is_buffer { resource.desc.width } else { resource.desc.mip_levels },
    };
    let desc = *desc.unwrap_or(&whole);
    let fits = desc.first_element.checked_add(desc.element_count).is_some_and(|end| end <= whole.element_count);
    let can = resource.desc.bind_flags.contains(BindFlags::SHADER_RESOURCE) && desc.dimension == whole.dimension;
    (can && fits && desc.element_count > 0).then_some(desc)
}

/// The description of an output view with defaults filled in: one mip level of a texture, or elements of a buffer.
fn output(object: &D3d11Object, desc: Option<&D3d11OutputViewDesc>, bind: BindFlags) -> Option<D3d11OutputViewDesc> {
    let D3d11Kind::Resource(resource) = &object.kind else { return None };
    let is_buffer = resource.desc.dimension == Dimension::BUFFER;
    let element_count = if is_buffer { resource.desc.width } else { resource.desc.array_size };
    let whole = D3d11OutputViewDesc { format: resource.desc.format, first_element: 0, element_count };
    let desc = *desc.unwrap_or(&whole);
    let fits = match is_buffer {
        true => desc.first_element.checked_add(desc.element_count).is_some_and(|end| end <= element_count),
        false => desc.first_element < resource.desc.mip_levels && desc.element_count <= element_count,
    };
    (resource.desc.bind_flags.contains(bind) && fits && desc.element_count > 0).then_some(desc)
}
