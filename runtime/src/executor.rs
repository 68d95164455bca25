//! Executors of asynchronous work (background tasks and GPU work) outside of live sessions, whose threads do it
//! themselves.

use std::sync::Arc;
use taut_schemas::{BackgroundWork, DrawRun, GpuWork, TaskId, WorkProduct};

/// Executor of work that the runtime queues. Work is a pure function, so thread, time and order of its execution change
/// nothing.
pub trait Executor {
    /// Called when a task is accepted: its work may start.
    fn queued(&mut self, _task: TaskId, _work: &Arc<dyn BackgroundWork>) {}

    /// Called when an operation is submitted: its work may start.
    fn submitted(&mut self, _submission: u64, _work: &Arc<dyn GpuWork>) {}

    /// Returns the product of a running task's work; `None` if the executor does not know the task, or has returned its
    /// result already.
    fn background(&mut self, task: TaskId, work: &Arc<dyn BackgroundWork>) -> Option<WorkProduct>;

    /// Returns the runs of a submission's draws; `None` as for a task.
    fn gpu(&mut self, submission: u64, work: &Arc<dyn GpuWork>) -> Option<Vec<DrawRun>>;
}

/// Executor that does all work on the calling thread when its result is requested.
#[derive(Debug, Clone, Copy, Default)]
pub struct InlineExecutor;

impl Executor for InlineExecutor {
    fn background(&mut self, _: TaskId, work: &Arc<dyn BackgroundWork>) -> Option<WorkProduct> {
        Some(work.run())
    }

    fn gpu(&mut self, _: u64, work: &Arc<dyn GpuWork>) -> Option<Vec<DrawRun>> {
        Some(work.run())
    }
}
