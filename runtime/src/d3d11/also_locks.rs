//! Objects that a call touches without naming them, known from what is locked before the objects are.

use super::context_state::ContextState;
use super::state_object;
use crate::state::DeviceState;
use std::any::Any;
use taut_schemas::{Call, Input, ObjectId, d3d11, machine};

/// Shows the objects whose locks a call takes besides those that it names: what its context or its device lets go of, or takes
/// hold of once more.
pub fn also_locks<C: Input>(
    call: &C,
    device: Option<&DeviceState>,
    context: Option<&ContextState>,
    lock: &mut dyn FnMut(ObjectId),
) {
    let any: &dyn Any = call;
    let removes = any.is::<machine::RemoveDevice>() || any.is::<machine::RemovePanickedDevice>();
    if let (true, Some(device)) = (removes, device) {
        return device.visit_numbers(lock);
    }
    // Other families name all that they touch.
    if !(d3d11::FAMILY.first..=d3d11::FAMILY.last).contains(&C::ID) {
        return;
    }
    let context = context.filter(|context| context.is_there());
    if let Some(extended) = context.filter(|context| context.is_extended()) {
        lock(extended.device.into());
    }
    if (d3d11::GetShaderResources::ID..=d3d11::GetPredication::ID).contains(&C::ID) {
        return context.iter().for_each(|context| context.bindings.objects().into_iter().for_each(&mut *lock));
    }
    let Some(device) = device else { return };
    let call: &dyn Any = call;
    if let Some(call) = call.downcast_ref::<d3d11::Release>() {
        device.d3d11.visit_ends([call.object], lock);
        if let Some(context) = context {
            // A device takes its immediate context with it, and knows of its contexts.
            lock(context.id.into());
            lock(context.device.into());
            device.d3d11.visit_ends(context.held.keys().chain(&context.let_go).copied(), lock);
        }
    } else if let Some(same) = state_object::existing(device, call) {
        lock(same.into());
    } else if let (Some(call), Some(context)) = (call.downcast_ref::<d3d11::FinishCommandList>(), context) {
        device.d3d11.visit_ends(context.let_go.iter().copied(), lock);
        if !call.want_command_list || context.poisoned {
            device.d3d11.visit_ends(context.held.keys().copied(), lock);
        }
        if call.restore_deferred_context_state {
            context.bindings.objects().into_iter().for_each(lock);
        }
    } else if let (true, Some(context)) = (call.is::<d3d11::GetImmediateContext>(), context) {
        lock(context.id.into());
    } else if let (true, Some(context)) = (call.is::<d3d11::SwapDeviceContextState>(), context) {
        Some(context.current.into()).filter(|current| *current != ObjectId::NULL).into_iter().for_each(lock);
    } else if let (true, Some(context)) = (call.is::<d3d11::Flush>(), context) {
        device.d3d11.visit_ends(context.unbound(&device.d3d11), lock);
    }
}
