//! Who does the work that runs beside the runtime: what background tasks and the graphics processor have to do.

use std::sync::Arc;
use taut_schemas::{BackgroundWork, DrawRun, GpuWork, TaskId, WorkProduct};

/// Does work that the runtime hands out. It is a pure function, so who does it, where and when changes nothing.
pub trait Labour {
    /// A task was accepted: its work may be begun.
    fn queued(&mut self, _task: TaskId, _work: &Arc<dyn BackgroundWork>) {}

    /// An operation was submitted: its work may be begun.
    fn submitted(&mut self, _submission: u64, _work: &Arc<dyn GpuWork>) {}

    /// The result of a task's work.
    fn background(&mut self, task: TaskId, work: &Arc<dyn BackgroundWork>) -> WorkProduct;

    /// What the draws of a submission did.
    fn gpu(&mut self, submission: u64, work: &Arc<dyn GpuWork>) -> Vec<DrawRun>;
}

/// Does all work when its result is wanted.
#[derive(Debug, Clone, Copy, Default)]
pub struct AtOnce;

impl Labour for AtOnce {
    fn background(&mut self, _: TaskId, work: &Arc<dyn BackgroundWork>) -> WorkProduct {
        work.run()
    }

    fn gpu(&mut self, _: u64, work: &Arc<dyn GpuWork>) -> Vec<DrawRun> {
        work.run()
    }
}
