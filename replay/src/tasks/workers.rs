//! The workers of another world, and what each is at.

use super::model::TaskModel;
use std::collections::BTreeMap;
use taut_schemas::{AdapterId, CompileOutcome, TaskId, TaskResult};

/// A task that runs, whose result is there before its time is up.
pub(crate) struct RunningTask {
    pub task: TaskId,
    /// Why its work failed, if it did.
    pub result: Result<TaskResult, String>,
    /// When it ends, in ticks.
    ends_at: u64,
}

/// The workers of all adapters.
pub(crate) struct Workers {
    model: TaskModel,
    ticks_per_second: u64,
    /// By adapter and worker.
    running: BTreeMap<(AdapterId, u32), RunningTask>,
}

impl Workers {
    /// All of them idle.
    pub fn new(model: TaskModel, ticks_per_second: u64) -> Workers {
        Workers { model, ticks_per_second, running: BTreeMap::new() }
    }

    /// The first worker of an adapter that is idle. The process has no more at work than one adapter may have.
    pub fn idle(&self, adapter: AdapterId) -> Option<u32> {
        if self.running.len() >= self.model.workers as usize {
            return None;
        }
        (0..self.model.workers).find(|worker| !self.running.contains_key(&(adapter, *worker)))
    }

    /// A worker has begun a task.
    pub fn begin(&mut self, place: (AdapterId, u32), task: TaskId, result: Result<TaskResult, String>, now: u64) {
        let outcome = result.as_ref().map_or_else(|_| CompileOutcome::default(), |result| result.made.outcome);
        let ends_at = now.saturating_add(self.model.ticks(&outcome, self.ticks_per_second));
        self.running.insert(place, RunningTask { task, result, ends_at });
    }

    /// When the next task ends, in ticks.
    pub fn next_end(&self) -> Option<u64> {
        self.running.values().map(|running| running.ends_at).min()
    }

    /// Takes the task that ends next, and whose it is. Of tasks that end at once, the first worker's.
    pub fn end(&mut self) -> Option<((AdapterId, u32), RunningTask)> {
        let (place, _) = self.running.iter().min_by_key(|(place, running)| (running.ends_at, **place))?;
        let place = *place;
        self.running.remove(&place).map(|running| (place, running))
    }
}
