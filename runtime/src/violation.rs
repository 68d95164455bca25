//! Driver violations: recorded, and in strict mode followed by the removal of the device.

use crate::context::Context;
use crate::state::DeviceState;
use std::fmt;
use taut_schemas::{HResult, HResultCode, Rule, mark};

/// Value that breaks a rule, with its limits.
#[derive(Clone, Copy)]
pub(crate) struct ObservedValue {
    pub found: u64,
    pub min: u64,
    pub max: u64,
}

/// Records a driver violation with (found, minimum, maximum), and removes the device in strict mode.
///
/// # Errors
/// DXGI_ERROR_DEVICE_REMOVED in strict mode.
pub(crate) fn violate(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    rule: &Rule,
    observed: ObservedValue,
    description: fmt::Arguments<'_>,
) -> HResult<()> {
    let recorded = record_violation(context, rule, observed, description);
    if recorded.is_err() {
        device.remove();
    }
    recorded
}

/// Records a driver violation with (found, minimum, maximum). The device is not locked; the caller removes it.
///
/// # Errors
/// DXGI_ERROR_DEVICE_REMOVED in strict mode.
pub(crate) fn record_violation(
    context: &mut Context<'_>,
    rule: &Rule,
    observed: ObservedValue,
    description: fmt::Arguments<'_>,
) -> HResult<()> {
    let ObservedValue { found, min, max } = observed;
    let (rule, description) = (rule.id.to_owned(), description.to_string());
    context.violation(&mark::DriverViolation { rule, lint: false, found, min, max, description });
    if context.settings.strict { Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED) } else { Ok(()) }
}

/// Records a lint with (found, minimum, maximum): no rule forbids it, but it deserves attention.
pub(crate) fn lint(context: &mut Context<'_>, rule: &Rule, observed: ObservedValue, description: fmt::Arguments<'_>) {
    let ObservedValue { found, min, max } = observed;
    let (rule, description) = (rule.id.to_owned(), description.to_string());
    context.violation(&mark::DriverViolation { rule, lint: true, found, min, max, description });
}
