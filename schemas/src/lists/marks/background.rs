//! Marks: background processing. ETW: Microsoft-Windows-Direct3D12.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! background_marks {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Task provider: a background task begins. ETW: Microsoft-Windows-Direct3D12, BackgroundWork Start (132).
            4384 BackgroundWorkStart {
                /// The task.
                task: TaskId,
                /// Number of the task in the order in which the device accepted tasks.
                sequence: u64 as Count,
                /// Priority of the task.
                priority: WorkPriority,
                /// The worker thread, from 0.
                worker: u32,
                /// The task's pipeline state.
                pipeline_state: PipelineStateId,
                /// The commits that wait for the task.
                commits: Vec<CommitId>,
            }

            /// Task provider: a background task has ended. ETW: BackgroundWork Stop (133).
            4385 BackgroundWorkStop {
                /// The task.
                task: TaskId,
                /// Number of the task in the order in which the device accepted tasks.
                sequence: u64 as Count,
                /// Last priority of the task.
                priority: WorkPriority,
                /// The worker thread, from 0.
                worker: u32,
                /// The task's pipeline state.
                pipeline_state: PipelineStateId,
                /// The commits that wait for the task.
                commits: Vec<CommitId>,
            }

            /// Task provider: a background task will not run; its cancel callback is called if it has one. ETW has no
            /// such event.
            4386 BackgroundWorkCancel {
                /// The task.
                task: TaskId,
                /// Number of the task in the order in which the device accepted tasks.
                sequence: u64 as Count,
                /// Reason of the cancellation.
                reason: CancelReason,
                /// The task's pipeline state.
                pipeline_state: PipelineStateId,
                /// The commits that wait for the task.
                commits: Vec<CommitId>,
            }

            /// Task provider: the thread of a running task changes its priority.
            4387 BackgroundWorkPriority {
                /// The task.
                task: TaskId,
                /// The new priority.
                priority: WorkPriority,
            }

            /// Task provider: a SetBackgroundProcessingMode has committed results.
            4388 BackgroundCommit {
                /// The commit.
                commit: CommitId,
                /// The event that the commit signals; may be null.
                event: EventHandle,
                /// True if the commit's tasks run at high priority.
                high_priority: bool,
                /// The tasks that the commit waits for, in order.
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
