//! Workers of another world and the tasks that they run.

use super::model::TaskModel;
use std::collections::BTreeMap;
use taut_schemas::{AdapterId, CompileOutcome, TaskId, TaskResult};

/// Running task. Its result is already computed before its simulated time is over.
pub(crate) struct RunningTask {
    pub task: TaskId,
    /// Result of the task, or the reason why its work failed.
    pub result: Result<TaskResult, String>,
    /// End time, in ticks.
    ends_at: u64,
}

/// Workers of all adapters.
pub(crate) struct Workers {
    model: TaskModel,
    ticks_per_second: u64,
    /// Running tasks by adapter and worker.
    running: BTreeMap<(AdapterId, u32), RunningTask>,
}

impl Workers {
    /// Creates the workers, which are all idle.
    pub fn new(model: TaskModel, ticks_per_second: u64) -> Workers {
        Workers { model, ticks_per_second, running: BTreeMap::new() }
    }

    /// Returns the first idle worker of an adapter. The limit of concurrent tasks applies to the whole process, as in a
    /// live session.
    pub fn idle(&self, adapter: AdapterId) -> Option<u32> {
        if self.running.len() >= self.model.workers as usize {
            return None;
        }
        (0..self.model.workers).find(|worker| !self.running.contains_key(&(adapter, *worker)))
    }

    /// Starts a task on a worker.
    pub fn begin(&mut self, place: (AdapterId, u32), task: TaskId, result: Result<TaskResult, String>, now: u64) {
        // A failed task has no outcome, so it takes no time in the model.
        let outcome = result.as_ref().map_or_else(|_| CompileOutcome::default(), |result| result.work_product.outcome);
        let ends_at = now.saturating_add(self.model.ticks(&outcome, self.ticks_per_second));
        self.running.insert(place, RunningTask { task, result, ends_at });
    }

    /// Returns the time at which the next task ends, in ticks.
    pub fn next_end(&self) -> Option<u64> {
        self.running.values().map(|running| running.ends_at).min()
    }

    /// Removes and returns the task that ends next. Among tasks with the same end time the first worker's is chosen.
    pub fn end(&mut self) -> Option<((AdapterId, u32), RunningTask)> {
        let (place, _) = self.running.iter().min_by_key(|(place, running)| (running.ends_at, **place))?;
        let place = *place;
        self.running.remove(&place).map(|running| (place, running))
    }
}
