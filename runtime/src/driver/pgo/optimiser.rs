//! What the driver keeps from call to call.

use super::pipeline::Pipeline;
use super::submission::Submission;
use super::task::VariantTask;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{BackgroundProcessingMode, Callbacks, PipelineStateId, VariantId, d3d12_callbacks};

/// All that a driver with background processing remembers of a device. The runtime keeps it and hands it out under its
/// lock.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Optimiser {
    pub pipelines: BTreeMap<PipelineStateId, Pipeline>,
    /// Tasks queued and neither ended nor cancelled, by context.
    pub tasks: BTreeMap<u64, VariantTask>,
    /// What was submitted and not measured, by number of submission.
    pub submissions: BTreeMap<u64, Submission>,
    pub mode: BackgroundProcessingMode,
    /// Opportunities found since SetBackgroundProcessingMode was last called.
    pub found: u64,
    /// How often measurements were discarded.
    generation: u64,
    last_context: u64,
    pub last_variant: VariantId,
    /// What was measured and nobody has decided on; none where that is done at once.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub awaiting: BTreeSet<PipelineStateId>,
    /// What tools have not been told of variants yet.
    #[serde(skip)]
    pub reports: Vec<d3d12_callbacks::ReportVariant>,
}

/// Gives `change` what the driver keeps. It cannot call back: a cancel may come inside a callback, and wants it too.
pub(super) fn with<R: Default>(callbacks: &mut dyn Callbacks, change: impl FnOnce(&mut Optimiser) -> R) -> R {
    let kept = callbacks.kept().get_or_insert_with(|| Box::<Optimiser>::default());
    kept.downcast_mut().map(change).unwrap_or_default()
}

impl Optimiser {
    /// How often measurements were discarded.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// A context that no task had before.
    pub fn next_context(&mut self) -> u64 {
        self.last_context += 1;
        self.last_context
    }

    /// The number that the next variant gets: from 1, over all pipeline states.
    pub fn next_variant(&self) -> VariantId {
        VariantId(self.last_variant.0 + 1)
    }

    /// Whether the system may be profiled and tuned.
    pub fn profiles(&self) -> bool {
        self.mode != BackgroundProcessingMode::DISABLE_PROFILING_BY_SYSTEM
    }

    /// DestroyPipelineState. What tasks have of it goes on being only theirs (rule B-70).
    pub fn destroy(&mut self, pipeline_state: PipelineStateId) {
        self.pipelines.remove(&pipeline_state);
        self.awaiting.remove(&pipeline_state);
        let tasks = self.tasks.values_mut().filter(|task| task.pipeline_state == Some(pipeline_state));
        tasks.for_each(|task| task.pipeline_state = None);
    }

    /// DISCARD_PREVIOUS: what was measured means nothing any more. What tasks under way give is going to be dropped,
    /// and so is what submissions under way measure.
    pub fn discard(&mut self) {
        self.generation += 1;
        self.found = 0;
        self.awaiting.clear();
        self.pipelines.values_mut().for_each(Pipeline::discard);
    }
}
