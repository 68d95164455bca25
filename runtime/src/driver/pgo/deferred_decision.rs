//! Deferred decisions: work that is queued by the driver's thread, by closed command lists or by finished tasks instead
//! of where measurements are read.

use super::measure::decide;
use super::optimiser::with;
use super::own_lock::DriverLockGuard;
use crate::driver::background_profile::Background;
use crate::driver::faults::Faults;
use std::collections::BTreeSet;
use taut_schemas::d3d12_callbacks::WakeDriverThread;
use taut_schemas::{Callbacks, PipelineStateId};

/// Adds measured pipeline states to the list of those that await a decision.
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

/// Decides on all pipeline states that await a decision: runs on the driver's thread.
pub(super) fn all(settings: &Background, faults: &Faults, callbacks: &mut dyn Callbacks) {
    let left = with(callbacks, |optimiser| std::mem::take(&mut optimiser.awaiting));
    decide(settings, faults, callbacks, &left);
}

/// Decides on the pipeline states of a closed command list that await a decision.
pub(super) fn some(
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
