//! What is worth specialising.

use super::optimiser::Optimiser;
use super::pipeline::Pipeline;
use super::report::refusal;
use super::task::Opportunity;
use super::threshold::Threshold;
use super::windows::Key;
use crate::driver::background_profile::Background;
use crate::driver::faults::Faults;
use std::sync::Arc;
use taut_schemas::{BackgroundProcessingMode, PipelineStateId};

impl Optimiser {
    /// What to decide by outside of commits. None while nothing may be queued (rule B-63); a thread of the driver's own does
    /// not look, because the runtime cancels instead.
    pub fn threshold(&self, settings: &Background, faults: &Faults) -> Option<Threshold> {
        let looks = !faults.works_when_cancelled && settings.queues_from_thread == 0;
        match self.mode {
            BackgroundProcessingMode::ALLOW_INTRUSIVE_MEASUREMENTS => Some(Threshold::Intrusive),
            BackgroundProcessingMode::DISABLE_PROFILING_BY_SYSTEM if !faults.works_when_cancelled => None,
            mode if mode.disables_work() && looks => None,
            _ => Some(Threshold::Usual),
        }
    }

    /// Whether a pipeline state is worth specialising now, and what for. What is found counts (rule B-40).
    pub fn find(
        &mut self,
        settings: &Background,
        faults: &Faults,
        pipeline_state: PipelineStateId,
        threshold: Threshold,
    ) -> Option<Opportunity> {
        let pending = self.tasks.len() as u64;
        let pipeline = self.pipelines.get_mut(&pipeline_state)?;
        pipeline.look_for_split(settings, threshold == Threshold::Committed);
        let candidate = pipeline.candidate(settings, faults, threshold, pending);
        let refused = std::mem::take(&mut pipeline.refused);
        self.reports.extend(refused.iter().map(|key| refusal(pipeline_state, key)));
        let candidate = candidate?;
        pipeline.take_candidate(&candidate);
        let shader = candidate.base.as_ref().map_or(pipeline.shader(), |base| &base.shader);
        let (shader, decided_by_submission) = (Arc::clone(shader), pipeline.measured_by);
        let (key, base, branch) = (candidate.key, candidate.base, candidate.branch);
        self.found += 1;
        Some(Opportunity { pipeline_state, key, shader, base, branch, decided_by_submission })
    }

    /// How many tasks a commit may find for a pipeline state: one where shaders are specialised once and as a whole.
    pub fn most_found(&self, pipeline_state: PipelineStateId) -> usize {
        self.pipelines.get(&pipeline_state).map_or(1, |pipeline| {
            let branches = pipeline.split.as_ref().map_or(0, |split| split.branches.len());
            let bases = pipeline.installed.iter().filter(|variant| variant.sight.is_some()).count();
            1 + branches + bases + pipeline.retries.len()
        })
    }
}

/// Whether a specialisation for these values would be another than there are, and may be made.
pub(super) fn is_new(pipeline: &Pipeline, settings: &Background, faults: &Faults, key: &Key) -> bool {
    if faults.finds_for_ever {
        return !pipeline.pending.contains(key);
    }
    let variants = pipeline.installed.len() + pipeline.pending.len();
    variants < settings.most_variants_per_pipeline as usize && !pipeline.knows(key)
}

/// Whether enough was sampled, and enough executed. The more tasks are pending for each worker, the more has to have
/// been executed.
pub(super) fn reached(
    pipeline: &Pipeline,
    settings: &Background,
    threshold: Threshold,
    (samples, executions): (u64, u64),
    pending: u64,
) -> bool {
    let doubled = 1_u128 << pipeline.doubled;
    let sampled = u128::from(samples) >= u128::from(settings.n_min) * doubled;
    let cost = u128::from(executions) * pipeline.shader().length() as u128;
    let step = (u128::from(settings.load_feedback) * u128::from(settings.workers)).max(1);
    let least = u128::from(settings.first_tier_cost) * doubled * (step + u128::from(pending)) / step;
    match threshold {
        Threshold::Usual => sampled && cost >= least,
        Threshold::Intrusive => sampled,
        Threshold::Committed => true,
    }
}
