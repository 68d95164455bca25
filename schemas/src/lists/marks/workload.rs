//! Marks: progress of the workload.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! workload_marks {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// A phase of the workload begins or ends.
            4368 WorkloadPhase {
                /// Number of the phase within the workload.
                phase_index: u32 as Count,
                /// Beginning or end.
                edge: PhaseEdge,
                /// Name; at the end of a test, the test's own verdict.
                name: String,
            }

            /// The next API call or workload phase is this line of the call log that the workload follows; each later
            /// one is the next line, until the next mark of this kind.
            4369 LogPosition {
                /// The log's seq.
                seq: u64 as Count,
            }

            /// The program begins a frame.
            4370 Frame {
                /// Number of the frame, from 0.
                frame_index: u64 as Count,
            }

            /// Purpose of the next resource of this thread, in a scene: the path from the scene's root to the first
            /// node that uses the resource.
            4371 ScenePath was UsedFrom {
                /// Names of nodes, joined by `/`.
                path: String,
            }

            /// Calls of the log that the workload follows whose outcome differed from the log in the same way, at the
            /// end of the recording.
            4372 LoggedCallsDiffer {
                /// Kind of the difference.
                kind: DifferenceKind,
                /// Name of the call.
                name: String,
                /// Outcome of the first call in the log.
                logged: String,
                /// Outcome of the first call in the recording.
                live: String,
                /// The debug layer's message or the rule that gives the reason; empty if there is none.
                rule: String,
                /// Text of the reason, for the first call.
                description: String,
                /// Number of calls.
                calls: u64 as Count,
                /// Line of the first call in the log's file, from 1.
                first_line: u64 as Count,
            }
        }
    };
}
