//! ExecuteCommandLists: selects each draw's shader, hands out the work, and remembers what measurements will be of.

use super::batch::{Batch, BatchDraw};
use super::measure;
use super::optimiser::{Optimiser, with};
use super::pipeline::MOST_LANES;
use super::selection::{Selected, select};
use super::tuning::Overhead;
use crate::driver::background_profile::Background;
use crate::driver::faults::Faults;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use taut_schemas::{
    BackgroundProcessingMode, Callbacks, DrawCommand, PipelineStateId, Selection, VariantId, d3d12_ddi,
};
use taut_shaders::Word;

/// A draw whose measurements have not come yet.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Draw {
    pub pipeline_state: PipelineStateId,
    /// Its constants, if they are sampled.
    pub sampled: Option<Vec<Word>>,
    /// The variants whose guards did not hold.
    pub missed: Vec<VariantId>,
    /// Instructions that all guards asked cost.
    pub guard_cost: u32,
    /// What of that the guard of the variant selected cost, where it is not all that asking for it alone costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_guard_cost: Option<u32>,
    /// What tuning is to know of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuned: Option<TunedDraw>,
}

/// What is to be known of a draw to tune by.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct TunedDraw {
    pub lanes: u32,
    /// It has the constants of the draw before.
    pub repeats: bool,
}

/// The draws of a submission that the graphics processor has not got done.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Submission {
    /// When it was submitted, in discards.
    pub generation: u64,
    pub draws: Vec<Draw>,
}

/// See the module.
pub(super) fn execute(
    background: Option<&Background>,
    faults: &Faults,
    callbacks: &mut dyn Callbacks,
    call: &d3d12_ddi::ExecuteCommandLists,
) -> Vec<Selection> {
    let (batch, selections) = with(callbacks, |optimiser| optimiser.submit(background, faults, call));
    callbacks.submit(Arc::new(Batch { panics: faults.panics_in_draws, ..batch }));
    // What a driver must not do (rule B-41): the graphics processor may not even have begun.
    if let Some(settings) = background.filter(|_| faults.decides_by_unfinished_work) {
        let touched = with(callbacks, |optimiser| optimiser.count_unfinished(settings, call.submission));
        measure::decide(settings, faults, callbacks, &touched);
    }
    selections
}

impl Optimiser {
    fn submit(
        &mut self,
        background: Option<&Background>,
        faults: &Faults,
        call: &d3d12_ddi::ExecuteCommandLists,
    ) -> (Batch, Vec<Selection>) {
        let constants = call.constants.iter().copied().map(Word).collect();
        let mut batch = Batch { draws: Vec::with_capacity(call.draws.len()), constants, panics: false };
        let mut selections = Vec::with_capacity(call.draws.len());
        let mut measured = Submission { generation: self.generation(), draws: Vec::new() };
        for command in &call.draws {
            let (selection, draw) = self.draw((background, faults, call.submission), command, &mut batch);
            selections.push(selection);
            measured.draws.push(draw);
        }
        // While profiling is disabled, nothing is going to be learned from it.
        if background.is_some() && self.profiles() {
            self.submissions.insert(call.submission, measured);
        }
        (batch, selections)
    }

    fn draw(
        &mut self,
        (background, faults, measured): (Option<&Background>, &Faults, u64),
        command: &DrawCommand,
        batch: &mut Batch,
    ) -> (Selection, Draw) {
        let (pipeline_state, mode) = (command.pipeline_state, self.mode);
        let Some(pipeline) = self.pipelines.get_mut(&pipeline_state) else {
            let (runs, variant, constants) = (None, None, 0..0);
            let (guard_cost, counts, overhead) = (0, false, Overhead::default());
            batch.draws.push(BatchDraw { pipeline_state, runs, variant, guard_cost, counts, overhead, constants });
            return (Selection::default(), Draw { pipeline_state, ..Draw::default() });
        };
        let constants = batch.bound(command, pipeline.shader().function().constants.len());
        let words = &batch.constants[constants.clone()];
        if background.is_some_and(Background::looks_further) {
            pipeline.lanes = command.lane_count.min(MOST_LANES);
        }
        let selected = select(pipeline, faults, words);
        let samples = background.is_some_and(|settings| pipeline.samples_next(mode, settings));
        let has_counters = background.is_some_and(|settings| settings.counters > 0);
        let counts = has_counters && (samples || (faults.keeps_counting && measured.is_multiple_of(2)));
        let mut overhead = Overhead::default();
        let tuned = background.filter(|settings| settings.tunes()).map(|_| {
            let lanes = command.lane_count.min(MOST_LANES);
            let profiles = mode != BackgroundProcessingMode::DISABLE_PROFILING_BY_SYSTEM;
            // What a driver must not do (rule B-25).
            let other = faults.keeps_trying && !profiles && measured.is_multiple_of(2);
            let (cost, repeats) = pipeline.tuning.get_or_insert_default().submit(words, lanes, other);
            overhead = cost;
            TunedDraw { lanes, repeats }
        });
        let (selection, sampled) = (selected.answer(), samples.then(|| words.to_vec()));
        let Selected { variant, missed, guard_cost, own_guard_cost } = selected;
        batch.draws.push(BatchDraw {
            pipeline_state,
            runs: pipeline.grid(command.lane_count).map(|grid| (Arc::clone(&pipeline.generic), grid)),
            variant,
            guard_cost,
            counts,
            overhead,
            constants,
        });
        (selection, Draw { pipeline_state, sampled, missed, guard_cost, own_guard_cost, tuned })
    }
}
