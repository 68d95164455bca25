//! D3D11CreateDevice.

use super::context_state::{ContextState, Contexts};
use super::device_facts;
use crate::context::Context;
use crate::state::{D3d11Device, D3d11Kind, D3d11Object, DeviceState, Object, Objects};
use std::sync::Arc;
use taut_schemas::{D3d11ContextId, D3d11DeviceAndContext, D3d11DeviceId, HResult, HResultCode, ObjectId, d3d11};

/// D3D_FEATURE_LEVEL (d3dcommon.h): 9_1 to 12_1, by generation and step.
pub(crate) const FEATURE_LEVELS: [u32; 9] = [0x9100, 0x9200, 0x9300, 0xa000, 0xa100, 0xb000, 0xb100, 0xc000, 0xc100];

/// D3D11CreateDevice. Each call creates a new device; driver models support every feature level of Direct3D 11.
pub(crate) fn d3d11_create_device(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    contexts: &mut dyn Contexts,
    objects: &mut dyn Objects,
    call: &d3d11::D3D11CreateDevice,
) -> HResult<D3d11DeviceAndContext> {
    device.check_adapter(context, call.adapter)?;
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
    let id = D3d11DeviceId(device.next_object().0);
    let created = D3d11Device { flags: call.flags, ..D3d11Device::default() };
    // Ids are consecutive: the context's object is inserted right after the device's.
    let immediate_context = D3d11ContextId(id.0 + 1);
    let state = match context.driver.d3d11_context_ddi() {
        None => ContextState::immediate(immediate_context, id),
        Some(_) => {
            let (facts, memory, table) = device_facts::create(context, device, id, immediate_context, call.flags)?;
            let facts = Arc::new(facts);
            // The device counts as its own first object.
            device.d3d11.devices.insert(id.0, (Arc::clone(&facts), 1));
            ContextState::immediate_on(facts, memory, table)
        }
    };
    objects.insert(id.into(), Object::d3d11(D3d11Object::new(id, D3d11Kind::Device(created))));
    device.count_object();
    // The device pins its immediate context, so that releasing the context alone never destroys it.
    let object = D3d11Object { pins: 1, ..D3d11Object::new(id, D3d11Kind::Context) };
    objects.insert(immediate_context.into(), Object::d3d11(object));
    device.count_object();
    contexts.insert(&[immediate_context.into(), id.into()], state);
    Ok(D3d11DeviceAndContext { device: id, immediate_context })
}
