//! What is submitted to a command queue.

use super::SubmissionState;
use std::sync::Arc;
use taut_schemas::{BackgroundWork, CompileOutcome, DrawRun, FenceId, GpuWork, QueueOperation, WorkProduct};

/// An operation of a command queue.
pub(crate) struct Operation {
    /// Its number among all operations.
    pub submission: u64,
    pub kind: OperationKind,
}

/// What a graphics processor is to do.
pub(crate) enum OperationKind {
    /// Run command lists.
    Execute(Arc<dyn GpuWork>),
    /// Set a fence.
    Signal(FenceId, u64),
    /// Wait for a fence.
    Wait(FenceId, u64),
    /// Show the frame.
    Present,
}

/// What a driver submits that submits nothing.
pub(crate) struct NoWork;

impl GpuWork for NoWork {
    fn run(&self) -> Vec<DrawRun> {
        Vec::new()
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(Vec::new())
    }
}

/// The work of a task for which its driver found nothing to do.
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
    /// Which kind it is.
    pub fn code(&self) -> QueueOperation {
        match &self.kind {
            OperationKind::Execute(_) => QueueOperation::EXECUTE,
            OperationKind::Signal(..) => QueueOperation::SIGNAL,
            OperationKind::Wait(..) => QueueOperation::WAIT,
            OperationKind::Present => QueueOperation::PRESENT,
        }
    }

    /// What is to be done for it, if it takes any work.
    pub fn work(&self) -> Option<Arc<dyn GpuWork>> {
        match &self.kind {
            OperationKind::Execute(work) => Some(Arc::clone(work)),
            _ => None,
        }
    }
}

impl SubmissionState {
    /// It waits for nothing. A fence that is gone is not waited for.
    pub(crate) fn is_ready(&self, operation: &Operation) -> bool {
        match operation.kind {
            OperationKind::Wait(fence, value) => self.fence(fence).is_none_or(|fence| fence.value >= value),
            _ => true,
        }
    }
}
