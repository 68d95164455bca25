//! SetBackgroundProcessingMode: how much the driver may do, and whether it has more to learn.

use super::measure;
use super::optimiser::{Optimiser, with};
use super::pipeline::Pipeline;
use super::threshold::Threshold;
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
        let before = std::mem::replace(&mut optimiser.mode, mode);
        optimiser.further(settings, faults, before)
    })
}

impl Optimiser {
    /// Whether further measurements are desired (rule B-40, ambiguity A4.11), and a new window begins: opportunities
    /// were found in this one, or tasks are pending, or the gain of variants is not known yet, or more work like that in the
    /// window would be of use. The last is judged by the mode that the work was drawn in.
    fn further(&mut self, settings: &Background, faults: &Faults, before: BackgroundProcessingMode) -> bool {
        let threshold = match before {
            BackgroundProcessingMode::ALLOW_INTRUSIVE_MEASUREMENTS => Threshold::Intrusive,
            _ => Threshold::Usual,
        };
        // While nothing may be queued, more work finds nothing.
        let may_find = !(before.disables_work() && self.mode.disables_work());
        let is_open = |pipeline: &Pipeline| {
            pipeline.installed.iter().any(|variant| variant.is_awaited())
                || (may_find && !faults.answers_too_early && pipeline.is_open(settings, faults, threshold))
                || (may_find && pipeline.tuning.as_ref().is_some_and(|tuning| tuning.is_worth(settings, 1)))
        };
        // What is queued whatever the mode, and cancelled, is nothing that was found.
        let found = self.found > 0 && (may_find || settings.queues_from_thread == 0);
        let mut further = found || !self.tasks.is_empty() || self.pipelines.values().any(is_open);
        further = further || (may_find && self.would_find(settings, faults, threshold));
        self.found = 0;
        self.pipelines.values_mut().for_each(Pipeline::settle);
        further
    }

    /// Whether something is found in what nobody has decided on yet.
    fn would_find(&mut self, settings: &Background, faults: &Faults, threshold: Threshold) -> bool {
        let Optimiser { awaiting, pipelines, .. } = self;
        awaiting.iter().any(|id| {
            let pipeline = pipelines.get_mut(id);
            pipeline.is_some_and(|pipeline| pipeline.candidate(settings, faults, threshold, 0).is_some())
        })
    }
}
