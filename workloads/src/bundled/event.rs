//! Events for which a workload waits.

use super::error::WorkloadError;
use super::refusal::required;
use taut_capture::Caller;
use taut_schemas::{EventHandle, WaitStatus, win32};

/// Creates an auto-reset event.
pub(crate) fn event<C: Caller>(caller: &mut C) -> Result<EventHandle, WorkloadError> {
    required("CreateEvent", caller.call(win32::CreateEvent { manual_reset: false, initial_state: false }))
}

/// Waits for an event; returns false if the wait timed out.
pub(crate) fn wait<C: Caller>(caller: &mut C, event: EventHandle, timeout_ms: u32) -> Result<bool, WorkloadError> {
    required("WaitForSingleObject", caller.wait(event, timeout_ms)).map(|status| status == WaitStatus::OBJECT_0)
}

/// Closes an event, which may still have a pending signal.
pub(crate) fn close<C: Caller>(caller: &mut C, event: EventHandle) -> Result<(), WorkloadError> {
    required("CloseHandle", caller.call(win32::CloseHandle { event }))
}
