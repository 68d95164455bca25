//! Marks: messages of the runtime, and of what replays it.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! message_marks {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// A message of the debug layer. d3d12sdklayers.h: D3D12_MESSAGE.
            4352 DebugMessage {
                /// D3D12_MESSAGE::Severity.
                severity: MessageSeverity,
                /// D3D12_MESSAGE::ID.
                message_id: MessageId,
                /// The object the message is about, if it is about one.
                object: ObjectId,
                /// D3D12_MESSAGE::pDescription.
                description: String,
            }

            /// The driver broke a rule, or did what a document asks drivers to stop doing.
            4353 DriverViolation {
                /// The rule, by its number (docs/rules.md).
                rule: String,
                /// Whether it is only advice.
                lint: bool,
                /// What the driver answered.
                found: u64,
                /// Least answer the rule allows.
                least: u64,
                /// Greatest answer the rule allows.
                greatest: u64,
                /// What happened, in words.
                description: String,
            }

            /// In a trace that a what-if replay wrote: a recorded call was not made, because another world has no object
            /// that it names.
            4354 SkippedCall {
                /// The call.
                name: String,
                /// The object, by its handle in the trace that was replayed.
                object: ObjectId,
            }

            /// The call in which this stands panicked, in the runtime or in its driver: it has no stop, and whoever made it got
            /// no answer. The device is removed next.
            4355 CallPanicked {
                /// What was said, or the first 1,024 bytes of it.
                message: String,
            }
        }
    };
}
