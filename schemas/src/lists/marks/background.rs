//! Marks: background processing. ETW: Microsoft-Windows-Direct3D12.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! background_marks {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Task provider: a background task begins. ETW: Microsoft-Windows-Direct3D12, BackgroundWork Start (132).
            4384 BackgroundWorkStart {
                /// The task.
                task: TaskId,
                /// Its number in the order in which the device accepted tasks.
                sequence: u64 as Count,
                /// At which priority it runs.
                priority: WorkPriority,
                /// The worker thread, from 0.
                worker: u32,
                /// The pipeline state it is for.
                pipeline_state: PipelineStateId,
                /// The commits that wait for it.
                commits: Vec<CommitId>,
            }

            /// Task provider: a background task has ended. ETW: BackgroundWork Stop (133).
            4385 BackgroundWorkStop {
                /// The task.
                task: TaskId,
                /// Its number in the order in which the device accepted tasks.
                sequence: u64 as Count,
                /// At which priority it ran last.
                priority: WorkPriority,
                /// The worker thread, from 0.
                worker: u32,
                /// The pipeline state it is for.
                pipeline_state: PipelineStateId,
                /// The commits that wait for it.
                commits: Vec<CommitId>,
            }

            /// Task provider: a background task will not run; its cancel callback is called if it has one. ETW has no such
            /// event.
            4386 BackgroundWorkCancel {
                /// The task.
                task: TaskId,
                /// Its number in the order in which the device accepted tasks.
                sequence: u64 as Count,
                /// Why.
                reason: CancelReason,
                /// The pipeline state it is for.
                pipeline_state: PipelineStateId,
                /// The commits that wait for it.
                commits: Vec<CommitId>,
            }

            /// Task provider: a running task's thread changes its priority.
            4387 BackgroundWorkPriority {
                /// The task.
                task: TaskId,
                /// The priority from now on.
                priority: WorkPriority,
            }

            /// Task provider: a SetBackgroundProcessingMode has committed results.
            4388 BackgroundCommit {
                /// The commit.
                commit: CommitId,
                /// The event it signals; may be null.
                event: EventHandle,
                /// Whether its tasks run at high priority.
                high_priority: bool,
                /// The tasks it waits for, in order.
                tasks: Vec<TaskId>,
            }

            /// Task provider: all tasks of a commit have ended, and its event is signalled.
            4389 BackgroundCommitDone {
                /// The commit.
                commit: CommitId,
                /// The event signalled; may be null.
                event: EventHandle,
            }
        }
    };
}
