//! The task queue of a device.

use super::commit::Commits;
use super::mode_change::ModeChange;
use super::policy::TaskPolicy;
use super::task::{CancelledTask, Finished, Queued, Running, RunningTask, Started, Task, WorkItem};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use taut_schemas::{
    BackgroundProcessingMode, BackgroundWork, CancelReason, PipelineStateId, TaskId, WorkPriority, mark,
};

/// Tasks that wait, tasks that run, and the commits that wait for them. A task that was queued ends in exactly one of two
/// ways: it starts and finishes, or it is cancelled (B-53).
#[derive(Debug)]
pub(crate) struct TaskQueue {
    pub(super) policy: TaskPolicy,
    pub(super) mode: BackgroundProcessingMode,
    /// The call that is changing the mode, while the driver is told.
    pub(super) change: Option<ModeChange>,
    /// The device is being destroyed.
    pub(super) ending: bool,
    pub(super) last_task: TaskId,
    pub(super) last_sequence: u64,
    /// In the order in which they were accepted, which is that of their ids.
    pub(super) queued: VecDeque<Task>,
    pub(super) running: BTreeMap<TaskId, Running>,
    /// The workers that run them.
    pub(super) busy: BTreeSet<u32>,
    pub(super) commits: Commits,
}

impl TaskQueue {
    /// An empty queue, in the mode ALLOWED (B-20).
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

    /// The same, with tasks and commits numbered from the one after `number`.
    pub(crate) fn numbered_from(self, number: u64) -> TaskQueue {
        TaskQueue { last_task: TaskId(number), commits: Commits::new(number), ..self }
    }

    /// The mode in force.
    #[cfg(test)]
    pub(crate) fn mode(&self) -> BackgroundProcessingMode {
        self.mode
    }

    /// Queues a work item, or cancels it where the mode or the end of the device demands it; either way it gets a number
    /// (B-52). `inside` is the running task that the call comes from, if it comes from one.
    pub(crate) fn queue(&mut self, item: WorkItem, inside: Option<TaskId>) -> Queued {
        self.last_task = TaskId(self.last_task.0 + 1);
        self.last_sequence += 1;
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

    /// Whether a task may begin, on a worker that has none.
    pub(crate) fn can_start(&self) -> bool {
        self.queued.front().is_some_and(|task| {
            let boosted = self.priority(task) == WorkPriority::ABOVE_IDLE;
            self.running.len() < self.policy.limit(boosted)
        })
    }

    /// Begins the task that has waited longest (B-51). None if none may begin, or the worker has one.
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

    /// What the driver said of a running task: pContext, the pipeline state, the work.
    pub(crate) fn context_of(&self, task: TaskId) -> Option<(u64, PipelineStateId, &Arc<dyn BackgroundWork>)> {
        let item = &self.running.get(&task)?.task.item;
        Some((item.context, item.pipeline_state, &item.work))
    }

    /// The driver finds nothing to do for a running task.
    pub(crate) fn make_void(&mut self, task: TaskId) {
        if let Some(running) = self.running.get_mut(&task) {
            running.is_void = true;
        }
    }

    /// The driver found nothing to do for a running task.
    pub(crate) fn is_void(&self, task: TaskId) -> bool {
        self.running.get(&task).is_some_and(|running| running.is_void)
    }

    /// A task's work is done. None if the task does not run.
    pub(crate) fn finish(&mut self, task: TaskId) -> Option<Finished> {
        let running = self.running.remove(&task)?;
        let first_commit = running.task.first_commit;
        let mark = running.stopped(self.commits.of(first_commit));
        self.busy.remove(&running.worker);
        self.commits.leave(first_commit);
        let done = self.commits.take_done();
        let priorities = if done.is_empty() { Vec::new() } else { self.change_priorities() };
        Some(Finished { mark, done, priorities })
    }

    /// The tasks that run, in the order in which they were accepted.
    pub(crate) fn running(&self) -> impl Iterator<Item = RunningTask> {
        self.running.iter().map(|(task, running)| RunningTask {
            task: *task,
            worker: running.worker,
            priority: running.priority,
        })
    }

    /// At which priority a task has to run now (B-21, B-36).
    fn priority(&self, task: &Task) -> WorkPriority {
        let later = self.policy.boost_covers_later_tasks && self.commits.is_boosting();
        if later || self.commits.boosts(task.first_commit) { WorkPriority::ABOVE_IDLE } else { WorkPriority::IDLE }
    }

    /// Gives each running task the priority it has to have now; those that change.
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

    /// Cancels every task that waits, or every one that no commit waits for, in order. It counts as ended for its
    /// commits; which of them are done, the caller asks.
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
