//! SetBackgroundProcessingMode: how much the driver may do, and whether it has more to learn.

use super::measure;
use super::optimiser::{Optimiser, with};
use crate::driver::background_profile::Background;
use crate::driver::faults::Faults;
use taut_schemas::{BackgroundProcessingMode, Callbacks, MeasurementsAction};

/// Takes the mode and does the action. A commit queues its tasks inside, before the mode disables any (rule B-33).
/// Gives whether further measurements are desired.
pub(super) fn set(
    settings: &Background,
    faults: &Faults,
    callbacks: &mut dyn Callbacks,
    mode: BackgroundProcessingMode,
    action: MeasurementsAction,
) -> bool {
    if action == MeasurementsAction::DISCARD_PREVIOUS {
        with(callbacks, Optimiser::discard);
    }
    if action.commits() || faults.finds_for_ever {
        measure::commit(settings, faults, callbacks);
    }
    with(callbacks, |optimiser| {
        optimiser.mode = mode;
        optimiser.further()
    })
}

impl Optimiser {
    /// Whether further measurements are desired (rule B-40, ambiguity A4.11), and a new window begins: opportunities
    /// were found in this one, or the gain of variants is not known yet, or tasks are pending.
    fn further(&mut self) -> bool {
        let mut variants = self.pipelines.values().flat_map(|pipeline| &pipeline.installed);
        let further = self.found > 0 || !self.tasks.is_empty() || variants.any(|variant| variant.is_awaited());
        self.found = 0;
        for variant in self.pipelines.values_mut().flat_map(|pipeline| &mut pipeline.installed) {
            variant.settle();
        }
        further
    }
}
