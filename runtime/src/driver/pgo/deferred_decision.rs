//! Deferred decisions: the driver's thread, closed command lists or finished tasks queue the background work, not the
//! call that reads the measurements.

use super::measure::decide;
use super::optimiser::with;
use super::own_lock::DriverLockGuard;
use crate::driver::background_profile::Background;
use crate::driver::faults::Faults;
use std::collections::BTreeSet;
use taut_schemas::d3d12_callbacks::WakeDriverThread;
use taut_schemas::{Callbacks, PipelineStateId};

/// Adds measured pipeline states to the list of pipeline states that await a decision.
pub(super) fn defer(settings: &Background, callbacks: &mut dyn Callbacks, touched: BTreeSet<PipelineStateId>) {
    if touched.is_empty() {
        return;
    }
    let own_lock = DriverLockGuard::take(settings, callbacks);
    with(callbacks, |optimiser| optimiser.awaiting.extend(touched));
    own_lock.release(callbacks);
    if settings.queues_from_thread > 0 {
        callbacks.wake_driver_thread(&WakeDriverThread {});
    }
}

/// Decides on all pipeline states that await a decision. Runs on the driver's thread.
pub(super) fn decide_for_all(settings: &Background, faults: &Faults, callbacks: &mut dyn Callbacks) {
    let left = with(callbacks, |optimiser| std::mem::take(&mut optimiser.awaiting));
    decide(settings, faults, callbacks, &left);
}

/// Decides on the pipeline states of a closed command list that await a decision.
pub(super) fn decide_for(
    settings: &Background,
    faults: &Faults,
    callbacks: &mut dyn Callbacks,
    pipeline_states: &[PipelineStateId],
) {
    let left = with(callbacks, |optimiser| {
        pipeline_states.iter().copied().filter(|id| optimiser.awaiting.remove(id)).collect::<BTreeSet<_>>()
    });
    decide(settings, faults, callbacks, &left);
}
