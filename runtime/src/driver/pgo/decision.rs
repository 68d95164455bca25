//! Decision on which pipeline states to specialise.

use super::constant_profile::SampleCounts;
use super::optimiser::Optimiser;
use super::pipeline::Pipeline;
use super::report::refusal;
use super::task::SpecialisationRequest;
use super::threshold::Threshold;
use super::windows::Key;
use crate::driver::background_profile::Background;
use crate::driver::faults::Faults;
use std::sync::Arc;
use taut_schemas::{BackgroundProcessingMode, PipelineStateId};

impl Optimiser {
    /// Returns the threshold for decisions outside of commits. `None` while no work may be queued (rule B-63); a driver
    /// thread does not check the mode, because the runtime cancels its work instead.
    pub fn threshold(&self, settings: &Background, faults: &Faults) -> Option<Threshold> {
        let looks = !faults.works_when_cancelled && settings.queues_from_thread == 0;
        match self.mode {
            BackgroundProcessingMode::ALLOW_INTRUSIVE_MEASUREMENTS => Some(Threshold::Intrusive),
            BackgroundProcessingMode::DISABLE_PROFILING_BY_SYSTEM if !faults.works_when_cancelled => None,
            mode if mode.disables_work() && looks => None,
            _ => Some(Threshold::Usual),
        }
    }

    /// Returns the specialisation that is worth a task now, if any, and counts it (rule B-40).
    pub fn find(
        &mut self,
        settings: &Background,
        faults: &Faults,
        pipeline_state: PipelineStateId,
        threshold: Threshold,
    ) -> Option<SpecialisationRequest> {
        let pending = self.tasks.len() as u64;
        let pipeline = self.pipelines.get_mut(&pipeline_state)?;
        pipeline.try_split(settings, threshold == Threshold::Committed);
        let candidate = pipeline.candidate(settings, faults, threshold, pending);
        let refused = std::mem::take(&mut pipeline.refused);
        self.reports.extend(refused.iter().map(|key| refusal(pipeline_state, key)));
        let candidate = candidate?;
        pipeline.remove_retry(&candidate);
        let shader = candidate.base.as_ref().map_or(pipeline.shader(), |base| &base.shader);
        let (shader, decided_by_submission) = (Arc::clone(shader), pipeline.measured_by);
        let (key, base, branch) = (candidate.key, candidate.base, candidate.branch);
        self.found += 1;
        Some(SpecialisationRequest { pipeline_state, key, shader, base, branch, decided_by_submission })
    }

    /// Returns the maximum number of tasks that a commit may find for a pipeline state: one if shaders are specialised
    /// once and as a whole.
    pub fn max_found(&self, pipeline_state: PipelineStateId) -> usize {
        self.pipelines.get(&pipeline_state).map_or(1, |pipeline| {
            let branches = pipeline.split.as_ref().map_or(0, |split| split.branches.len());
            let bases = pipeline.installed.iter().filter(|variant| variant.constants.is_some()).count();
            1 + branches + bases + pipeline.retries.len()
        })
    }
}

/// True if a specialisation for this key differs from all variants and may be built.
pub(super) fn is_new(pipeline: &Pipeline, settings: &Background, faults: &Faults, key: &Key) -> bool {
    if faults.finds_forever {
        return !pipeline.pending.contains(key);
    }
    let variants = pipeline.installed.len() + pipeline.pending.len();
    variants < settings.max_variants_per_pipeline as usize && !pipeline.is_specialised_or_pending(key)
}

/// True if samples and executed cost reach the threshold. The cost threshold grows with the number of pending tasks per
/// worker.
pub(super) fn reached(
    pipeline: &Pipeline,
    settings: &Background,
    threshold: Threshold,
    known: SampleCounts,
    pending: u64,
) -> bool {
    // 128 bits: a 64-bit cost times 2^20 does not overflow.
    let doubled = 1_u128 << pipeline.doubled;
    let sampled = u128::from(known.samples) >= u128::from(settings.n_min) * doubled;
    let cost = u128::from(known.executions) * pipeline.shader().length() as u128;
    let step = (u128::from(settings.load_feedback) * u128::from(settings.workers)).max(1);
    let minimum = u128::from(settings.first_tier_cost) * doubled * (step + u128::from(pending)) / step;
    match threshold {
        Threshold::Usual => sampled && cost >= minimum,
        Threshold::Intrusive => sampled,
        Threshold::Committed => true,
    }
}
