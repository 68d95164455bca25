//! Shaders and input layouts.

use super::object::{self, CreateCall, HandleCalls, HandleKind, create_handle, insert};
use crate::context::Context;
use crate::state::{D3d11Kind, DeviceState, Objects};
use std::sync::Arc;
use taut_schemas::{
    D3d11InputLayoutId, D3d11ShaderId, HResult, HResultCode, HandleType, d3d11, d3d11_context_ddi as ddi,
};

/// ID3D11Device::CreateVertexShader and so on.
pub(crate) fn create_shader(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d11::CreateShader,
) -> HResult<D3d11ShaderId> {
    let facts = object::owner(context, device, objects, CreateCall { device: call.device, name: "CreateShader" })?;
    let desc = call.desc;
    if desc.stage.0 > 5 || desc.size_bytes == 0 {
        let text = format_args!("CreateShader: there is no such stage, or no code.");
        return context.refuse(HResultCode::E_INVALIDARG, call.device, text);
    }
    let kind = D3d11Kind::Shader(Arc::new(desc));
    let handle = create_handle(
        context,
        device,
        &facts,
        HandleKind { handle_type: HandleType::SHADER, of: None },
        HandleCalls {
            size: |context, device| ddi::CalcPrivateShaderSize { context, device, desc },
            create: |context, device, handle| ddi::CreateShader { context, device, handle, desc: Some(desc) },
        },
    )?;
    Ok(D3d11ShaderId(insert(device, objects, call.device, kind, handle).0))
}

/// ID3D11Device::CreateInputLayout.
pub(crate) fn create_input_layout(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d11::CreateInputLayout,
) -> HResult<D3d11InputLayoutId> {
    let facts = object::owner(context, device, objects, CreateCall { device: call.device, name: "CreateInputLayout" })?;
    let desc = call.desc;
    let handle = create_handle(
        context,
        device,
        &facts,
        HandleKind { handle_type: HandleType::ELEMENTLAYOUT, of: None },
        HandleCalls {
            size: |context, device| ddi::CalcPrivateElementLayoutSize { context, device, desc },
            create: |context, device, handle| ddi::CreateElementLayout { context, device, handle, desc: Some(desc) },
        },
    )?;
    Ok(D3d11InputLayoutId(insert(device, objects, call.device, D3d11Kind::InputLayout, handle).0))
}
