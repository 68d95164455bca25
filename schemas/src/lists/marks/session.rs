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
        }
    };
}
