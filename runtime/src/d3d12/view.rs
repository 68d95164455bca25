//! Views of buffers, and of row-major textures that adapters share. No rule applies to views of other textures; they
//! are only recorded.

use super::floor::Bindings;
use super::query::resource;
use super::shared;
use super::shared::ViewRequest;
use crate::context::Context;
use crate::state::{DeviceState, Objects};
use taut_schemas::format::Format;
use taut_schemas::{HResult, MessageId, ResourceId, TextureView, d3d12};

/// ID3D12Device::CreateConstantBufferView.
pub(crate) fn create_constant_buffer_view(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    call: &d3d12::CreateConstantBufferView,
) -> HResult<()> {
    device.open(context, call.device)?;
    let mut bindings = Bindings::default();
    bindings.add_addresses(device, call);
    bindings.check(context, MessageId::CREATE_CONSTANT_BUFFER_VIEW_INVALID_DESC)
}

/// ID3D12Device::CreateShaderResourceView.
pub(crate) fn create_shader_resource_view(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateShaderResourceView,
) -> HResult<()> {
    device.open(context, call.device)?;
    viewed(context, objects, call.resource)?;
    let format = call.desc.map_or(Format::UNKNOWN, |desc| desc.format);
    shared::view(
        context,
        device,
        objects,
        ViewRequest { resource: call.resource, view: TextureView::SHADER_RESOURCE, format },
    )?;
    let mut bindings = Bindings::default();
    bindings.add_resources(context, objects, call)?;
    bindings.check(context, MessageId::CREATESHADERRESOURCEVIEW_INVALIDDESC)
}

/// ID3D12Device::CreateUnorderedAccessView.
pub(crate) fn create_unordered_access_view(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateUnorderedAccessView,
) -> HResult<()> {
    device.open(context, call.device)?;
    // The counter resource has no view of its own, but it must exist.
    viewed(context, objects, call.counter_resource)?;
    viewed(context, objects, call.resource)?;
    let format = call.desc.map_or(Format::UNKNOWN, |desc| desc.format);
    shared::view(
        context,
        device,
        objects,
        ViewRequest { resource: call.resource, view: TextureView::UNORDERED_ACCESS, format },
    )?;
    let mut bindings = Bindings::default();
    bindings.add_resources(context, objects, call)?;
    bindings.check(context, MessageId::CREATEUNORDEREDACCESSVIEW_INVALIDDESC)
}

/// ID3D12Device::CreateRenderTargetView.
pub(crate) fn create_render_target_view(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateRenderTargetView,
) -> HResult<()> {
    device.open(context, call.device)?;
    viewed(context, objects, call.resource)?;
    shared::view(
        context,
        device,
        objects,
        ViewRequest { resource: call.resource, view: TextureView::RENDER_TARGET, format: call.format },
    )
}

/// Validates a view's resource; null is legal and creates a null descriptor.
fn viewed(context: &mut Context<'_>, objects: &mut dyn Objects, id: ResourceId) -> HResult<()> {
    if id == ResourceId::NULL { Ok(()) } else { resource(context, objects, id).map(|_| ()) }
}
