//! Blend, depth-stencil, rasterizer and sampler states. Descriptions that are equal once unused fields have their
//! defaults share one object (rule H-12).

use super::object::{self, CreateCall, HandleCalls, HandleKind, create_handle, insert};
use super::open::find;
use crate::context::{Context, no_such_object};
use crate::state::{D3d11Kind, DeviceFacts, DeviceState, IcHandle, Objects, StateDesc};
use std::any::Any;
use std::sync::Arc;
use taut_schemas::{D3d11DepthStencilDesc, D3d11StateId, HResult, HResultCode, d3d11, d3d11_context_ddi as ddi};

macro_rules! creations {
    ($( $(#[$doc:meta])+ $method:ident $Name:ident $Kind:ident; )*) => {
        $(
            $(#[$doc])+
            pub(crate) fn $method(
                context: &mut Context<'_>,
                device: &mut DeviceState,
                objects: &mut dyn Objects,
                call: &d3d11::$Name,
            ) -> HResult<D3d11StateId> {
                let desc = StateDesc::$Kind(call.desc.clone());
                create(context, device, objects, CreateCall { device: call.device, name: stringify!($Name) }, desc)
            }
        )*

        /// The existing object that a create call returns again, if `call` is such a call and there is one.
        pub(crate) fn existing(device: &DeviceState, call: &dyn Any) -> Option<D3d11StateId> {
            let (owner, desc) = $( if let Some(call) = call.downcast_ref::<d3d11::$Name>() {
                (call.device, StateDesc::$Kind(call.desc.clone()))
            } else )* {
                return None;
            };
            device.d3d11.states.get(&(owner.0, desc.normalised()?)).copied()
        }
    };
}

creations! {
    /// ID3D11Device::CreateBlendState.
    create_blend_state CreateBlendState Blend;
    /// ID3D11Device::CreateDepthStencilState.
    create_depth_stencil_state CreateDepthStencilState DepthStencil;
    /// ID3D11Device::CreateRasterizerState.
    create_rasterizer_state CreateRasterizerState Rasterizer;
    /// ID3D11Device::CreateSamplerState.
    create_sampler_state CreateSamplerState Sampler;
}

fn create(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    create_call: CreateCall<'_>,
    desc: StateDesc,
) -> HResult<D3d11StateId> {
    let CreateCall { device: owner, name } = create_call;
    let facts = object::owner(context, device, objects, create_call)?;
    let Some(desc) = desc.normalised() else {
        let text = format_args!("{name}: an enumerator is none, or there are more than 8 render targets.");
        return context.refuse(HResultCode::E_INVALIDARG, owner, text);
    };
    let key = (owner.0, desc.clone());
    // Not found if it ended in the meantime: then a new object takes its place in the table.
    if let Some(same) = device.d3d11.states.get(&key).copied()
        && let Some(object) = find(objects, same.into())
    {
        // Rule H-12: an equal description returns the same object with one more reference.
        object.count += 1;
        return Ok(same);
    }
    let handle = handle(context, device, &facts, desc.clone())?;
    let id = D3d11StateId(insert(device, objects, owner, D3d11Kind::State(Arc::new(desc)), handle).0);
    device.d3d11.states.insert(key, id);
    Ok(id)
}

/// Creates the handle of a state object.
fn handle(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    facts: &DeviceFacts,
    desc: StateDesc,
) -> HResult<IcHandle> {
    let kind = HandleKind { handle_type: desc.handle_type(), of: None };
    match desc {
        StateDesc::Blend(desc) => {
            let of = desc.clone();
            create_handle(
                context,
                device,
                facts,
                kind,
                HandleCalls {
                    size: |context, device| ddi::CalcPrivateBlendStateSize { context, device, desc: of },
                    create: |context, device, handle| ddi::CreateBlendState { context, device, handle, desc },
                },
            )
        }
        StateDesc::DepthStencil(desc) => create_handle(
            context,
            device,
            facts,
            kind,
            HandleCalls {
                size: |context, device| ddi::CalcPrivateDepthStencilStateSize { context, device, desc },
                create: |context, device, handle| ddi::CreateDepthStencilState {
                    context,
                    device,
                    handle,
                    desc: Some(desc),
                },
            },
        ),
        StateDesc::Rasterizer(desc) => create_handle(
            context,
            device,
            facts,
            kind,
            HandleCalls {
                size: |context, device| ddi::CalcPrivateRasterizerStateSize { context, device, desc },
                create: |context, device, handle| ddi::CreateRasterizerState {
                    context,
                    device,
                    handle,
                    desc: Some(desc),
                },
            },
        ),
        StateDesc::Sampler(desc) => create_handle(
            context,
            device,
            facts,
            kind,
            HandleCalls {
                size: |context, device| ddi::CalcPrivateSamplerSize { context, device, desc },
                create: |context, device, handle| ddi::CreateSampler { context, device, handle, desc: Some(desc) },
            },
        ),
    }
}

/// ID3D11DepthStencilState::GetDesc.
pub(crate) fn get_depth_stencil_desc(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d11::GetDepthStencilDesc,
) -> HResult<D3d11DepthStencilDesc> {
    if let Some(D3d11Kind::State(desc)) = find(objects, call.state.into()).map(|object| &object.kind)
        && let StateDesc::DepthStencil(desc) = **desc
    {
        return Ok(desc);
    }
    no_such_object(context, "depth-stencil state", call.state.into())
}
