//! Task queue of a device.

use super::begun_mode_change::ModeChange;
use super::commit::Commits;
use super::policy::TaskPolicy;
use super::task::{CancelledTask, Finished, Queued, Running, RunningTask, Started, Task, WorkItem};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use taut_schemas::{
    BackgroundProcessingMode, BackgroundWork, CancelReason, PipelineStateId, TaskId, WorkPriority, mark,
};

/// Waiting and running tasks, and the commits that wait for them. A queued task ends in one of two ways: it starts and
/// finishes, or it is cancelled (B-53).
#[derive(Debug)]
pub(crate) struct TaskQueue {
    pub(super) policy: TaskPolicy,
    pub(super) mode: BackgroundProcessingMode,
    /// Mode change during the driver's call.
    pub(super) change: Option<ModeChange>,
    /// The device is being destroyed.
    pub(super) ending: bool,
    pub(super) last_task: TaskId,
    pub(super) last_sequence: u64,
    /// Waiting tasks in the order in which they were accepted, which is the order of their ids.
    pub(super) queued: VecDeque<Task>,
    pub(super) running: BTreeMap<TaskId, Running>,
    /// Workers of running tasks.
    pub(super) busy: BTreeSet<u32>,
    pub(super) commits: Commits,
}

impl TaskQueue {
    /// Creates an empty queue in the mode ALLOWED (B-20).
    pub(crate) fn new(policy: TaskPolicy) -> TaskQueue {
        TaskQueue {
            policy,
            mode: BackgroundProcessingMode::ALLOWED,
            change: None,
            ending: false,
            last_task: TaskId::NULL,
            last_sequence: 0,
            queued: VecDeque::new(),
            running: BTreeMap::new(),
            busy: BTreeSet::new(),
            commits: Commits::new(0),
        }
    }

    /// Sets the numbers of tasks and commits to continue after `number`.
    pub(crate) fn numbered_from(self, number: u64) -> TaskQueue {
        TaskQueue { last_task: TaskId(number), commits: Commits::new(number), ..self }
    }

    /// Returns the current mode.
    #[cfg(test)]
    pub(crate) fn mode(&self) -> BackgroundProcessingMode {
        self.mode
    }

    /// Queues a work item, or cancels it if the mode or the destruction of the device requires it; either way it gets a
    /// number (B-52). `inside` is the running task that makes the call, if any.
    pub(crate) fn queue(&mut self, item: WorkItem, inside: Option<TaskId>) -> Queued {
        self.last_task = TaskId(self.last_task.0 + 1);
        self.last_sequence += 1;
        // Items that are cancelled at once are numbered as well (B-52).
        let (task, sequence) = (self.last_task, self.last_sequence);
        if let Some(reason) = self.refusal() {
            return Queued::Cancelled(item.cancelled(task, sequence, reason, Vec::new()));
        }
        let parent = inside.filter(|_| self.policy.commit_covers_followups).and_then(|task| self.running.get(&task));
        let first_commit = self.commits.enter(parent.map(|running| running.task.first_commit));
        self.queued.push_back(Task { id: task, sequence, item, first_commit });
        Queued::Accepted { task }
    }

    fn refusal(&self) -> Option<CancelReason> {
        let accepts = !self.mode.disables_work() || self.change.is_some_and(ModeChange::accepts);
        match (self.ending, accepts) {
            (true, _) => Some(CancelReason::DEVICE_DESTROYED),
            (false, false) => Some(CancelReason::DISABLED),
            (false, true) => None,
        }
    }

    /// True if a task may start on an idle worker.
    pub(crate) fn can_start(&self) -> bool {
        self.queued.front().is_some_and(|task| {
            let boosted = self.priority(task) == WorkPriority::ABOVE_IDLE;
            self.running.len() < self.policy.limit(boosted)
        })
    }

    /// Starts the longest-waiting task (B-51). `None` if no task may start or the worker is busy.
    pub(crate) fn start(&mut self, worker: u32) -> Option<Started> {
        if !self.can_start() || self.busy.contains(&worker) {
            return None;
        }
        let task = self.queued.pop_front()?;
        let running = Running { priority: self.priority(&task), worker, task, is_void: false };
        let started = running.started(self.commits.of(running.task.first_commit));
        self.busy.insert(worker);
        self.running.insert(running.task.id, running);
        Some(started)
    }

    /// Returns the driver's data of a running task: pContext, pipeline state, work.
    pub(crate) fn context_of(&self, task: TaskId) -> Option<(u64, PipelineStateId, &Arc<dyn BackgroundWork>)> {
        let item = &self.running.get(&task)?.task.item;
        Some((item.context, item.pipeline_state, &item.work))
    }

    /// Marks a running task as void: the driver has no work for it.
    pub(crate) fn mark_void(&mut self, task: TaskId) {
        if let Some(running) = self.running.get_mut(&task) {
            running.is_void = true;
        }
    }

    /// True if the driver had no work for a running task.
    pub(crate) fn is_void(&self, task: TaskId) -> bool {
        self.running.get(&task).is_some_and(|running| running.is_void)
    }

    /// Ends a running task. `None` if the task does not run.
    pub(crate) fn finish(&mut self, task: TaskId) -> Option<Finished> {
        let running = self.running.remove(&task)?;
        let first_commit = running.task.first_commit;
        let mark = running.stopped(self.commits.of(first_commit));
        self.busy.remove(&running.worker);
        self.commits.leave(first_commit);
        let done = self.commits.take_done();
        // Boosts end with commits only, so without a finished commit no priority changes.
        let priorities = if done.is_empty() { Vec::new() } else { self.change_priorities() };
        Some(Finished { mark, done, priorities })
    }

    /// Returns the running tasks in the order in which they were accepted.
    pub(crate) fn running(&self) -> impl Iterator<Item = RunningTask> {
        self.running.iter().map(|(task, running)| RunningTask {
            task: *task,
            worker: running.worker,
            priority: running.priority,
        })
    }

    /// Returns the current priority of a task (B-21, B-36).
    fn priority(&self, task: &Task) -> WorkPriority {
        let later = self.policy.boost_covers_later_tasks && self.commits.is_boosting();
        if later || self.commits.boosts(task.first_commit) { WorkPriority::ABOVE_IDLE } else { WorkPriority::IDLE }
    }

    /// Updates the priorities of running tasks. Returns the changed priorities.
    pub(super) fn change_priorities(&mut self) -> Vec<mark::BackgroundWorkPriority> {
        let wanted: Vec<_> = self.running.values().map(|running| self.priority(&running.task)).collect();
        let changed = self.running.iter_mut().zip(wanted).filter(|((_, running), wanted)| running.priority != *wanted);
        changed
            .map(|((task, running), priority)| {
                running.priority = priority;
                mark::BackgroundWorkPriority { task: *task, priority }
            })
            .collect()
    }

    /// Cancels all waiting tasks, or all that no commit waits for, in order. They count as ended for their commits; the
    /// caller takes the commits that are done.
    pub(super) fn cancel_queued(&mut self, reason: CancelReason, committed_too: bool) -> Vec<CancelledTask> {
        let (commits, mut cancelled) = (&mut self.commits, Vec::new());
        for task in std::mem::take(&mut self.queued) {
            let waited_for_by = commits.of(task.first_commit);
            if committed_too || waited_for_by.is_empty() {
                commits.leave(task.first_commit);
                cancelled.push(task.item.cancelled(task.id, task.sequence, reason, waited_for_by));
            } else {
                self.queued.push_back(task);
            }
        }
        cancelled
    }
}
