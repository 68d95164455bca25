//! Context state objects: they store the immediate context's bindings while another state is in use.
//!
//! SwapDeviceContextState saves the bindings in the active state and restores those of the new one: the driver unbinds,
//! then binds. The first swap returns the initial state. A state keeps its objects alive (rule H-13) until the first
//! Flush after its release. Null, and any state on a deferred context, changes nothing.

use super::context_state::{ContextKind, ContextState};
use super::deferred_context::count;
use super::device::FEATURE_LEVELS;
use super::effect::predicate;
use super::held::{HoldTarget, begin, hold};
use super::object;
use super::object::CreateCall;
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

/// ID3D11Device1::CreateDeviceContextState. There is no DDI call for it.
pub(crate) fn create_device_context_state(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d11::CreateDeviceContextState,
) -> HResult<DeviceContextState> {
    object::owner(context, device, objects, CreateCall { device: call.device, name: "CreateDeviceContextState" })?;
    if call.flags & !SINGLETHREADED != 0 {
        let text = format_args!("CreateDeviceContextState: Flags has an unknown bit.");
        return context.refuse(HResultCode::E_INVALIDARG, call.device, text);
    }
    // The first supported level in the application's list is chosen, as in D3D11CreateDevice.
    let Some(chosen) = call.feature_levels.iter().copied().find(|level| FEATURE_LEVELS.contains(level)) else {
        let text = format_args!("CreateDeviceContextState: the device has no feature level of those given.");
        return context.refuse(HResultCode::E_INVALIDARG, call.device, text);
    };
    Ok(DeviceContextState { state: create_state(device, objects, call.device), chosen_feature_level: chosen })
}

/// Creates a state object without bindings.
fn create_state(device: &mut DeviceState, objects: &mut dyn Objects, owner: D3d11DeviceId) -> D3d11ContextStateId {
    let id = device.next_object();
    objects.insert(id, Object::d3d11(D3d11Object::new(owner, D3d11Kind::ContextState)));
    device.count_object();
    count(device, owner);
    D3d11ContextStateId(id.0)
}

/// ID3D11DeviceContext1::SwapDeviceContextState. The DDI calls clear the old bindings; the new bindings are emitted
/// when a later call needs them.
///
/// Before the first swap, a context has an implicit state: the first swap creates an object for it and returns that.
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
    hold(context, state, objects, HoldTarget { id: next, kind: "state of a context", is: is_state })?;
    // The caller gets a reference to the previous state.
    if let Some(object) = find(objects, current) {
        object.count += 1;
    }
    if next == current {
        return Ok(state.current);
    }
    let previous = match current {
        ObjectId::NULL => create_state(device, objects, state.device),
        current => {
            state.remove_ref(current);
            if let Some(object) = find(objects, current) {
                object.pins = object.pins.saturating_sub(1);
            }
            state.current
        }
    };
    let before = state.bindings.clone();
    // Predicates of the old state end before the new state's begin.
    predicate(state, &PredicationBinding::default());
    unbind(context, state);
    let bound = state.stored_bindings.remove(&next).unwrap_or_default();
    predicate(state, &bound.predication);
    // The driver gets the new bindings with the next call that needs them.
    state.bindings_stale = bound != Bindings::default();
    state.bindings = bound;
    state.stored_bindings.insert(previous.into(), before);
    device.d3d11.stored_states.remove(&next);
    device.d3d11.stored_states.insert(previous.into(), false);
    state.current = call.state;
    Ok(previous)
}

/// Drops the stored bindings of state objects that have ended.
pub(crate) fn forget_ended(device: &mut DeviceState, state: &mut ContextState) {
    state.stored_bindings.retain(|id, _| {
        let ended = device.d3d11.has_ended(*id);
        if ended {
            device.d3d11.stored_states.remove(id);
        }
        !ended
    });
}
