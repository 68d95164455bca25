//! D3D11CreateDevice.

use super::state::D3d11Device;
use crate::context::Context;
use crate::d3d12::device::DeviceState;
use crate::objects::{Object, Objects};
use taut_schemas::{D3d11DeviceId, HResult, HResultCode, ObjectId, d3d11};

/// D3D_FEATURE_LEVEL (d3dcommon.h): 9_1 to 12_1, by generation and step.
const FEATURE_LEVELS: [u32; 9] = [0x9100, 0x9200, 0x9300, 0xa000, 0xa100, 0xb000, 0xb100, 0xc000, 0xc100];

/// D3D11CreateDevice: a new device each time. The adapter's models have every feature level that Direct3D 11 has.
pub(crate) fn d3d11_create_device(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d11::D3D11CreateDevice,
) -> HResult<D3d11DeviceId> {
    device.is_adapter(context, call.adapter)?;
    if context.driver.d3d11_ddi().is_none() {
        let text = format_args!("The adapter's driver has no Direct3D 11.");
        return context.refuse(HResultCode::DXGI_ERROR_UNSUPPORTED, ObjectId::NULL, text);
    }
    if device.is_removed() {
        return Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED);
    }
    if !FEATURE_LEVELS.contains(&call.feature_level) {
        let text = format_args!("Direct3D 11 has no feature level 0x{:x}.", call.feature_level);
        return context.refuse(HResultCode::E_INVALIDARG, ObjectId::NULL, text);
    }
    let id = device.next_object();
    objects.insert(id, Object::d3d11_device(D3d11Device::default()));
    device.count_object();
    Ok(D3d11DeviceId(id.0))
}
