//! AddRef and Release of Direct3D 11 objects.
//!
//! Memory that a staging texture is bound to outlives the texture it was created for. A device's resources outlive the
//! device's handle: they pin the device, and afterwards only Release accepts them.

use super::context_state::{ContextKind, ContextState};
use super::open::find;
use super::unpin::{self, destroy_context, uncount_object};
use crate::context::{Context, no_such_object};
use crate::state::{D3d11Kind, DeviceState, Objects};
use taut_schemas::{HResult, ObjectId, d3d11};

/// IUnknown::AddRef.
pub(crate) fn add_ref(context: &mut Context<'_>, objects: &mut dyn Objects, call: &d3d11::AddRef) -> HResult<u32> {
    match find(objects, call.object) {
        Some(object) => {
            object.count += 1;
            Ok(object.reported_count())
        }
        None => no_such_object(context, "Direct3D 11 object", call.object),
    }
}

/// IUnknown::Release. A resource may still be mapped.
pub(crate) fn release(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::Release,
) -> HResult<u32> {
    let found = find(objects, call.object).filter(|object| object.count > 0);
    let Some(object) = found else { return no_such_object(context, "Direct3D 11 object", call.object) };
    object.count -= 1;
    let (count, pins, reported, owner) = (object.count, object.pins, object.reported_count(), object.device);
    // The device's public count includes a reference for each context that the application holds.
    if count == 0 && matches!(object.kind, D3d11Kind::Context) {
        let of = find(objects, owner.into()).map(|owner| &mut owner.kind);
        if let Some(D3d11Kind::Device(of)) = of {
            match state.kind {
                ContextKind::Immediate => of.immediate_counts = false,
                _ => of.contexts = of.contexts.saturating_sub(1),
            }
        }
    }
    if count == 0 && pins == 0 {
        destroy(context, device, state, objects, call.object);
    }
    Ok(reported)
}

/// Destroys an object without references. With a context, and with a device and its immediate context, the pins that
/// the context had are dropped.
fn destroy(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    id: ObjectId,
) {
    let Some(object) = find(objects, id).cloned() else { return };
    match object.kind {
        D3d11Kind::Device(_) | D3d11Kind::Context => {
            objects.remove(id);
            if state.kind == ContextKind::Immediate {
                objects.remove(state.id.into());
            }
            destroy_context(context, device, state, objects);
            uncount_object(context, device, &object);
        }
        _ => unpin::destroy(context, device, objects, id),
    }
}
