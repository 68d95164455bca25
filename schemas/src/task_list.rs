//! The inputs that come from the machine itself: its worker threads and its graphics processor.

/// Hands the list of these inputs to a macro. Lines are made like those of
/// [`for_each_api_call!`](crate::for_each_api_call).
#[macro_export]
macro_rules! for_each_task_call {
    ($handler:ident) => {
        $handler! {
            /// A worker thread begins the task that is next in order. Legal when there is one and fewer run than may.
            192 StartBackgroundWork [queue] = start_background_work(
                /// The worker, from 0.
                worker: u32,
            ) -> HResult<TaskId>;

            /// A worker thread has done a task's work: the result is handed to the driver.
            193 FinishBackgroundWork [queue] = finish_background_work(
                /// The task.
                task: TaskId,
            ) -> HResult<()>;

            /// A worker thread failed in a task's work: the device is removed.
            194 FailBackgroundWork [device, queue] = fail_background_work(
                /// The task.
                task: TaskId,
                /// What it said.
                reason: String,
            ) -> HResult<()>;

            /// The graphics processor has done the oldest operation of a command queue. Legal when there is one that waits for
            /// nothing.
            195 CompleteQueueOperation [queue] = complete_queue_operation(
                /// The command queue.
                command_queue: CommandQueueId,
            ) -> HResult<QueueProgress>;
        }
    };
}

/// Arguments of these inputs, one struct per line of [`for_each_task_call!`](crate::for_each_task_call).
pub mod task {
    use crate::call::{Call, Layer, LockSet, define_calls, describe_start};
    use crate::event::{EventCode, Opcode};
    use crate::execution_desc::*;
    use crate::field::{Field, HandleMap};
    use crate::row::{CodecError, Decoder, Encoder};
    use crate::table::{EventHead, SchemaTable};
    use crate::{hresult::HResult, id::*};

    macro_rules! structs {
        ($($list:tt)*) => { define_calls! { Task; $($list)* } };
    }
    for_each_task_call!(structs);
}

pub(crate) use task::describe;
