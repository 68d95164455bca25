//! Marks: messages of the runtime and of a replay.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
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
                /// The object that the message is about; null if there is none.
                object: ObjectId,
                /// D3D12_MESSAGE::pDescription.
                description: String,
            }

            /// The driver broke a rule, or did something that a document advises drivers against.
            4353 DriverViolation {
                /// The rule, by its number (docs/rules.md).
                rule: String,
                /// True if the rule is only advice.
                lint: bool,
                /// The driver's answer.
                found: u64,
                /// Min answer that the rule allows.
                min was least: u64,
                /// Max answer that the rule allows.
                max was greatest: u64,
                /// Description of the violation.
                description: String,
            }

            /// In a trace written by a what-if replay: a recorded call was skipped, because an object that it names
            /// does not exist under the changed settings.
            4354 SkippedCall {
                /// The call.
                name: String,
                /// The object, by its handle in the replayed trace.
                object: ObjectId,
            }

            /// The enclosing call panicked, in the runtime or in its driver: the call has no stop, and its caller got
            /// no result. The device is removed next.
            4355 CallPanicked {
                /// The panic's message, cut off after 1,024 bytes.
                message: String,
            }
        }
    };
}
