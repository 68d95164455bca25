//! Work that is queued from elsewhere than where measurements are read: by the driver's own thread, by recording calls, by a
//! task that ends.

use super::measure::decide;
use super::optimiser::with;
use super::own_lock::OwnLock;
use crate::driver::background_profile::Background;
use crate::driver::faults::Faults;
use std::collections::BTreeSet;
use taut_schemas::d3d12_callbacks::WakeDriverThread;
use taut_schemas::{Callbacks, PipelineStateId};

/// What was measured of these is to be decided on later.
pub(super) fn leave(settings: &Background, callbacks: &mut dyn Callbacks, touched: BTreeSet<PipelineStateId>) {
    if touched.is_empty() {
        return;
    }
    let own_lock = OwnLock::take(settings, callbacks);
    with(callbacks, |optimiser| optimiser.awaiting.extend(touched));
    own_lock.release(callbacks);
    if settings.queues_from_thread > 0 {
        callbacks.wake_driver_thread(&WakeDriverThread {});
    }
}

/// Decides on all that nobody has decided on: the driver's own thread.
pub(super) fn all(settings: &Background, faults: &Faults, callbacks: &mut dyn Callbacks) {
    let left = with(callbacks, |optimiser| std::mem::take(&mut optimiser.awaiting));
    decide(settings, faults, callbacks, &left);
}

/// The same for some pipeline states: a command list that draws with them is closed.
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
