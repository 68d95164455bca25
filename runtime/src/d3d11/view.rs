//! Views of resources.

use super::context_state::ContextKind;
use super::deferred_context::{count, facts};
use super::handle;
use super::open::{self, find};
use crate::context::{Context, no_such};
use crate::state::{D3d11Kind, D3d11Object, D3d11View, DeviceState, Object, Objects};
use std::sync::Arc;
use taut_schemas::{
    BindFlags, D3d11ResourceId, D3d11ShaderResourceViewDesc, D3d11ViewId, Dimension, HResult, HResultCode, HandleType,
    SrvDimension, d3d11, d3d11_context_ddi as ddi,
};

/// ID3D11Device::CreateShaderResourceView. The view holds its resource.
pub(crate) fn create_shader_resource_view(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d11::CreateShaderResourceView,
) -> HResult<D3d11ViewId> {
    open::device_undoing_mark(context, objects, call.device)?;
    let (owner, resource) = (call.device, call.resource);
    let found = find(objects, resource.into()).filter(|object| matches!(object.kind, D3d11Kind::Resource(_)));
    let Some(object) = found.cloned() else { return no_such(context, "Direct3D 11 resource", resource.into()) };
    let Some(facts) = facts(device, owner) else {
        let text = format_args!("CreateShaderResourceView: the adapter's driver has no handles per context.");
        return context.refuse(HResultCode::DXGI_ERROR_UNSUPPORTED, owner, text);
    };
    if device.is_removed() {
        return Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED);
    }
    let (Some(of), Some(desc)) = (&object.handle, resolved(&object, call.desc.as_ref())) else {
        let text = format_args!("CreateShaderResourceView: resource {} can have no such view.", resource.0);
        return context.refuse(HResultCode::E_INVALIDARG, resource, text);
    };
    if object.device != owner {
        let text = format_args!("CreateShaderResourceView: resource {} is another device's.", resource.0);
        return context.refuse(HResultCode::E_INVALIDARG, resource, text);
    }
    let (ic, device_handle) = (facts.immediate, facts.device_handle);
    let size = context.ddi(ddi::CalcPrivateShaderResourceViewSize { context: ic, device: device_handle, desc });
    let depends = Some((of.address, &of.image));
    let kind = (HandleType::SHADERRESOURCEVIEW, size);
    let (made, ()) = handle::create(context, device, &facts, kind, depends, None, |context, handle, memory| {
        let create = ddi::CreateShaderResourceView { context: ic, device: device_handle, handle, desc: Some(desc) };
        context.ddi_on(memory, ContextKind::Immediate, create).ok()
    })?;
    let id = D3d11ViewId(device.next_object().0);
    if let Some(object) = find(objects, D3d11ResourceId::into(resource)) {
        object.pins += 1;
    }
    let view = D3d11View { resource, resource_object: Arc::new(object) };
    let object = D3d11Object { handle: Some(Arc::new(made)), ..D3d11Object::new(owner, D3d11Kind::View(view)) };
    objects.insert(id.into(), Object::d3d11(object));
    device.count_object();
    count(device, owner);
    device.d3d11.view_resources.insert(id.into(), resource.into());
    Ok(id)
}

/// The description with what it leaves open filled in. `None` if the resource can have no such view.
fn resolved(object: &D3d11Object, desc: Option<&D3d11ShaderResourceViewDesc>) -> Option<D3d11ShaderResourceViewDesc> {
    let D3d11Kind::Resource(resource) = &object.kind else { return None };
    let is_buffer = resource.desc.dimension == Dimension::BUFFER;
    let whole = D3d11ShaderResourceViewDesc {
        format: resource.desc.format,
        dimension: if is_buffer { SrvDimension::BUFFER } else { SrvDimension::TEXTURE2D },
        first_element: 0,
        element_count: if is_buffer { resource.desc.width } else { resource.desc.mip_levels },
    };
    let desc = *desc.unwrap_or(&whole);
    let fits = desc.first_element.checked_add(desc.element_count).is_some_and(|end| end <= whole.element_count);
    let can = resource.desc.bind_flags.contains(BindFlags::SHADER_RESOURCE) && desc.dimension == whole.dimension;
    (can && fits && desc.element_count > 0).then_some(desc)
}
