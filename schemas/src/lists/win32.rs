//! The operating system: its events (synchapi.h, handleapi.h) and its settings.

/// Hands these lines to a macro, after what it is given besides.
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

            /// Begins to wait for an event. synchapi.h: WaitForSingleObject, as far as it does not block.
            2562 BeginWaitForSingleObject [system] = begin_wait_for_single_object(
                /// hHandle.
                event: EventHandle,
                /// dwMilliseconds; 0xffffffff is for ever.
                timeout_ms: u32,
            ) -> HResult<WaitStatus>;

            /// Ends the wait that the last call but for this began: the event was signalled, or time is up. Legal only when
            /// that is so.
            2563 FinishWaitForSingleObject [system] = finish_wait_for_single_object(
                /// hHandle.
                event: EventHandle,
                /// Time is up.
                timed_out: bool,
            ) -> HResult<WaitStatus>;

            /// Turns the operating system's developer mode on or off. Not a call of Direct3D: a setting of the machine, made
            /// while programs run.
            2564 SetDeveloperMode [system] = set_developer_mode(
                /// On or off.
                enabled: bool,
            ) -> HResult<()>;
        }
    };
}
