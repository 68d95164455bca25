//! Win32 events. A wait is two inputs: its start, and its end, which is legal once the condition of the wait holds.

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

/// WaitForSingleObject, up to the point where it blocks. A successful wait resets an auto-reset event.
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

/// Completes a wait that blocked.
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

/// True if the event is signalled; an auto-reset event is reset.
fn take(system: &mut SystemState, event: EventHandle) -> Option<bool> {
    let event = system.event_mut(event)?;
    let signalled = event.signalled;
    // An auto-reset event is consumed by the wait that finds it signalled.
    event.signalled &= event.manual_reset;
    Some(signalled)
}

fn no_event<T>(context: &mut Context<'_>, event: EventHandle) -> HResult<T> {
    context.refuse(HResultCode::E_HANDLE, ObjectId::NULL, format_args!("There is no event {}.", event.0))
}
