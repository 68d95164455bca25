//! Background processing modes.

use super::error::WorkloadError;
use super::refusal::required;
use taut_capture::Caller;
use taut_schemas::{
    BackgroundProcessingMode as Mode, DeviceId, EventHandle, HResult, MeasurementsAction as Action, d3d12, win32,
};

/// Event that a mode call signals, and whether the call queries for further measurements.
#[derive(Clone, Copy)]
pub(crate) struct ModeEvent {
    pub event: EventHandle,
    pub want_further: bool,
}

/// Sets the mode and the measurements action; returns whether further measurements are desired.
///
/// # Errors
/// The call failed, and the workload requires it.
pub(crate) fn set_mode<C: Caller>(
    caller: &mut C,
    device: DeviceId,
    mode: Mode,
    action: Action,
    signal: ModeEvent,
) -> Result<bool, WorkloadError> {
    required("SetBackgroundProcessingMode", try_mode(caller, device, mode, action, signal))
}

/// Sets the mode, as [`set_mode`] does, for workloads in which the call may fail.
pub(crate) fn try_mode<C: Caller>(
    caller: &mut C,
    device: DeviceId,
    mode: Mode,
    measurements_action: Action,
    signal: ModeEvent,
) -> HResult<bool> {
    let ModeEvent { event, want_further } = signal;
    let set = d3d12::SetBackgroundProcessingMode { device, mode, measurements_action, event, want_further };
    caller.call(set).map(|further| further.desired)
}

/// No event, and no query for further measurements: `null, null`.
pub(crate) const NULL: ModeEvent = ModeEvent { event: EventHandle::NULL, want_further: false };

/// Sets the developer mode of the system.
pub(crate) fn set_developer_mode<C: Caller>(caller: &mut C, enabled: bool) -> Result<(), WorkloadError> {
    required("SetDeveloperMode", caller.call(win32::SetDeveloperMode { enabled }))
}
