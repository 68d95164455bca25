//! Objects that a call uses without naming them, derived from the device and context, which are locked before the
//! objects.

use super::context_state::ContextState;
use super::state_object;
use crate::state::DeviceState;
use std::any::Any;
use taut_schemas::{Call, Input, ObjectId, d3d11, machine};

/// Calls `lock` for each object that a call uses without naming it: objects whose pins or references the context or
/// device drops or adds.
pub fn implicit_locks<C: Input>(
    call: &C,
    device: Option<&DeviceState>,
    context: Option<&ContextState>,
    lock: &mut dyn FnMut(ObjectId),
) {
    let any: &dyn Any = call;
    let removes = any.is::<machine::RemoveDevice>() || any.is::<machine::RemovePanickedDevice>();
    // A removal marks every object of the adapter as lost.
    if let (true, Some(device)) = (removes, device) {
        return device.visit_ids(lock);
    }
    // Calls of other families name every object they use.
    if !(d3d11::FAMILY.first..=d3d11::FAMILY.last).contains(&C::ID) {
        return;
    }
    let context = context.filter(|context| context.exists());
    if let Some(extended) = context.filter(|context| context.is_extended()) {
        lock(extended.device.into());
    }
    // Get calls add a reference to each object they return.
    if (d3d11::GetShaderResources::ID..=d3d11::GetPredication::ID).contains(&C::ID) {
        return context.iter().for_each(|context| context.bindings.objects().into_iter().for_each(&mut *lock));
    }
    let Some(device) = device else { return };
    let call: &dyn Any = call;
    if let Some(call) = call.downcast_ref::<d3d11::Release>() {
        device.d3d11.visit_ends([call.object], lock);
        if let Some(context) = context {
            // Releasing a device destroys its immediate context; destroying a context updates its device.
            lock(context.id.into());
            lock(context.device.into());
            device.d3d11.visit_ends(context.held.keys().chain(&context.abandoned_objects).copied(), lock);
        }
    } else if let Some(same) = state_object::existing(device, call) {
        // A creation that returns an existing state object adds a reference to it.
        lock(same.into());
    } else if let (Some(call), Some(context)) = (call.downcast_ref::<d3d11::FinishCommandList>(), context) {
        device.d3d11.visit_ends(context.abandoned_objects.iter().copied(), lock);
        // Without a list to own them, the recording's pins are dropped in the call itself.
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
