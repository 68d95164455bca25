//! Operations that are submitted to a command queue.

use crate::memory::effect::MemoryEffect;
use std::sync::Arc;
use taut_schemas::{BackgroundWork, CompileOutcome, DrawRun, FenceId, GpuWork, QueueOperation, WorkProduct};

/// An operation of a command queue.
pub(crate) struct Operation {
    /// Submission number, unique across all operations.
    pub submission: u64,
    pub kind: OperationKind,
    /// Effects on memory; no record has them, because a replay has no memory.
    pub effects: Vec<Arc<Vec<MemoryEffect>>>,
}

/// Kind of a GPU operation.
pub(crate) enum OperationKind {
    /// Execution of command lists.
    Execute(Arc<dyn GpuWork>),
    /// Signal of a fence with a value.
    Signal(FenceId, u64),
    /// Wait for a fence's value.
    Wait(FenceId, u64),
    /// Present of a frame.
    Present,
}

/// GPU work of a driver that submits no work.
pub(crate) struct NoWork;

impl GpuWork for NoWork {
    fn run(&self) -> Vec<DrawRun> {
        Vec::new()
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(Vec::new())
    }
}

/// Work of a task for which the driver has nothing to do.
pub(crate) struct NothingToDo;

impl BackgroundWork for NothingToDo {
    fn run(&self) -> WorkProduct {
        WorkProduct { outcome: CompileOutcome::default(), product: Arc::new(()) }
    }

    fn save(&self) -> Option<Vec<u8>> {
        None
    }
}

impl Operation {
    /// Returns the code of the kind.
    pub fn code(&self) -> QueueOperation {
        match &self.kind {
            OperationKind::Execute(_) => QueueOperation::EXECUTE,
            OperationKind::Signal(..) => QueueOperation::SIGNAL,
            OperationKind::Wait(..) => QueueOperation::WAIT,
            OperationKind::Present => QueueOperation::PRESENT,
        }
    }

    /// Returns the GPU work of an execution.
    pub fn work(&self) -> Option<Arc<dyn GpuWork>> {
        match &self.kind {
            OperationKind::Execute(work) => Some(Arc::clone(work)),
            _ => None,
        }
    }
}
