//! Views of buffers. Those of textures have no rule here and are only recorded.

use super::floor::Bindings;
use super::query::resource;
use crate::context::Context;
use crate::placement::BufferUse;
use crate::state::{DeviceState, Objects};
use taut_schemas::{
    BufferSrvFlags, BufferUavFlags, Dimension, HResult, MessageId, ResourceId, ShaderResourceViewDesc, SrvDimension,
    UavDimension, UnorderedAccessViewDesc, d3d12,
};

/// ID3D12Device::CreateConstantBufferView.
pub(crate) fn create_constant_buffer_view(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    call: &d3d12::CreateConstantBufferView,
) -> HResult<()> {
    device.open(context, call.device)?;
    let mut bindings = Bindings::default();
    if let Some(desc) = &call.desc {
        bindings.add_address(device, desc.buffer_location, BufferUse::ConstantBufferView);
    }
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
    let raw = |desc: &ShaderResourceViewDesc| {
        desc.view_dimension == SrvDimension::BUFFER && desc.flags.contains(BufferSrvFlags::RAW)
    };
    let raw = call.desc.as_ref().is_some_and(raw);
    view(context, objects, call.resource, raw, MessageId::CREATESHADERRESOURCEVIEW_INVALIDDESC)
}

/// ID3D12Device::CreateUnorderedAccessView.
pub(crate) fn create_unordered_access_view(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateUnorderedAccessView,
) -> HResult<()> {
    device.open(context, call.device)?;
    if call.counter_resource != ResourceId::NULL {
        resource(context, objects, call.counter_resource)?;
    }
    let raw = |desc: &UnorderedAccessViewDesc| {
        desc.view_dimension == UavDimension::BUFFER && desc.flags.contains(BufferUavFlags::RAW)
    };
    let raw = call.desc.as_ref().is_some_and(raw);
    view(context, objects, call.resource, raw, MessageId::CREATEUNORDEREDACCESSVIEW_INVALIDDESC)
}

fn view(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    id: ResourceId,
    raw: bool,
    message_id: MessageId,
) -> HResult<()> {
    if id == ResourceId::NULL {
        return Ok(());
    }
    let desc = resource(context, objects, id)?.desc;
    let mut bindings = Bindings::default();
    if raw && desc.dimension == Dimension::BUFFER {
        bindings.add(id, desc.alignment_bytes, BufferUse::RawView);
    }
    bindings.check(context, message_id)
}
