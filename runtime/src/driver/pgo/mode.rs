//! SetBackgroundProcessingMode: allowed background work, and the answer whether further measurements are desired.

use super::measure;
use super::optimiser::{Optimiser, with};
use super::pipeline::Pipeline;
use super::threshold::Threshold;
use crate::driver::background_profile::Background;
use crate::driver::faults::Faults;
use taut_schemas::{BackgroundProcessingMode, Callbacks, MeasurementsAction};

/// Sets the mode and applies the action. A commit queues its tasks before the new mode disables any (rule B-33).
/// Returns whether further measurements are desired.
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
    if action.commits() || faults.finds_forever {
        measure::commit(settings, faults, callbacks);
    }
    with(callbacks, |optimiser| {
        let before = std::mem::replace(&mut optimiser.mode, mode);
        optimiser.further(settings, faults, before)
    })
}

impl Optimiser {
    /// Returns whether further measurements are desired (rules B-40 and X-26), and starts a new window. They are
    /// desired if opportunities were found in this window, tasks are pending, the gain of a variant is not known yet,
    /// or more work like that in the window would be useful. The last is judged by the mode in which the work was
    /// drawn.
    fn further(&mut self, settings: &Background, faults: &Faults, before: BackgroundProcessingMode) -> bool {
        let threshold = match before {
            BackgroundProcessingMode::ALLOW_INTRUSIVE_MEASUREMENTS => Threshold::Intrusive,
            _ => Threshold::Usual,
        };
        // While no work may be queued, further draws cannot find a specialisation.
        let may_find = !(before.disables_work() && self.mode.disables_work());
        let is_open = |pipeline: &Pipeline| {
            pipeline.installed.iter().any(|variant| variant.is_awaited())
                || (may_find && !faults.converges_early && pipeline.is_open(settings, faults, threshold))
                || (may_find && pipeline.tuning.as_ref().is_some_and(|tuning| tuning.is_worth(settings, 1)))
        };
        // Work that a driver thread queues in a mode that forbids it is cancelled, so it does not count as found.
        let found = self.found > 0 && (may_find || settings.queues_from_thread == 0);
        let mut further = found || !self.tasks.is_empty() || self.pipelines.values().any(is_open);
        further = further || (may_find && self.would_find_specialisation(settings, faults, threshold));
        self.found = 0;
        self.pipelines.values_mut().for_each(Pipeline::start_window);
        further
    }

    /// True if a pipeline state that awaits a decision has a candidate.
    fn would_find_specialisation(&mut self, settings: &Background, faults: &Faults, threshold: Threshold) -> bool {
        let Optimiser { awaiting, pipelines, .. } = self;
        awaiting.iter().any(|id| {
            let pipeline = pipelines.get_mut(id);
            pipeline.is_some_and(|pipeline| pipeline.candidate(settings, faults, threshold, 0).is_some())
        })
    }
}
