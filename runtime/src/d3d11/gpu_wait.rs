//! Wait of a map call for work on the GPU.

use super::context_state::ContextState;
use crate::context::Context;
use crate::state::D3d11Resource;
use taut_schemas::{HResult, HResultCode, MapFlags, d3d11};

/// Waits for the GPU, or returns the error for memory that it still writes.
pub(crate) fn wait_for_gpu(
    context: &mut Context<'_>,
    state: &mut ContextState,
    call: &d3d11::Map,
    resource: &D3d11Resource,
) -> HResult<()> {
    if !state.being_written.contains(&resource.memory.0) {
        return Ok(());
    }
    if resource.direct_access {
        let text = format_args!("Map of resource {}: the GPU still writes it.", call.resource.0);
        return context.refuse(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING, call.resource, text);
    }
    if call.map_flags.contains(MapFlags::DO_NOT_WAIT) {
        return Err(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING);
    }
    // A wait completes all GPU work so far, not only that on this resource.
    state.being_written.clear();
    Ok(())
}
