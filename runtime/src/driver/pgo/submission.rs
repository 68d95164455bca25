//! ExecuteCommandLists: selects each draw's shader, submits the GPU work, and stores the data that its measurements
//! will refer to.

use super::batch::{Batch, BatchDraw};
use super::measure;
use super::optimiser::{Optimiser, with};
use super::pipeline::MAX_LANES;
use super::selection::{Selected, select};
use super::tuning::Overhead;
use super::unread_draws::{Draw, Submission, TunedDraw};
use crate::driver::background_profile::Background;
use crate::driver::faults::Faults;
use std::sync::Arc;
use taut_schemas::{BackgroundProcessingMode, Callbacks, DrawCommand, Selection, d3d12_ddi};
use taut_shaders::Word;

/// Implements ExecuteCommandLists.
pub(super) fn execute(
    background: Option<&Background>,
    faults: &Faults,
    callbacks: &mut dyn Callbacks,
    call: &d3d12_ddi::ExecuteCommandLists,
) -> Vec<Selection> {
    let (batch, selections) = with(callbacks, |optimiser| optimiser.submit(background, faults, call));
    callbacks.submit(Arc::new(Batch { panics: faults.panics_in_draws, ..batch }));
    // Fault for rule B-41: the GPU may not even have begun.
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
            let (selection, draw) = self.draw(background, faults, call.submission, command, &mut batch);
            selections.push(selection);
            measured.draws.push(draw);
        }
        // While profiling is disabled, measurements of the submission are not used.
        if background.is_some() && self.profiles() {
            self.submissions.insert(call.submission, measured);
        }
        (batch, selections)
    }

    fn draw(
        &mut self,
        background: Option<&Background>,
        faults: &Faults,
        measured: u64,
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
        let constants = batch.bind_constants(command, pipeline.shader().function().constants.len());
        let words = &batch.constants[constants.clone()];
        if background.is_some_and(Background::searches_beyond_one_specialisation) {
            pipeline.lanes = command.lane_count.min(MAX_LANES);
        }
        let selected = select(pipeline, faults, words);
        let samples = background.is_some_and(|settings| pipeline.samples_next(mode, settings));
        let has_counters = background.is_some_and(|settings| settings.counters > 0);
        let counts = has_counters && (samples || (faults.keeps_counting && measured.is_multiple_of(2)));
        let mut overhead = Overhead::default();
        let tuned = background.filter(|settings| settings.tunes()).map(|_| {
            let lanes = command.lane_count.min(MAX_LANES);
            let profiles = mode != BackgroundProcessingMode::DISABLE_PROFILING_BY_SYSTEM;
            // Fault for rule B-25.
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
