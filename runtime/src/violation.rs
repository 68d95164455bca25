//! A driver has broken a rule: it is recorded, and in strict mode the device is removed.

use crate::context::Context;
use crate::state::DeviceState;
use std::fmt;
use taut_schemas::{HResult, HResultCode, Rule, mark};

/// Records a driver violation: (found, least, greatest).
///
/// # Errors
/// DXGI_ERROR_DEVICE_REMOVED in strict mode, where it removes the device.
pub(crate) fn violate(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    rule: &Rule,
    (found, least, greatest): (u64, u64, u64),
    description: fmt::Arguments<'_>,
) -> HResult<()> {
    let said = say(context, rule, (found, least, greatest), description);
    if said.is_err() {
        device.remove();
    }
    said
}

/// Records a driver violation: (found, least, greatest). Where the device is not locked, who calls sees to its removal.
///
/// # Errors
/// DXGI_ERROR_DEVICE_REMOVED in strict mode.
pub(crate) fn say(
    context: &mut Context<'_>,
    rule: &Rule,
    (found, least, greatest): (u64, u64, u64),
    description: fmt::Arguments<'_>,
) -> HResult<()> {
    let (rule, description) = (rule.id.to_owned(), description.to_string());
    context.violation(&mark::DriverViolation { rule, lint: false, found, least, greatest, description });
    if context.settings.strict { Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED) } else { Ok(()) }
}

/// Records what no rule forbids and somebody should look at: (found, least, greatest).
pub(crate) fn lint(
    context: &mut Context<'_>,
    rule: &Rule,
    (found, least, greatest): (u64, u64, u64),
    description: fmt::Arguments<'_>,
) {
    let (rule, description) = (rule.id.to_owned(), description.to_string());
    context.violation(&mark::DriverViolation { rule, lint: true, found, least, greatest, description });
}
