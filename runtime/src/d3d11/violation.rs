//! Driver violations in calls on a context.

use super::context_state::ContextState;
use crate::context::Context;
use crate::state::DeviceState;
use crate::violation::{ObservedValue, record_violation, violate};
use std::fmt;
use taut_schemas::{HResult, Rule};

/// Context that a call has locked, with its device if the call locks it.
pub(crate) struct LockedContext<'l> {
    pub device: Option<&'l mut DeviceState>,
    pub state: &'l mut ContextState,
}

/// Records a driver violation. In strict mode the device is removed if the call has locked
/// it; otherwise only the context treats it as lost, until the removal is reported.
///
/// # Errors
/// DXGI_ERROR_DEVICE_REMOVED in strict mode.
pub(crate) fn violate_in(
    context: &mut Context<'_>,
    locked: LockedContext<'_>,
    rule: &Rule,
    observed: ObservedValue,
    description: fmt::Arguments<'_>,
) -> HResult<()> {
    let LockedContext { device, state } = locked;
    let result = match device {
        Some(device) => {
            let result = violate(context, device, rule, observed, description);
            state.lost |= result.is_err();
            return result;
        }
        None => record_violation(context, rule, observed, description),
    };
    if result.is_err() {
        state.mark_device_removed();
    }
    result
}
