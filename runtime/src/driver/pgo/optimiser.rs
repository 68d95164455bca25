//! State of the driver between DDI calls.

use super::pipeline::Pipeline;
use super::unread_draws::Submission;
use super::variant_task::VariantTask;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{BackgroundProcessingMode, Callbacks, PipelineStateId, VariantId, d3d12_callbacks};

/// State of a device's background processing. The runtime owns it and lends it under the queue's lock.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Optimiser {
    pub pipelines: BTreeMap<PipelineStateId, Pipeline>,
    /// Queued tasks that have neither finished nor been cancelled, by context.
    pub tasks: BTreeMap<u64, VariantTask>,
    /// Submissions whose measurements have not been read, by submission number.
    pub submissions: BTreeMap<u64, Submission>,
    pub mode: BackgroundProcessingMode,
    /// Opportunities found since SetBackgroundProcessingMode was last called.
    pub found: u64,
    /// Number of discards of measurements.
    generation: u64,
    last_context: u64,
    pub last_variant: VariantId,
    /// Measured pipeline states that await a decision; empty in drivers that decide at once.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub awaiting: BTreeSet<PipelineStateId>,
    /// Reports on variants that have not been sent to tools yet.
    #[serde(skip)]
    pub reports: Vec<d3d12_callbacks::ReportVariant>,
}

/// Runs `change` on the driver's state. `change` has no access to callbacks: a cancel inside a callback needs the state
/// as well.
pub(super) fn with<R: Default>(callbacks: &mut dyn Callbacks, change: impl FnOnce(&mut Optimiser) -> R) -> R {
    let driver_state = callbacks.driver_state().get_or_insert_with(|| Box::<Optimiser>::default());
    driver_state.downcast_mut().map(change).unwrap_or_default()
}

impl Optimiser {
    /// Returns the number of discards.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Returns a context that no task has used.
    pub fn next_context(&mut self) -> u64 {
        self.last_context += 1;
        self.last_context
    }

    /// Returns the next variant's id: from 1, across all pipeline states.
    pub fn next_variant(&self) -> VariantId {
        VariantId(self.last_variant.0 + 1)
    }

    /// True if profiling and tuning are allowed.
    pub fn profiles(&self) -> bool {
        self.mode != BackgroundProcessingMode::DISABLE_PROFILING_BY_SYSTEM
    }

    /// Removes a pipeline state. Its tasks keep their own data (rule B-70).
    pub fn destroy(&mut self, pipeline_state: PipelineStateId) {
        self.pipelines.remove(&pipeline_state);
        self.awaiting.remove(&pipeline_state);
        let tasks = self.tasks.values_mut().filter(|task| task.pipeline_state == Some(pipeline_state));
        tasks.for_each(|task| task.pipeline_state = None);
    }

    /// Implements DISCARD_PREVIOUS: drops all measurements; results of running tasks and submissions will be dropped as
    /// well.
    pub fn discard(&mut self) {
        self.generation += 1;
        self.found = 0;
        self.awaiting.clear();
        self.pipelines.values_mut().for_each(Pipeline::discard);
    }
}
