//! State: submission and execution.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! submission_state {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Submissions on an adapter.
            5680 Submissions {
                /// The adapter.
                adapter: AdapterId,
                /// Number of the last submitted operation.
                last_submission: u64,
                /// True if the device was removed, as far as queues have noticed.
                removed: bool,
                /// Live pipeline states.
                pipelines: Vec<PipelineStateId>,
                /// True if the driver has woken its own thread, which has not run yet.
                driver_woken: bool,
            }

            /// A command queue, as the target of submissions.
            5681 QueueOperations {
                /// The command queue.
                command_queue: CommandQueueId,
                /// Type.
                list_type: CommandListType,
                /// Pending operations.
                operations: u64 as Count,
            }

            /// A pending operation of the preceding command queue; oldest first.
            5682 Operation {
                /// The command queue.
                command_queue: CommandQueueId,
                /// Number of the operation.
                submission: u64,
                /// Kind of the operation.
                operation: QueueOperation,
                /// The fence that the operation sets or waits for; null for others.
                fence: FenceId,
                /// The fence's value.
                value: u64,
                /// The pending work, as saved by its driver; empty if there is none.
                work: Bytes,
            }

            /// A fence's value, and the events that wait for it.
            5683 FenceValues {
                /// The fence.
                fence: FenceId,
                /// Value.
                value: u64,
                /// Events to be signalled, in order.
                waiting: Vec<FenceWait>,
            }

            /// Background processing of an adapter that has had any.
            5684 Tasks {
                /// The adapter.
                adapter: AdapterId,
                /// The mode in force.
                mode: BackgroundProcessingMode,
                /// True while the device is being destroyed.
                ending: bool,
                /// The last queued task.
                last_task: TaskId,
                /// Tasks accepted so far.
                last_sequence: u64 as Count,
                /// The next commit.
                next_commit: CommitId,
                /// Unfinished tasks that no commit waits for.
                uncommitted: u64 as Count,
                /// The last commit of high priority, complete or not; null if there was none.
                last_boost: CommitId,
                /// Incomplete commits, oldest first.
                commits: Vec<PendingCommit>,
                /// The mode change during which the driver is being called.
                change: Option<PendingModeChange>,
            }

            /// An unfinished background task.
            5685 Task {
                /// The task.
                task: TaskId,
                /// Number of the task in the order in which the device accepted tasks.
                sequence: u64 as Count,
                /// pContext.
                context: u64,
                /// True if pfnCancel is not null.
                has_cancel: bool,
                /// The task's pipeline state.
                pipeline_state: PipelineStateId,
                /// The first commit that waits for the task.
                first_commit: CommitId,
                /// Worker and priority; absent while the task waits.
                runs: Option<TaskRun>,
                /// The task's work, as saved by its driver.
                work: Bytes,
                /// True if the task runs and its driver found nothing to do.
                is_void: bool,
            }

            /// State of an adapter's driver, as saved by the driver; in chunks of at most 1 MiB, in order.
            5686 DriverState {
                /// The adapter.
                adapter: AdapterId,
                /// A chunk of the state.
                state: Bytes,
            }
        }
    };
}
