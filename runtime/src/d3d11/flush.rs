//! Flush: submits GPU work and drops the immediate context's references to objects that are no longer bound.

use super::context_state::{ContextKind, ContextState};
use super::open;
use super::state_swap;
use super::unpin::unpin;
use crate::context::Context;
use crate::state::{DeviceState, Objects};
use taut_schemas::{FunctionTable, HResult, MessageId, MessageSeverity, d3d11, d3d11_context_ddi as ddi};

/// ID3D11DeviceContext::Flush. A deferred context ignores it (rule H-62).
pub(crate) fn flush(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::Flush,
) -> HResult<()> {
    open::begin(context, state, objects, call.context)?;
    if state.kind == ContextKind::Deferred {
        let text = format_args!("Flush: context {} is deferred; nothing is submitted.", call.context.0);
        context.message(MessageSeverity::WARNING, MessageId::UNKNOWN, call.context.into(), text);
        return Ok(());
    }
    submit(context, state);
    for id in state.unbound(&device.d3d11) {
        state.remove_ref(id);
        unpin(context, device, objects, id);
    }
    state_swap::forget_ended(device, state);
    Ok(())
}

/// Submits all GPU work so far.
pub(crate) fn submit(context: &mut Context<'_>, state: &mut ContextState) {
    if state.table.has(FunctionTable::slot(<ddi::Flush as taut_schemas::Call>::ID)) {
        let flush = ddi::Flush { context: state.id, device: state.device_handle };
        state.record(context, flush);
    }
    state.contents.submit();
}
