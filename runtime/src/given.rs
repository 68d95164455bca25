//! What an input's function takes besides what is recorded of it: found again, where inputs are made from records.

use crate::executor::Executor;
use crate::submission::SubmissionState;
use taut_schemas::{SubmissionResult, TaskResult, machine};

/// What the input `C` is given.
pub trait Given<C> {
    /// Has it made by `executor`; `queue` knows whose work the input ends.
    fn find(input: &C, queue: &SubmissionState, executor: &mut dyn Executor) -> Self;
}

impl<C> Given<C> for () {
    fn find(_: &C, _: &SubmissionState, _: &mut dyn Executor) {}
}

impl Given<machine::FinishBackgroundWork> for Option<TaskResult> {
    fn find(input: &machine::FinishBackgroundWork, queue: &SubmissionState, executor: &mut dyn Executor) -> Self {
        let task = input.task;
        let made = executor.background(task, &queue.work_of(task)?)?;
        Some(TaskResult { task, made })
    }
}

impl Given<machine::CompleteQueueOperation> for Option<SubmissionResult> {
    fn find(input: &machine::CompleteQueueOperation, queue: &SubmissionState, executor: &mut dyn Executor) -> Self {
        let head = queue.head(input.command_queue).filter(|head| queue.is_ready(head))?;
        let (submission, work) = (head.submission, head.work()?);
        Some(SubmissionResult { submission, runs: executor.gpu(submission, &work)? })
    }
}
