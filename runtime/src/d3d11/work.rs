//! Completion of GPU work that a Map may have to wait for.

use super::context_state::ContextState;
use super::open;
use crate::context::{Context, no_such_object};
use crate::state::Objects;
use taut_schemas::{HResult, d3d11};

/// Input: all submitted GPU work is complete.
pub(crate) fn gpu_work_completed(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::GpuWorkCompleted,
) -> HResult<()> {
    if state.device != call.device {
        return no_such_object(context, "Direct3D 11 device", call.device.into());
    }
    open::device_clearing_access_mark(context, objects, call.device)?;
    state.being_written.clear();
    Ok(())
}
