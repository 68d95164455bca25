//! What a driver hands out to be done elsewhere, by a worker or by the graphics processor, and what comes back.

use crate::execution_desc::{CompileOutcome, DrawRun, RunCode};
use crate::id::TaskId;
use std::any::Any;
use std::sync::Arc;

/// What a background task does: a pure function, run on a thread that the driver does not choose, under no lock.
pub trait BackgroundWork: Send + Sync {
    /// Does it. The outcome is the same on every machine and whenever it is done.
    fn run(&self) -> WorkProduct;

    /// It, as bytes that its driver reads; `None` if it cannot be written down.
    fn save(&self) -> Option<Vec<u8>> {
        None
    }
}

/// What a background task made.
pub struct WorkProduct {
    /// What is the same on every machine.
    pub outcome: CompileOutcome,
    /// What the driver takes into use.
    pub product: Product,
}

/// What a driver takes into use, such as machine code.
pub type Product = Arc<dyn Any + Send + Sync>;

/// A task's end: what its work made.
pub struct TaskResult {
    /// The task.
    pub task: TaskId,
    /// What its work made.
    pub made: WorkProduct,
}

/// A submission's end: what its draws did.
pub struct SubmissionResult {
    /// The number of the operation.
    pub submission: u64,
    /// What each draw did, in order.
    pub runs: Vec<DrawRun>,
}

/// What a graphics processor does for a submission: a pure function, run under no lock.
pub trait GpuWork: Send + Sync {
    /// Does it; what each draw did, in order.
    fn run(&self) -> Vec<DrawRun>;

    /// The code that [`repeat`](GpuWork::repeat) can run for a draw, by its place: none of a draw that nothing runs for.
    fn codes(&self, _draw: usize) -> Vec<RunCode> {
        Vec::new()
    }

    /// Runs one of these for the draw once more, for somebody who takes the time. Nothing comes of it.
    fn repeat(&self, _draw: usize, _code: RunCode) {}

    /// It, as bytes that its driver reads; `None` if it cannot be written down.
    fn save(&self) -> Option<Vec<u8>> {
        None
    }
}
