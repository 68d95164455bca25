//! What specialisation did for each pipeline state.

use super::times::{generic_by_code, served_by};
use crate::background::{Background, Draw, Task};
use serde::Serialize;
use std::collections::BTreeMap;
use taut_schemas::{PipelineStateId, VariantId};

/// One pipeline state.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct PipelineFigures {
    /// Its name.
    pub name: String,
    /// Its handle.
    pub pipeline_state: u64,
    /// Tasks for it that came into the queue.
    pub tasks_queued: u64,
    /// Variants installed for it.
    pub variants: u64,
    /// Slots of constants that its last installed variant has folded.
    pub folded_slots: Option<u32>,
    /// Instructions in the text of the generic shader, as its last task saw it.
    pub length_before: Option<u32>,
    /// Instructions in the text of its last installed variant.
    pub length_after: Option<u32>,
    /// Draws with it.
    pub draws: u64,
    /// Those that a variant served.
    pub draws_served: u64,
    /// Their share.
    pub served_ratio: Option<f64>,
    /// Draws before which a guard did not hold.
    pub guard_misses: u64,
    /// Instructions that the generic shader executes for the draws served.
    pub instructions_before: u64,
    /// Instructions executed for them, guards included.
    pub instructions_after: u64,
    /// What of `instructions_before` was saved; negative if it was more.
    pub served_saving_ratio: Option<f64>,
    /// Instructions executed for all its draws, guards included.
    pub executed: u64,
    /// Instructions that the generic shader executes for them.
    pub generic_executed: u64,
}

/// Every pipeline state that is drawn with or that tasks are for, by its handle.
pub(super) fn pipelines(background: &Background) -> Vec<PipelineFigures> {
    let mut known: BTreeMap<PipelineStateId, PipelineFigures> = BTreeMap::new();
    for task in background.tasks.iter().filter(|task| task.pipeline_state != PipelineStateId::NULL) {
        known.entry(task.pipeline_state).or_default().add_task(task);
    }
    for variant in background.variants.iter().filter(|variant| variant.installed_stamp.is_some()) {
        known.entry(variant.pipeline_state).or_default().variants += 1;
    }
    for draw in &background.draws {
        known.entry(draw.run.pipeline_state).or_default().add_draw(draw);
    }
    let finish = |(id, figures): (PipelineStateId, PipelineFigures)| PipelineFigures {
        name: background.pipeline_name(id),
        pipeline_state: id.0,
        served_ratio: ratio(figures.draws_served, figures.draws),
        served_saving_ratio: saving_ratio(figures.instructions_after, figures.instructions_before),
        ..figures
    };
    known.into_iter().map(finish).collect()
}

/// A share; none of nothing.
pub(super) fn ratio(part: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| part as f64 / of as f64)
}

/// What was saved of what there would have been.
pub(super) fn saving_ratio(found: u64, before: u64) -> Option<f64> {
    (before > 0).then(|| (before as f64 - found as f64) / before as f64)
}

impl PipelineFigures {
    fn add_task(&mut self, task: &Task) {
        self.tasks_queued += u64::from(!task.refused && !task.was_there);
        let Some(outcome) = task.made() else { return };
        self.length_before = Some(outcome.length_before);
        if task.variant != VariantId::NULL {
            (self.length_after, self.folded_slots) = (Some(outcome.length_after), Some(outcome.folded_slots));
        }
    }

    fn add_draw(&mut self, draw: &Draw) {
        let run = &draw.run;
        self.draws += 1;
        self.guard_misses += u64::from(draw.guard_missed);
        self.executed = self.executed.saturating_add(run.executed);
        self.generic_executed = self.generic_executed.saturating_add(run.generic_executed);
        if draw.is_served() {
            self.draws_served += 1;
            // What is tuned beside the code is no variant's doing.
            self.instructions_before = self.instructions_before.saturating_add(generic_by_code(draw));
            self.instructions_after = self.instructions_after.saturating_add(served_by(draw));
        }
    }
}
