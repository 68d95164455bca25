//! The operating system: its events (synchapi.h, handleapi.h) and its settings.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! win32_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates an event of the operating system. synchapi.h: CreateEventW.
            2560 CreateEvent [system] = create_event(
                /// bManualReset.
                manual_reset: bool,
                /// bInitialState.
                initial_state: bool,
            ) -> HResult<EventHandle>;

            /// Closes an event's handle. handleapi.h: CloseHandle.
            2561 CloseHandle [system] = close_handle(
                /// hObject.
                event: EventHandle,
            ) -> HResult<()>;

            /// Begins a wait for an event. synchapi.h: WaitForSingleObject, up to the point where it blocks.
            2562 BeginWaitForSingleObject [system] = begin_wait_for_single_object(
                /// hHandle.
                event: EventHandle,
                /// dwMilliseconds; 0xffffffff is for ever.
                timeout_ms: u32,
            ) -> HResult<WaitStatus>;

            /// Ends the thread's wait: the event was signalled, or the time is up. Legal only in these cases.
            2563 FinishWaitForSingleObject [system] = finish_wait_for_single_object(
                /// hHandle.
                event: EventHandle,
                /// True if the time is up.
                timed_out: bool,
            ) -> HResult<WaitStatus>;

            /// Turns the operating system's developer mode on or off. Not a call of Direct3D: a setting of the machine,
            /// changed while programs run.
            2564 SetDeveloperMode [system] = set_developer_mode(
                /// True for on.
                enabled: bool,
            ) -> HResult<()>;
        }
    };
}
