//! The immediate context asked for, and what a device can do on several threads.

use super::context_state::ContextState;
use super::open::{self, find};
use crate::context::Context;
use crate::state::{DeviceState, Objects};
use taut_schemas::{D3d11ContextId, HResult, HResultCode, ThreadingCaps, ThreadingSupport, d3d11};

/// Bytes of D3D11_FEATURE_DATA_THREADING.
const THREADING_BYTES: u32 = 8;

/// ID3D11Device::GetImmediateContext.
pub(crate) fn get_immediate_context(
    context: &mut Context<'_>,
    _: &mut DeviceState,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::GetImmediateContext,
) -> HResult<D3d11ContextId> {
    open::device_undoing_mark(context, objects, call.device)?;
    if let Some(object) = find(objects, state.id.into()) {
        object.count += 1;
        if object.count == 1 {
            // The first reference to a context is one to its device.
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
    open::device_undoing_mark(context, objects, call.device)?;
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
