//! Marks: where the workload is.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! workload_marks {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// A named part of the workload begins or ends.
            4368 WorkloadPhase {
                /// Number of the phase within the workload.
                phase_index: u32 as Count,
                /// Whether it begins or ends.
                edge: PhaseEdge,
                /// Name; for the end of a test, its own verdict.
                name: String,
            }

            /// The next API call or workload phase is this line of the call log the workload follows; each one after it
            /// is the next line, until another mark of this kind.
            4369 LogPosition {
                /// The log's seq.
                seq: u64 as Count,
            }

            /// The program says that a frame begins.
            4370 Frame {
                /// Number of the frame, from 0.
                frame_index: u64 as Count,
            }

            /// What the next resource of this thread is created for, in a scene: the way from its root to the first node
            /// that uses it.
            4371 UsedFrom {
                /// Names of nodes, joined by `/`.
                path: String,
            }
        }
    };
}
