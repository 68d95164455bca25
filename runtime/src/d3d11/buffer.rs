//! CreateBuffer; the direct-access mark does not apply to buffers.

use super::create::{NewResource, realize, usage_fault};
use super::open;
use crate::context::Context;
use crate::state::{DeviceState, Objects};
use taut_schemas::{D3d11DdiResourceDesc, D3d11ResourceId, Dimension, HResult, HResultCode, d3d11};

/// ID3D11Device::CreateBuffer. Fails if the direct-access mark is set, and clears the mark (rule T-04).
pub(crate) fn create_buffer(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d11::CreateBuffer,
) -> HResult<D3d11ResourceId> {
    // The mark is cleared before validation: rule T-04 applies it to the next creation, successful or not.
    let marked = std::mem::take(&mut open::device(context, objects, call.device)?.marked);
    if device.is_removed() {
        return Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED);
    }
    let desc = D3d11DdiResourceDesc {
        dimension: Dimension::BUFFER,
        width: call.desc.size_bytes,
        height: 1,
        mip_levels: 1,
        array_size: 1,
        usage: call.desc.usage,
        bind_flags: call.desc.bind_flags,
        cpu_access_flags: call.desc.cpu_access_flags,
        ..Default::default()
    };
    let has_handles = device.d3d11.devices.contains_key(&call.device.0);
    let fault = match usage_fault(&desc, has_handles, call.initial_data) {
        _ if marked => Some("SetDirectAccessResourceExtension is for textures; the mark is used up"),
        _ if desc.width == 0 => Some("ByteWidth is 0"),
        fault => fault,
    };
    match fault {
        Some(fault) => context.refuse(HResultCode::E_INVALIDARG, call.device, format_args!("CreateBuffer: {fault}.")),
        None => realize(context, device, objects, call.device, NewResource { desc, direct_access: false }),
    }
}
