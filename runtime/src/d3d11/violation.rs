//! Rules that a driver breaks in a call on a context.

use super::context_state::ContextState;
use crate::context::Context;
use crate::state::DeviceState;
use crate::violation::{say, violate};
use std::fmt;
use taut_schemas::{HResult, Rule};

/// Records a driver violation: (found, least, greatest). In strict mode the device is removed if it is locked, and lost to the
/// context in any case.
///
/// # Errors
/// DXGI_ERROR_DEVICE_REMOVED in strict mode.
pub(crate) fn violate_in(
    context: &mut Context<'_>,
    (device, state): (Option<&mut DeviceState>, &mut ContextState),
    rule: &Rule,
    numbers: (u64, u64, u64),
    description: fmt::Arguments<'_>,
) -> HResult<()> {
    let said = match device {
        Some(device) => {
            let said = violate(context, device, rule, numbers, description);
            state.lost |= said.is_err();
            return said;
        }
        None => say(context, rule, numbers, description),
    };
    if said.is_err() {
        state.lose();
    }
    said
}
