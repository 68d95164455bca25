//! SetBackgroundProcessingMode, as far as the task queue is concerned.

use super::queue::TaskQueue;
use super::task::CancelledTask;
use taut_schemas::{
    BackgroundProcessingMode, CancelReason, EventHandle, MeasurementsAction, PendingModeChange, TaskId, mark,
};

/// A change of the mode that the driver is being told of.
#[derive(Debug, Clone, Copy)]
pub(super) struct ModeChange {
    mode: BackgroundProcessingMode,
    action: MeasurementsAction,
}

impl ModeChange {
    /// Whether tasks are accepted while the driver is told, even if the mode until now disables them: when it is to queue
    /// what it commits (B-33, ambiguity A4.16), or hears that the mode is no longer disabled (B-26).
    pub(super) fn accepts(self) -> bool {
        self.action.commits() || !self.mode.disables_work()
    }

    /// For a record.
    pub(super) fn save(self) -> PendingModeChange {
        let ModeChange { mode, action } = self;
        PendingModeChange { mode, action }
    }

    /// That of a record.
    pub(super) fn restore(record: PendingModeChange) -> ModeChange {
        let PendingModeChange { mode, action } = record;
        ModeChange { mode, action }
    }
}

/// What a change of the mode brought about.
#[derive(Debug, Default)]
pub(crate) struct ModeChanged {
    /// The commit that was made.
    pub(crate) commit: Option<mark::BackgroundCommit>,
    /// Commits done by the change: this one if no task is unfinished, others if tasks were cancelled.
    pub(crate) done: Vec<mark::BackgroundCommitDone>,
    /// Tasks cancelled because the mode disables them; none unless the policy says so.
    pub(crate) cancelled: Vec<CancelledTask>,
    /// Running tasks whose threads change their priority (B-37).
    pub(crate) priorities: Vec<mark::BackgroundWorkPriority>,
}

impl TaskQueue {
    /// The driver is about to be told of a mode and an action. Until [`end_mode_change`](Self::end_mode_change) the mode
    /// stays as it is.
    pub(crate) fn begin_mode_change(&mut self, mode: BackgroundProcessingMode, action: MeasurementsAction) {
        self.change = Some(ModeChange { mode, action });
    }

    /// The driver has been told: the mode takes effect, and an action that commits makes its set of all tasks that are
    /// queued or running (B-31). Nothing happens without a [`begin_mode_change`](Self::begin_mode_change).
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
