//! Mode change whose driver call has not returned.

use taut_schemas::{BackgroundProcessingMode, MeasurementsAction, PendingModeChange};

/// Mode change during the driver's call.
#[derive(Debug, Clone, Copy)]
pub(super) struct ModeChange {
    pub(super) mode: BackgroundProcessingMode,
    pub(super) action: MeasurementsAction,
}

impl ModeChange {
    /// True if tasks are accepted during the driver's call even if the current mode disables them. This is so if the
    /// driver is to queue the work of a commit (B-33, rule X-29), or if the new mode enables work (B-26).
    pub(super) fn accepts(self) -> bool {
        self.action.commits() || !self.mode.disables_work()
    }

    /// Returns the change for a record.
    pub(super) fn save(self) -> PendingModeChange {
        let ModeChange { mode, action } = self;
        PendingModeChange { mode, action }
    }

    /// Restores the change of a record.
    pub(super) fn restore(record: PendingModeChange) -> ModeChange {
        let PendingModeChange { mode, action } = record;
        ModeChange { mode, action }
    }
}
