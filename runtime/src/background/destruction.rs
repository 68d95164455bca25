//! Destruction of a device, from the task queue's side.

use super::commit::Commits;
use super::policy::AtDestruction;
use super::queue::TaskQueue;
use super::task::CancelledTask;
use taut_schemas::{CancelReason, mark};

/// Consequences of the begin of a destruction.
#[derive(Debug, Default)]
pub(crate) struct Destruction {
    /// Tasks that will not run; the destroying thread calls their cancel callbacks (B-57).
    pub(crate) cancelled: Vec<CancelledTask>,
    /// Commits that waited for cancelled tasks only; signalled after the callbacks (B-58).
    pub(crate) done: Vec<mark::BackgroundCommitDone>,
    /// Running tasks whose threads lose their boost.
    pub(crate) priorities: Vec<mark::BackgroundWorkPriority>,
}

impl TaskQueue {
    /// Begins the destruction: from now on every newly queued task is cancelled at once. Running tasks finish. The policy
    /// decides whether waiting tasks are cancelled or run (B-56).
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

    /// True if no task waits or runs: the driver may destroy the device, and no worker is in use (B-56, B-62).
    pub(crate) fn is_drained(&self) -> bool {
        self.queued.is_empty() && self.running.is_empty()
    }

    /// True while the device is being destroyed.
    pub(crate) fn is_ending(&self) -> bool {
        self.ending
    }

    /// Resets the queue after the destruction for the next device; task and commit numbers continue. The queue must be
    /// drained; then no commit is left. Otherwise tasks are dropped, and the commits that waited for them are done, so
    /// that no thread waits forever (B-58).
    pub(crate) fn end_destruction(&mut self) -> Vec<mark::BackgroundCommitDone> {
        let mut commits = std::mem::replace(&mut self.commits, Commits::new(0));
        let done = commits.take_all();
        *self = TaskQueue { last_task: self.last_task, commits, ..TaskQueue::new(self.policy) };
        done
    }
}
