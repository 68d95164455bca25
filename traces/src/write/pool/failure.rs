//! Failures of the output: events accounted for, registered callbacks, and the number of lost events.

use super::Pool;
use super::callbacks::OnFailure;
use crate::format::error::WriteError;
use std::collections::BTreeMap;

impl Pool {
    /// Registers a callback for a failure of the output.
    pub fn on_failure(&self, call: Box<dyn FnOnce(&WriteError) + Send>) {
        self.state().on_failure.push(OnFailure(call));
    }

    /// Records a failure of the output, after it accounted for these numbers of events per thread, and closes the pool.
    pub fn fail(&self, error: &WriteError, accounted: BTreeMap<u32, u64>) {
        self.account(accounted);
        self.report_failure(error);
    }

    /// Records a failure of the sidecar or of a sync and closes the pool. The trace gets the records handed over so
    /// far, but no footer. The events that the output accounts for are set when the block writer ends, or were set if
    /// it failed before.
    pub fn fail_side_file(&self, error: &WriteError) {
        self.state().abandoned = true;
        self.report_failure(error);
    }

    fn report_failure(&self, error: &WriteError) {
        let mut state = self.state();
        state.failed = true;
        let calls = std::mem::take(&mut state.on_failure);
        // Released first, because a callback may use the pool.
        drop(state);
        self.close();
        calls.into_iter().for_each(|OnFailure(call)| call(error));
    }

    /// Sets the number of events that the output accounts for, by thread.
    pub fn account(&self, accounted: BTreeMap<u32, u64>) {
        self.state().accounted = accounted;
    }

    /// Number of events passed to each thread's writers that the failed output does not account for.
    pub fn lost_to_failure(&self) -> Vec<(u32, u64)> {
        let produced = self.produced();
        let state = self.state();
        let accounted = |thread: &u32| state.accounted.get(thread).copied().unwrap_or_default();
        let lost = produced.iter().map(|(thread, produced)| (*thread, produced.saturating_sub(accounted(thread))));
        lost.filter(|(_, lost)| *lost > 0).collect()
    }
}
