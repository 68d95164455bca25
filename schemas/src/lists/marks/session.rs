//! Marks: changes of the recording itself.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! session_marks {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// From here on, only this thread's events of these providers are recorded.
            4496 ProvidersChanged {
                /// Names of providers, joined by commas.
                providers: String,
            }

            /// In the previous call, this thread waited for the trace's writer while it held the call's locks: a call
            /// with more records than a buffer has space left may have to. Not recorded for short waits.
            4497 WriterWait was WaitedForWriter {
                /// Duration of the wait.
                wait_ns: u64,
            }
        }
    };
}
