//! Reference model of the queue with explicit sets, compared after each operation.

use super::*;
use crate::background::destruction::Destruction;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use taut_schemas::{CancelReason, CommitId};

struct CommitModel {
    event: EventHandle,
    high_priority: bool,
    /// Unfinished tasks of the commit.
    left: BTreeSet<TaskId>,
}

/// The queue with its reference model.
pub(super) struct World {
    queue: TaskQueue,
    policy: TaskPolicy,
    pub(super) mode: Mode,
    ending: bool,
    /// Number of queued items, which distinguishes contexts and events.
    items: u64,
    sequence: u64,
    contexts: BTreeMap<TaskId, u64>,
    waiting: VecDeque<TaskId>,
    pub(super) running: BTreeMap<TaskId, (u32, WorkPriority)>,
    /// Number of times that each task ended.
    ended: BTreeMap<TaskId, u32>,
    commits: BTreeMap<CommitId, CommitModel>,
    last_commit: CommitId,
}

impl World {
    pub(super) fn new(policy: TaskPolicy) -> World {
        World {
            queue: TaskQueue::new(policy),
            policy,
            mode: Mode::ALLOWED,
            ending: false,
            items: 0,
            sequence: 0,
            contexts: BTreeMap::new(),
            waiting: VecDeque::new(),
            running: BTreeMap::new(),
            ended: BTreeMap::new(),
            commits: BTreeMap::new(),
            last_commit: CommitId::NULL,
        }
    }

    fn commits_of(&self, task: TaskId) -> Vec<CommitId> {
        self.commits.iter().filter(|(_, commit)| commit.left.contains(&task)).map(|(id, _)| *id).collect()
    }

    fn priority(&self, task: TaskId) -> WorkPriority {
        let covers = |commit: &CommitModel| self.policy.boost_covers_later_tasks || commit.left.contains(&task);
        let boosted = self.commits.values().any(|commit| commit.high_priority && covers(commit));
        if boosted { WorkPriority::ABOVE_IDLE } else { WorkPriority::IDLE }
    }

    fn count_end(&mut self, task: TaskId) {
        *self.ended.entry(task).or_default() += 1;
    }

    pub(super) fn queue(&mut self, submitter: u64, inside: Option<TaskId>, has_cancel: bool, accepts: bool) {
        self.items += 1;
        self.sequence += 1;
        let (task, context) = (TaskId(self.items), submitter << 32 | self.items);
        self.contexts.insert(task, context);
        match self.queue.queue(WorkItem { has_cancel, ..item(context) }, inside) {
            Queued::Accepted { task: accepted } => {
                assert!(accepts && !self.ending);
                assert_eq!(accepted, task);
                self.waiting.push_back(task);
                if let (Some(parent), true) = (inside, self.policy.commit_covers_followups) {
                    for commit in self.commits.values_mut().filter(|commit| commit.left.contains(&parent)) {
                        commit.left.insert(task);
                    }
                }
            }
            Queued::Cancelled(cancelled) => {
                assert!(!accepts || self.ending);
                assert_eq!((cancelled.task, cancelled.context, cancelled.has_cancel), (task, context, has_cancel));
                assert_eq!((cancelled.mark.sequence, cancelled.mark.commits.len()), (self.sequence, 0));
                let reason = if self.ending { CancelReason::DEVICE_DESTROYED } else { CancelReason::DISABLED };
                assert_eq!(cancelled.mark.reason, reason);
                self.count_end(task);
            }
        }
    }

    pub(super) fn change_mode(&mut self, mode: Mode, action: Action, queued_meanwhile: u64) {
        let accepts = !self.mode.disables_work() || !mode.disables_work() || action.commits();
        self.queue.begin_mode_change(mode, action);
        (0..queued_meanwhile).for_each(|_| self.queue(9, None, true, accepts));
        let event = EventHandle(self.items % 5);
        let changed = self.queue.end_mode_change(event);
        let disables = mode.disables_work() && !self.mode.disables_work();
        self.mode = mode;
        assert_eq!(changed.commit.is_some(), action.commits());
        if let Some(commit) = changed.commit {
            self.last_commit = CommitId(self.last_commit.0 + 1);
            let left: BTreeSet<_> = self.running.keys().chain(&self.waiting).copied().collect();
            assert_eq!((commit.commit, commit.event), (self.last_commit, event));
            assert_eq!(commit.tasks, left.iter().copied().collect::<Vec<_>>());
            let high_priority = commit.high_priority;
            assert_eq!(high_priority, action == Action::COMMIT_RESULTS_HIGH_PRIORITY);
            self.commits.insert(commit.commit, CommitModel { event, high_priority, left });
        }
        let cancels = disables && self.policy.disable_cancels_queued && !action.commits();
        let cancels = |_: &[CommitId]| cancels;
        self.check_cancelled(&changed.cancelled, cancels, CancelReason::DISABLED);
        self.check_done(&changed.done);
        self.check_priorities(&changed.priorities);
    }

    /// Asserts that exactly the waiting tasks whose commits match `expected` are cancelled.
    fn check_cancelled(
        &mut self,
        cancelled: &[CancelledTask],
        expected: impl Fn(&[CommitId]) -> bool,
        reason: CancelReason,
    ) {
        let (waiting, left) = self.waiting.iter().partition(|task| expected(&self.commits_of(**task)));
        self.waiting = left;
        let waiting: VecDeque<TaskId> = waiting;
        assert_eq!(cancelled.iter().map(|cancelled| cancelled.task).collect::<VecDeque<_>>(), waiting);
        for cancelled in cancelled {
            assert_eq!(cancelled.mark.commits, self.commits_of(cancelled.task));
            assert_eq!((cancelled.mark.reason, cancelled.context), (reason, self.contexts[&cancelled.task]));
            self.count_end(cancelled.task);
        }
        self.commits.values_mut().for_each(|commit| {
            waiting.iter().for_each(|task| _ = commit.left.remove(task));
        });
    }

    /// Asserts that exactly the commits whose tasks have all ended are done, once.
    fn check_done(&mut self, done: &[mark::BackgroundCommitDone]) {
        let expected: Vec<_> = self.commits.extract_if(.., |_, commit| commit.left.is_empty()).collect();
        let expected = expected.iter().map(|(id, commit)| (*id, commit.event));
        assert_eq!(done.iter().map(|done| (done.commit, done.event)).collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }

    fn check_priorities(&mut self, changed: &[mark::BackgroundWorkPriority]) {
        let mut expected = Vec::new();
        for (task, (worker, before)) in self.running.clone() {
            let priority = self.priority(task);
            if priority != before {
                expected.push(mark::BackgroundWorkPriority { task, priority });
                self.running.insert(task, (worker, priority));
            }
        }
        assert_eq!(changed, expected);
    }

    pub(super) fn start(&mut self, worker: u32) {
        let next = self.waiting.front().copied();
        let may = next.filter(|task| {
            let boosted = self.priority(*task) == WorkPriority::ABOVE_IDLE;
            let limit = if boosted { self.policy.max_boosted_tasks } else { 1 };
            self.running.len() < limit.max(self.policy.max_tasks).max(1) as usize
        });
        assert_eq!(self.queue.can_start(), may.is_some());
        let idle = self.running.values().all(|(busy, _)| *busy != worker);
        let started = self.queue.start(worker);
        assert_eq!(started.is_some(), may.is_some() && idle);
        let Some(started) = started else { return };
        self.waiting.pop_front();
        let mark = started.mark;
        assert_eq!(Some(mark.task), next);
        assert_eq!((mark.worker, mark.priority), (worker, self.priority(mark.task)));
        assert_eq!(mark.commits, self.commits_of(mark.task));
        assert_eq!(self.queue.context_of(mark.task).unwrap().0, self.contexts[&mark.task]);
        self.running.insert(mark.task, (worker, mark.priority));
    }

    pub(super) fn finish(&mut self, task: TaskId) {
        let finished = self.queue.finish(task).unwrap();
        let (worker, priority) = self.running.remove(&task).unwrap();
        assert_eq!((finished.mark.worker, finished.mark.priority), (worker, priority));
        assert_eq!(finished.mark.commits, self.commits_of(task));
        self.count_end(task);
        self.commits.values_mut().for_each(|commit| _ = commit.left.remove(&task));
        self.check_done(&finished.done);
        self.check_priorities(&finished.priorities);
    }

    pub(super) fn destroy(&mut self) {
        let Destruction { cancelled, done, priorities } = self.queue.begin_destruction();
        self.ending = true;
        let at_destruction = self.policy.at_destruction;
        let cancels = |commits: &[CommitId]| match at_destruction {
            AtDestruction::RunAll => false,
            AtDestruction::CancelAll => true,
            AtDestruction::Mixed => commits.is_empty(),
        };
        self.check_cancelled(&cancelled, cancels, CancelReason::DEVICE_DESTROYED);
        self.check_done(&done);
        self.check_priorities(&priorities);
        while !self.queue.is_drained() {
            self.start(0);
            let task = *self.running.keys().next_back().unwrap();
            self.queue(1, Some(task), false, true);
            self.finish(task);
        }
        assert!(self.waiting.is_empty() && self.running.is_empty() && self.commits.is_empty());
        assert!(self.queue.end_destruction().is_empty());
        assert_eq!(self.ended.len() as u64, self.items);
        assert!(self.ended.values().all(|count| *count == 1));
        (self.mode, self.ending, self.sequence) = (Mode::ALLOWED, false, 0);
    }

    pub(super) fn check(&self) {
        let running: BTreeMap<_, _> =
            self.queue.running().map(|running| (running.task, (running.worker, running.priority))).collect();
        assert_eq!(running, self.running);
        assert_eq!(self.queue.mode(), self.mode);
        assert_eq!(self.queue.is_drained(), self.waiting.is_empty() && running.is_empty());
        let boosting = self.commits.values().any(|commit| commit.high_priority);
        let min_tasks = self.policy.max_tasks.max(1) as usize;
        let max_running = min_tasks.max(self.policy.max_boosted_tasks as usize);
        assert!(running.len() <= max_running);
        // Tasks that were boosted by a covering boost may still run after its end.
        if !boosting && !self.policy.boost_covers_later_tasks {
            assert!(running.len() <= min_tasks);
        }
        if !boosting {
            assert!(running.values().all(|(_, priority)| *priority == WorkPriority::IDLE));
        }
    }
}
