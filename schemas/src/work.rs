//! Work that a driver submits to a worker or to the GPU, and the results of that work.

use crate::execution_desc::{CompileOutcome, DrawRun, RunCode};
use crate::id::TaskId;
use std::any::Any;
use std::sync::Arc;

/// The work of a background task: a pure function, run on a thread that the driver does not choose, under no lock.
pub trait BackgroundWork: Send + Sync {
    /// Runs the work. The outcome is the same on every machine and at any time.
    fn run(&self) -> WorkProduct;

    /// The work as bytes that its driver reads; `None` if it cannot be saved.
    fn save(&self) -> Option<Vec<u8>> {
        None
    }
}

/// The result of a background task.
pub struct WorkProduct {
    /// The part that is the same on every machine.
    pub outcome: CompileOutcome,
    /// The part that the driver installs.
    pub product: Product,
}

/// A result that a driver installs, such as machine code.
pub type Product = Arc<dyn Any + Send + Sync>;

/// The end of a task.
pub struct TaskResult {
    pub task: TaskId,
    /// The result of its work.
    pub work_product: WorkProduct,
}

/// The end of a submission.
pub struct SubmissionResult {
    /// The number of the operation.
    pub submission: u64,
    /// The result of each draw, in order.
    pub runs: Vec<DrawRun>,
}

/// The work of a GPU for a submission: a pure function, run under no lock.
pub trait GpuWork: Send + Sync {
    /// Runs the work; returns the result of each draw, in order.
    fn run(&self) -> Vec<DrawRun>;

    /// The code that [`repeat`](GpuWork::repeat) can run for a draw, by its index; empty for a draw without code.
    fn codes(&self, _draw: usize) -> Vec<RunCode> {
        Vec::new()
    }

    /// Runs one of these codes for the draw again, so that a caller can measure its time. Has no effect.
    fn repeat(&self, _draw: usize, _code: RunCode) {}

    /// The work as bytes that its driver reads; `None` if it cannot be saved.
    fn save(&self) -> Option<Vec<u8>> {
        None
    }
}
