//! State: what happens after recording.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! submission_state {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// What was submitted on an adapter.
            5680 Submissions {
                /// Whose.
                adapter: AdapterId,
                /// The operation submitted last.
                last_submission: u64,
                /// The device was removed, as far as queues know.
                removed: bool,
                /// Pipeline states that are alive.
                pipelines: Vec<PipelineStateId>,
                /// The driver has woken its own thread, which has not gone on yet.
                driver_woken: bool,
            }

            /// A command queue, as operations are submitted to it.
            5681 QueueOperations {
                /// Which.
                command_queue: CommandQueueId,
                /// Its type.
                list_type: CommandListType,
                /// Operations that are not done.
                operations: u64 as Count,
            }

            /// An operation that is not done, of the command queue before it; oldest first.
            5682 Operation {
                /// Its command queue.
                command_queue: CommandQueueId,
                /// Its number.
                submission: u64,
                /// What it is.
                operation: QueueOperation,
                /// The fence it sets or waits for; null for others.
                fence: FenceId,
                /// The fence's value.
                value: u64,
                /// What is to be run, as its driver writes it down; empty if nothing is.
                work: Bytes,
            }

            /// A fence's value, and what waits for it.
            5683 FenceValues {
                /// Which.
                fence: FenceId,
                /// Its value.
                value: u64,
                /// Events to be signalled, in their order.
                waiting: Vec<FenceWait>,
            }

            /// Background processing of an adapter that has ever had any.
            5684 Tasks {
                /// Whose.
                adapter: AdapterId,
                /// The mode in force.
                mode: BackgroundProcessingMode,
                /// The device is being destroyed.
                ending: bool,
                /// The last task that was queued.
                last_task: TaskId,
                /// Tasks accepted so far.
                last_sequence: u64 as Count,
                /// The next commit.
                next_commit: CommitId,
                /// Tasks that have not ended and that no commit waits for.
                uncommitted: u64 as Count,
                /// The last commit of high priority, done or not; null if there was none.
                last_boost: CommitId,
                /// The commits that are not done, oldest first.
                commits: Vec<PendingCommit>,
                /// The mode that the driver is being told of.
                change: Option<PendingModeChange>,
            }

            /// A background task that has not ended.
            5685 Task {
                /// Which.
                task: TaskId,
                /// Its number in the order in which the device accepted tasks.
                sequence: u64 as Count,
                /// pContext.
                context: u64,
                /// pfnCancel is given.
                has_cancel: bool,
                /// The pipeline state that it is for.
                pipeline_state: PipelineStateId,
                /// The first commit that waits for it.
                first_commit: CommitId,
                /// Where and how it runs; none while it waits.
                runs: Option<TaskRun>,
                /// Its work, as its driver writes it down.
                work: Bytes,
                /// It runs, and its driver found nothing to do for it.
                is_void: bool,
            }

            /// What an adapter's driver keeps, as it writes that down; in parts of at most 1 MiB, in their order.
            5686 DriverState {
                /// Whose.
                adapter: AdapterId,
                /// A part of it.
                state: Bytes,
            }
        }
    };
}
