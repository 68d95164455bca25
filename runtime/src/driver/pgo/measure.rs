//! CollectMeasurements: the only function in which the driver reads measurements and decides on them (rule B-41).

use super::optimiser::{Optimiser, with};
use super::own_lock::DriverLockGuard;
use super::report::{report, send_reports};
use super::task;
use super::threshold::Threshold;
use crate::driver::background_profile::Background;
use crate::driver::faults::Faults;
use std::collections::BTreeSet;
use taut_schemas::{Callbacks, PipelineStateId, d3d12_ddi};

/// Counts the runs of a submission. Returns the pipeline states that it drew with.
pub(super) fn collect(
    settings: &Background,
    faults: &Faults,
    callbacks: &mut dyn Callbacks,
    call: &d3d12_ddi::CollectMeasurements,
) -> BTreeSet<PipelineStateId> {
    with(callbacks, |optimiser| optimiser.count(settings, faults, call))
}

/// Judges the variants of these pipeline states, and queues specialisations that are worth a task.
pub(super) fn decide(
    settings: &Background,
    faults: &Faults,
    callbacks: &mut dyn Callbacks,
    touched: &BTreeSet<PipelineStateId>,
) {
    for pipeline_state in touched {
        let own_lock = DriverLockGuard::take(settings, callbacks);
        let opportunity = with(callbacks, |optimiser| {
            if optimiser.profiles() {
                optimiser.judge(settings, *pipeline_state, false);
            }
            let threshold = optimiser.threshold(settings, faults)?;
            optimiser.find(settings, faults, *pipeline_state, threshold)
        });
        send_reports(callbacks);
        match opportunity {
            None => own_lock.release(callbacks),
            Some(opportunity) => task::queue(faults, callbacks, opportunity, own_lock),
        }
        let may_tune = with(callbacks, |optimiser| optimiser.threshold(settings, faults).is_some());
        if settings.tunes() && may_tune {
            task::queue_tuning(settings, faults, callbacks, *pipeline_state, settings.n_min.into());
        }
    }
}

/// Implements COMMIT_RESULTS: decides on whatever has been observed (rules B-31 and B-38).
pub(super) fn commit(settings: &Background, faults: &Faults, callbacks: &mut dyn Callbacks) {
    let all = with(callbacks, |optimiser| {
        // The commit decides on every pipeline state, so no pipeline state awaits a decision afterwards.
        optimiser.awaiting.clear();
        optimiser.pipelines.keys().copied().collect::<Vec<_>>()
    });
    for pipeline_state in all {
        let mut own_lock = DriverLockGuard::take(settings, callbacks);
        let mut opportunity = with(callbacks, |optimiser| {
            optimiser.judge(settings, pipeline_state, true);
            optimiser.find(settings, faults, pipeline_state, Threshold::Committed)
        });
        // The limit ends the loop: a candidate whose task is cancelled at once is new again.
        let limit = with(callbacks, |optimiser| optimiser.max_found(pipeline_state));
        for left in (0..limit).rev() {
            send_reports(callbacks);
            let Some(found) = opportunity.take() else { break };
            task::queue(faults, callbacks, found, own_lock);
            own_lock = DriverLockGuard::take(settings, callbacks);
            if left > 0 {
                opportunity =
                    with(callbacks, |optimiser| optimiser.find(settings, faults, pipeline_state, Threshold::Committed));
            }
        }
        own_lock.release(callbacks);
        if settings.tunes() {
            task::queue_tuning(settings, faults, callbacks, pipeline_state, 1);
        }
    }
}

impl Optimiser {
    /// Counts the runs of a submission. Returns the pipeline states that it drew with; none if it was submitted before
    /// a discard or while profiling was disabled.
    fn count(
        &mut self,
        settings: &Background,
        faults: &Faults,
        call: &d3d12_ddi::CollectMeasurements,
    ) -> BTreeSet<PipelineStateId> {
        let submission = self.submissions.remove(&call.submission).unwrap_or_default();
        let mut touched = BTreeSet::new();
        if submission.generation != self.generation() {
            return touched;
        }
        for (draw, run) in submission.draws.iter().zip(&call.runs) {
            if let Some(pipeline) = self.pipelines.get_mut(&draw.pipeline_state) {
                if !faults.decides_by_unfinished_work {
                    pipeline.count(draw, settings, call.submission);
                }
                pipeline.measure(draw, run, settings);
                touched.insert(draw.pipeline_state);
            }
        }
        touched
    }

    /// Counts a submission that has not run yet; only a faulty driver does so.
    pub fn count_unfinished(&mut self, settings: &Background, submission: u64) -> BTreeSet<PipelineStateId> {
        let draws = self.submissions.get(&submission).map_or(&[][..], |submission| &submission.draws);
        for draw in draws {
            if let Some(pipeline) = self.pipelines.get_mut(&draw.pipeline_state) {
                pipeline.count(draw, settings, submission);
            }
        }
        draws.iter().map(|draw| draw.pipeline_state).collect()
    }

    fn judge(&mut self, settings: &Background, pipeline_state: PipelineStateId, committed: bool) {
        let pipeline = self.pipelines.get_mut(&pipeline_state);
        let dropped = pipeline.map(|pipeline| pipeline.judge(settings, committed)).unwrap_or_default();
        self.reports.extend(dropped.iter().map(|(variant, change)| report(pipeline_state, variant, *change)));
    }
}
