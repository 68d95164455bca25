//! SetBackgroundProcessingMode, from the task queue's side.

use super::begun_mode_change::ModeChange;
use super::queue::TaskQueue;
use super::task::CancelledTask;
use taut_schemas::{BackgroundProcessingMode, CancelReason, EventHandle, MeasurementsAction, TaskId, mark};

/// Consequences of a mode change.
#[derive(Debug, Default)]
pub(crate) struct ModeChanged {
    pub(crate) commit: Option<mark::BackgroundCommit>,
    /// Commits done by the change: the new one if no task is unfinished, others if tasks were cancelled.
    pub(crate) done: Vec<mark::BackgroundCommitDone>,
    /// Tasks cancelled because the mode disables them; empty unless the policy cancels them.
    pub(crate) cancelled: Vec<CancelledTask>,
    /// Running tasks whose threads change their priority (B-37).
    pub(crate) priorities: Vec<mark::BackgroundWorkPriority>,
}

impl TaskQueue {
    /// Begins a mode change before the driver's call. The mode stays as it is until
    /// [`end_mode_change`](Self::end_mode_change).
    pub(crate) fn begin_mode_change(&mut self, mode: BackgroundProcessingMode, action: MeasurementsAction) {
        self.change = Some(ModeChange { mode, action });
    }

    /// Ends a mode change after the driver's call: the mode takes effect, and a committing action makes a commit of all
    /// queued and running tasks (B-31). Nothing happens without [`begin_mode_change`](Self::begin_mode_change).
    pub(crate) fn end_mode_change(&mut self, event: EventHandle) -> ModeChanged {
        let Some(ModeChange { mode, action }) = self.change.take() else { return ModeChanged::default() };
        let disables = mode.disables_work() && !self.mode.disables_work();
        self.mode = mode;
        let mut changed = ModeChanged::default();
        if action.commits() {
            changed.commit = Some(self.commit(event, action == MeasurementsAction::COMMIT_RESULTS_HIGH_PRIORITY));
        } else if disables && self.policy.disable_cancels_queued {
            changed.cancelled = self.cancel_queued(CancelReason::DISABLED, true);
        } else {
            return changed;
        }
        changed.done = self.commits.take_done();
        changed.priorities = self.change_priorities();
        changed
    }

    fn commit(&mut self, event: EventHandle, high_priority: bool) -> mark::BackgroundCommit {
        let tasks: Vec<TaskId> = self.running.keys().copied().chain(self.queued.iter().map(|task| task.id)).collect();
        let commit = self.commits.commit(event, high_priority);
        mark::BackgroundCommit { commit, event, high_priority, tasks }
    }
}
