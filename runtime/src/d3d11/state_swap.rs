//! States of a device's context: objects that keep what the immediate context binds while another is in their place.

use super::context_state::{ContextKind, ContextState};
use super::deferred_context::count;
use super::device::FEATURE_LEVELS;
use super::effect::predicate;
use super::held::{begin, hold};
use super::object;
use super::open::find;
use super::pipeline::unbind;
use crate::context::Context;
use crate::state::{Bindings, D3d11Kind, D3d11Object, DeviceState, Object, Objects};
use taut_schemas::{
    D3d11ContextStateId, D3d11DeviceId, DeviceContextState, HResult, HResultCode, MessageId, MessageSeverity, ObjectId,
    PredicationBinding, d3d11,
};

/// D3D11_1_CREATE_DEVICE_CONTEXT_STATE_SINGLETHREADED, the only flag.
const SINGLETHREADED: u32 = 1;

/// ID3D11Device1::CreateDeviceContextState. The driver hears nothing of it.
pub(crate) fn create_device_context_state(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d11::CreateDeviceContextState,
) -> HResult<DeviceContextState> {
    object::owner(context, device, objects, (call.device, "CreateDeviceContextState"))?;
    if call.flags & !SINGLETHREADED != 0 {
        let text = format_args!("CreateDeviceContextState: Flags has an unknown bit.");
        return context.refuse(HResultCode::E_INVALIDARG, call.device, text);
    }
    let Some(chosen) = call.feature_levels.iter().copied().find(|level| FEATURE_LEVELS.contains(level)) else {
        let text = format_args!("CreateDeviceContextState: the device has no feature level of those given.");
        return context.refuse(HResultCode::E_INVALIDARG, call.device, text);
    };
    Ok(DeviceContextState { state: make(device, objects, call.device), chosen_feature_level: chosen })
}

/// A state that keeps nothing yet.
fn make(device: &mut DeviceState, objects: &mut dyn Objects, owner: D3d11DeviceId) -> D3d11ContextStateId {
    let id = device.next_object();
    objects.insert(id, Object::d3d11(D3d11Object::new(owner, D3d11Kind::ContextState)));
    device.count_object();
    count(device, owner);
    D3d11ContextStateId(id.0)
}

/// ID3D11DeviceContext1::SwapDeviceContextState. The driver hears what is bound otherwise than before.
///
/// A context has a state of its own before any was swapped in: an object that the first swap makes and gives.
pub(crate) fn swap_device_context_state(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::SwapDeviceContextState,
) -> HResult<D3d11ContextStateId> {
    begin(context, state, call.context)?;
    if state.kind == ContextKind::Deferred {
        let text = format_args!("SwapDeviceContextState: context {} is deferred; nothing is swapped.", call.context.0);
        context.message(MessageSeverity::WARNING, MessageId::UNKNOWN, call.context.into(), text);
        return Ok(D3d11ContextStateId::NULL);
    }
    if call.state == D3d11ContextStateId::NULL {
        return Ok(D3d11ContextStateId::NULL);
    }
    let (next, current) = (ObjectId::from(call.state), ObjectId::from(state.current));
    let is_state = |kind: &D3d11Kind| matches!(kind, D3d11Kind::ContextState);
    hold(context, state, objects, (next, "state of a context", is_state))?;
    if let Some(object) = find(objects, current) {
        object.count += 1;
    }
    if next == current {
        return Ok(state.current);
    }
    let previous = match current {
        ObjectId::NULL => make(device, objects, state.device),
        current => {
            state.let_go(current);
            if let Some(object) = find(objects, current) {
                object.pins = object.pins.saturating_sub(1);
            }
            state.current
        }
    };
    let before = state.bindings.clone();
    predicate(state, &PredicationBinding::default());
    unbind(context, state);
    let bound = state.kept.remove(&next).unwrap_or_default();
    predicate(state, &bound.predication);
    // What the driver has to know of it, it is told when it needs it.
    state.is_stale = bound != Bindings::default();
    state.bindings = bound;
    state.kept.insert(previous.into(), before);
    device.d3d11.kept_states.remove(&next);
    device.d3d11.kept_states.insert(previous.into(), false);
    state.current = call.state;
    Ok(previous)
}

/// What states kept that have ended is kept no longer.
pub(crate) fn forget_ended(device: &mut DeviceState, state: &mut ContextState) {
    state.kept.retain(|id, _| {
        let ended = device.d3d11.has_ended(*id);
        if ended {
            device.d3d11.kept_states.remove(id);
        }
        !ended
    });
}
