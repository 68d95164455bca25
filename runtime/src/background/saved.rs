//! Serialisation of the task queue as state records.

use super::begun_mode_change::ModeChange;
use super::commit::Commits;
use super::queue::TaskQueue;
use super::task::{Running, Task, WorkItem};
use crate::records::{RestoreError, RundownError, StateRecords, check_count, invalid_value};
use std::sync::Arc;
use taut_schemas::{AdapterId, BackgroundWork, Bytes, TaskId, TaskRun, state};

impl TaskQueue {
    /// Writes the queue as records.
    pub(crate) fn save(&self, adapter: AdapterId, records: &mut StateRecords) -> Result<(), RundownError> {
        // The policy is part of the settings; the busy workers follow from the running tasks.
        let TaskQueue { policy: _, mode, change, ending, last_task, last_sequence, queued, running, busy: _, commits } =
            self;
        let Commits { pending: _, next: next_commit, uncommitted, last_boost } = *commits;
        records.put(&state::Tasks {
            adapter,
            mode: *mode,
            ending: *ending,
            last_task: *last_task,
            last_sequence: *last_sequence,
            next_commit,
            uncommitted,
            last_boost,
            commits: commits.save(),
            change: change.map(ModeChange::save),
        });
        let failed = || RundownError::Driver { adapter, what: "a background task".to_owned() };
        for Running { task, worker, priority, is_void } in running.values() {
            let runs = TaskRun { worker: *worker, priority: *priority };
            let record = task.save(Some(runs)).ok_or_else(failed)?;
            records.put(&state::Task { is_void: *is_void, ..record });
        }
        for task in queued {
            records.put(&task.save(None).ok_or_else(failed)?);
        }
        Ok(())
    }

    /// Restores the queue from a record.
    pub(crate) fn restore(&mut self, record: &state::Tasks) -> Result<(), RestoreError> {
        let state::Tasks { adapter: _, mode, ending, last_task, last_sequence, .. } = record;
        (self.mode, self.ending) = (*mode, *ending);
        (self.last_task, self.last_sequence) = (*last_task, check_count::<state::Tasks>(*last_sequence)?);
        self.commits = Commits::restore(record)?;
        self.change = record.change.map(ModeChange::restore);
        Ok(())
    }

    /// Restores a task from a record and appends it to the queue or to the running tasks.
    pub(crate) fn restore_task(
        &mut self,
        record: &state::Task,
        work: Arc<dyn BackgroundWork>,
    ) -> Result<(), RestoreError> {
        let state::Task {
            task: id,
            sequence,
            context,
            has_cancel,
            pipeline_state,
            first_commit,
            runs,
            work: _,
            is_void,
        } = record.clone();
        let item = WorkItem { context, has_cancel, pipeline_state, work };
        let task = Task { id, sequence, item, first_commit };
        match runs {
            None => self.queued.push_back(task),
            Some(TaskRun { worker, priority }) => {
                if !self.busy.insert(worker) {
                    return invalid_value::<_, state::Task>("one task for each worker", worker);
                }
                self.running.insert(id, Running { task, worker, priority, is_void });
            }
        }
        Ok(())
    }

    /// Returns the work of every unfinished task.
    pub(crate) fn works(&self) -> impl Iterator<Item = (TaskId, &Arc<dyn BackgroundWork>)> {
        let running = self.running.values().map(|running| &running.task);
        running.chain(&self.queued).map(|task| (task.id, &task.item.work))
    }
}

impl Task {
    /// Returns the task as a record; `None` if its work cannot be serialised.
    fn save(&self, runs: Option<TaskRun>) -> Option<state::Task> {
        let Task { id: task, sequence, item, first_commit } = self;
        let WorkItem { context, has_cancel, pipeline_state, work } = item;
        Some(state::Task {
            task: *task,
            sequence: *sequence,
            context: *context,
            has_cancel: *has_cancel,
            pipeline_state: *pipeline_state,
            first_commit: *first_commit,
            runs,
            work: Bytes(work.save()?),
            is_void: false,
        })
    }
}
