//! Queries without a DDI call: GetImmediateContext, CheckFeatureSupport, QueryInterface and GetContextFlags.

use super::context_state::ContextState;
use super::open::{self, find};
use crate::context::{Context, no_such_object};
use crate::state::{D3d11Kind, DeviceState, Objects};
use taut_schemas::{
    D3d11ContextId, D3d11Interface, HResult, HResultCode, ObjectId, ThreadingCaps, ThreadingSupport, d3d11,
};

/// Size in bytes of D3D11_FEATURE_DATA_THREADING: two BOOLs.
const THREADING_BYTES: u32 = 8;

/// ID3D11Device::GetImmediateContext.
pub(crate) fn get_immediate_context(
    context: &mut Context<'_>,
    _: &mut DeviceState,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::GetImmediateContext,
) -> HResult<D3d11ContextId> {
    open::device_clearing_access_mark(context, objects, call.device)?;
    if let Some(object) = find(objects, state.id.into()) {
        object.count += 1;
        if object.count == 1 {
            // The context's first reference is also a reference to its device.
            open::device(context, objects, call.device)?.immediate_counts = true;
        }
    }
    Ok(state.id)
}

/// ID3D11Device::CheckFeatureSupport, of D3D11_FEATURE_THREADING.
pub(crate) fn check_feature_support(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d11::CheckFeatureSupport,
) -> HResult<ThreadingSupport> {
    open::device_clearing_access_mark(context, objects, call.device)?;
    if call.size_bytes != THREADING_BYTES || !call.want_data {
        let text = format_args!("CheckFeatureSupport: FeatureSupportDataSize is not {THREADING_BYTES}.");
        return context.refuse(HResultCode::E_INVALIDARG, call.device, text);
    }
    let facts = device.d3d11.devices.get(&call.device.0);
    let caps = facts.map_or(ThreadingCaps::NONE, |(facts, _)| facts.caps);
    Ok(ThreadingSupport {
        driver_concurrent_creates: caps.contains(ThreadingCaps::FREETHREADED),
        driver_command_lists: caps.contains(ThreadingCaps::COMMANDLISTS_BUILD_2),
    })
}

/// IUnknown::QueryInterface. Predicates are queries with the additional interface ID3D11Predicate.
pub(crate) fn query_interface(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d11::QueryInterface,
) -> HResult<ObjectId> {
    let Some(object) = find(objects, call.object) else {
        return no_such_object(context, "Direct3D 11 object", call.object);
    };
    let has = match (&object.kind, call.interface) {
        (_, D3d11Interface::UNKNOWN) => true,
        (D3d11Kind::Query(desc), D3d11Interface::PREDICATE) => desc.query.is_predicate(),
        _ => false,
    };
    if !has {
        return Err(HResultCode::E_NOINTERFACE);
    }
    object.count += 1;
    Ok(call.object)
}

/// ID3D11DeviceContext::GetContextFlags.
pub(crate) fn get_context_flags(
    context: &mut Context<'_>,
    state: &mut ContextState,
    call: &d3d11::GetContextFlags,
) -> HResult<u32> {
    match state.exists() {
        true => Ok(0),
        false => no_such_object(context, "context", call.context.into()),
    }
}
