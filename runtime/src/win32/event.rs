//! The operating system's events. A wait is two inputs: its beginning, and its end, which is legal once its condition holds.

use super::SystemState;
use crate::context::Context;
use taut_schemas::{EventHandle, HResult, HResultCode, ObjectId, WaitStatus, win32};

/// CreateEventW.
pub(crate) fn create_event(
    _: &mut Context<'_>,
    system: &mut SystemState,
    call: &win32::CreateEvent,
) -> HResult<EventHandle> {
    Ok(system.create_event(call.manual_reset, call.initial_state))
}

/// CloseHandle.
pub(crate) fn close_handle(
    context: &mut Context<'_>,
    system: &mut SystemState,
    call: &win32::CloseHandle,
) -> HResult<()> {
    match system.close_event(call.event) {
        Some(_) => Ok(()),
        None => no_event(context, call.event),
    }
}

/// WaitForSingleObject, up to where it would block. An event that resets itself is reset by who finds it signalled.
pub(crate) fn begin_wait_for_single_object(
    context: &mut Context<'_>,
    system: &mut SystemState,
    call: &win32::BeginWaitForSingleObject,
) -> HResult<WaitStatus> {
    match take(system, call.event) {
        Some(true) => Ok(WaitStatus::OBJECT_0),
        Some(false) if call.timeout_ms == 0 => Ok(WaitStatus::TIMEOUT),
        Some(false) => Ok(WaitStatus::PENDING),
        None => no_event(context, call.event),
    }
}

/// The end of a wait.
pub(crate) fn finish_wait_for_single_object(
    context: &mut Context<'_>,
    system: &mut SystemState,
    call: &win32::FinishWaitForSingleObject,
) -> HResult<WaitStatus> {
    match take(system, call.event) {
        Some(true) => Ok(WaitStatus::OBJECT_0),
        Some(false) if call.timed_out => Ok(WaitStatus::TIMEOUT),
        Some(false) => {
            let text = format_args!("Event {} is not signalled.", call.event.0);
            context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, ObjectId::NULL, text)
        }
        None => no_event(context, call.event),
    }
}

/// Whether the event is signalled; it is reset if it resets itself.
fn take(system: &mut SystemState, event: EventHandle) -> Option<bool> {
    let event = system.event_mut(event)?;
    let signalled = event.signalled;
    event.signalled &= event.manual_reset;
    Some(signalled)
}

fn no_event<T>(context: &mut Context<'_>, event: EventHandle) -> HResult<T> {
    context.refuse(HResultCode::E_HANDLE, ObjectId::NULL, format_args!("There is no event {}.", event.0))
}
