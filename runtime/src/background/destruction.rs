//! The end of a device, as far as its task queue is concerned.

use super::commit::Commits;
use super::policy::AtDestruction;
use super::queue::TaskQueue;
use super::task::CancelledTask;
use taut_schemas::{CancelReason, mark};

/// What the beginning of a destruction brought about.
#[derive(Debug, Default)]
pub(crate) struct Destruction {
    /// Tasks that will not run; their cancel callbacks are called by the destroying thread (B-57).
    pub(crate) cancelled: Vec<CancelledTask>,
    /// Commits that waited for cancelled tasks only; signalled after the callbacks (B-58).
    pub(crate) done: Vec<mark::BackgroundCommitDone>,
    /// Running tasks whose threads are lowered, because a boost is over.
    pub(crate) priorities: Vec<mark::BackgroundWorkPriority>,
}

impl TaskQueue {
    /// The device is about to be destroyed: from now on every task is cancelled when it is queued. Tasks that run are left
    /// to their end, those that wait are cancelled or left to run, as the policy says (B-56).
    pub(crate) fn begin_destruction(&mut self) -> Destruction {
        self.ending = true;
        let committed_too = match self.policy.at_destruction {
            AtDestruction::RunAll => return Destruction::default(),
            AtDestruction::CancelAll => true,
            AtDestruction::Mixed => false,
        };
        let cancelled = self.cancel_queued(CancelReason::DEVICE_DESTROYED, committed_too);
        let done = self.commits.take_done();
        Destruction { cancelled, done, priorities: self.change_priorities() }
    }

    /// No task waits or runs: the driver may be told of the destruction, and no worker is in use (B-56, B-62).
    pub(crate) fn is_drained(&self) -> bool {
        self.queued.is_empty() && self.running.is_empty()
    }

    /// The device is being destroyed.
    pub(crate) fn is_ending(&self) -> bool {
        self.ending
    }

    /// The device has been destroyed: the queue is as new, for the next one, but tasks and commits are numbered on. Legal
    /// when the queue is drained; then no commit is left. Where it is not, tasks are given up without a word, and the
    /// commits that waited for them are done, so that nobody waits for ever (B-58).
    pub(crate) fn end_destruction(&mut self) -> Vec<mark::BackgroundCommitDone> {
        let mut commits = std::mem::replace(&mut self.commits, Commits::new(0));
        let done = commits.take_all();
        *self = TaskQueue { last_task: self.last_task, commits, ..TaskQueue::new(self.policy) };
        done
    }
}
