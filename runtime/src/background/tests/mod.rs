//! Tests of the task queue's rules, and of its invariants under random operations.

mod commits;
mod destruction;
mod model;
mod modes;
mod random_operations;
mod scheduling;

use super::mode_change::ModeChanged;
use super::policy::{AtDestruction, TaskPolicy};
use super::queue::TaskQueue;
use super::task::{CancelledTask, Finished, Queued, WorkItem};
use std::sync::Arc;
use taut_schemas::{
    BackgroundProcessingMode as Mode, BackgroundWork, CompileOutcome, EventHandle, MeasurementsAction as Action,
    PipelineStateId, TaskId, WorkPriority, WorkProduct, mark,
};

struct NoWork;

impl BackgroundWork for NoWork {
    fn run(&self) -> WorkProduct {
        WorkProduct { outcome: CompileOutcome::default(), product: Arc::new(()) }
    }
}

/// A pipeline state per context identifies the item in records.
fn item(context: u64) -> WorkItem {
    WorkItem { context, has_cancel: true, pipeline_state: PipelineStateId(context + 100), work: Arc::new(NoWork) }
}

fn new() -> TaskQueue {
    TaskQueue::new(TaskPolicy::default())
}

/// Operations of the tests that panic on failure.
impl TaskQueue {
    fn accept(&mut self, inside: Option<TaskId>) -> TaskId {
        match self.queue(item(7), inside) {
            Queued::Accepted { task } => task,
            Queued::Cancelled(task) => panic!("{task:?}"),
        }
    }

    fn accept_many(&mut self, count: usize) -> Vec<TaskId> {
        (0..count).map(|_| self.accept(None)).collect()
    }

    fn refuse(&mut self) -> CancelledTask {
        match self.queue(item(8), None) {
            Queued::Accepted { task } => panic!("{task:?}"),
            Queued::Cancelled(task) => task,
        }
    }

    fn set(&mut self, mode: Mode, action: Action) -> ModeChanged {
        self.begin_mode_change(mode, action);
        self.end_mode_change(EventHandle(5))
    }

    /// Starts all tasks that may start.
    fn start_all(&mut self) -> Vec<mark::BackgroundWorkStart> {
        (0..32).filter_map(|worker| self.start(worker)).map(|started| started.mark).collect()
    }

    fn end(&mut self, task: TaskId) -> Finished {
        self.finish(task).unwrap()
    }

    /// Runs all tasks to their end. Returns them in the order in which they started.
    fn run_all(&mut self) -> Vec<TaskId> {
        let mut ran = Vec::new();
        loop {
            ran.extend(self.start_all().into_iter().map(|mark| mark.task));
            let Some(task) = self.running().next().map(|running| running.task) else { return ran };
            self.end(task);
        }
    }

    fn running_tasks(&self) -> Vec<TaskId> {
        self.running().map(|running| running.task).collect()
    }

    fn priorities(&self) -> Vec<WorkPriority> {
        self.running().map(|running| running.priority).collect()
    }
}
