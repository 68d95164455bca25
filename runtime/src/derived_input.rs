//! Derived inputs: results of work that a record does not contain, recomputed where inputs are made from records.

use crate::executor::Executor;
use crate::submission::SubmissionState;
use taut_schemas::{SubmissionResult, TaskResult, machine};

/// Derived input of the input `C`.
pub trait DerivedInput<C> {
    /// Computes the derived input with `executor`; `queue` has the work that the input ends.
    fn find(input: &C, queue: &SubmissionState, executor: &mut dyn Executor) -> Self;
}

impl<C> DerivedInput<C> for () {
    fn find(_: &C, _: &SubmissionState, _: &mut dyn Executor) {}
}

impl DerivedInput<machine::FinishBackgroundWork> for Option<TaskResult> {
    fn find(input: &machine::FinishBackgroundWork, queue: &SubmissionState, executor: &mut dyn Executor) -> Self {
        let task = input.task;
        let work_product = executor.background(task, &queue.work_of(task)?)?;
        Some(TaskResult { task, work_product })
    }
}

impl DerivedInput<machine::CompleteQueueOperation> for Option<SubmissionResult> {
    fn find(input: &machine::CompleteQueueOperation, queue: &SubmissionState, executor: &mut dyn Executor) -> Self {
        let head = queue.head(input.command_queue).filter(|head| queue.is_ready(head))?;
        let (submission, work) = (head.submission, head.work()?);
        Some(SubmissionResult { submission, runs: executor.gpu(submission, &work)? })
    }
}
