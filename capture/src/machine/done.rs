//! Work that was done before the call that takes its result.

use std::sync::Arc;
use taut_runtime::Labour;
use taut_schemas::{BackgroundWork, DrawRun, GpuWork, TaskId, WorkProduct};

/// One result, ready.
pub(super) enum Done {
    /// A task's.
    Task(Option<WorkProduct>),
    /// A submission's.
    Draws(u64, Vec<DrawRun>),
}

impl Labour for Done {
    fn background(&mut self, _: TaskId, work: &Arc<dyn BackgroundWork>) -> WorkProduct {
        let ready = match self {
            Done::Task(product) => product.take(),
            Done::Draws(..) => None,
        };
        ready.unwrap_or_else(|| work.run())
    }

    fn gpu(&mut self, submission: u64, work: &Arc<dyn GpuWork>) -> Vec<DrawRun> {
        match self {
            Done::Draws(ready, runs) if *ready == submission => std::mem::take(runs),
            _ => work.run(),
        }
    }
}
