//! Who does the work that runs beside the runtime, where that is not the live session's threads: what background tasks and
//! the graphics processor have to do.

use std::sync::Arc;
use taut_schemas::{BackgroundWork, DrawRun, GpuWork, TaskId, WorkProduct};

/// Does work that the runtime hands out. It is a pure function, so who does it, where and when changes nothing.
pub trait Executor {
    /// A task was accepted: its work may be begun.
    fn queued(&mut self, _task: TaskId, _work: &Arc<dyn BackgroundWork>) {}

    /// An operation was submitted: its work may be begun.
    fn submitted(&mut self, _submission: u64, _work: &Arc<dyn GpuWork>) {}

    /// What the work of a running task made; `None` if this never heard of the task, or gave its result before.
    fn background(&mut self, task: TaskId, work: &Arc<dyn BackgroundWork>) -> Option<WorkProduct>;

    /// What the draws of a submission did; `None` as for a task.
    fn gpu(&mut self, submission: u64, work: &Arc<dyn GpuWork>) -> Option<Vec<DrawRun>>;
}

/// Does all work on the calling thread, when its result is wanted.
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
