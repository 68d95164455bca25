//! Marks: what changed about the recording itself.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! session_marks {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// From here on this thread's events of these providers are recorded, and of no others.
            4496 ProvidersChanged {
                /// Names of providers, joined by commas.
                providers: String,
            }

            /// In the call before, this thread waited for the trace's writer while it held the call's locks: one that says more than
            /// a buffer has left may have to. Not said of short waits.
            4497 WaitedForWriter {
                /// How long.
                wait_ns: u64,
            }
        }
    };
}
