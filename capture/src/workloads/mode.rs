//! Background processing modes.

use super::error::WorkloadError;
use super::refusal::required;
use crate::caller::Caller;
use taut_schemas::{
    BackgroundProcessingMode as Mode, DeviceId, EventHandle, HResult, MeasurementsAction as Action, d3d12, win32,
};

/// Sets the mode, and says what becomes of measurements; whether further ones are desired.
///
/// # Errors
/// What the workload cannot do without was refused.
pub(crate) fn set_mode<C: Caller>(
    caller: &mut C,
    device: DeviceId,
    mode: (Mode, Action),
    (event, want_further): (EventHandle, bool),
) -> Result<bool, WorkloadError> {
    required("SetBackgroundProcessingMode", try_mode(caller, device, mode, (event, want_further)))
}

/// The same, where a refusal is part of what the workload shows.
pub(crate) fn try_mode<C: Caller>(
    caller: &mut C,
    device: DeviceId,
    (mode, measurements_action): (Mode, Action),
    (event, want_further): (EventHandle, bool),
) -> HResult<bool> {
    let set = d3d12::SetBackgroundProcessingMode { device, mode, measurements_action, event, want_further };
    caller.call(set).map(|further| further.desired)
}

/// No event, and nothing is to be answered: `null, null`.
pub(crate) const NULL: (EventHandle, bool) = (EventHandle::NULL, false);

/// Turns developer mode of the system on or off.
pub(crate) fn set_developer_mode<C: Caller>(caller: &mut C, enabled: bool) -> Result<(), WorkloadError> {
    required("SetDeveloperMode", caller.call(win32::SetDeveloperMode { enabled }))
}
