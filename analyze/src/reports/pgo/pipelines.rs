//! Effect of specialisation by pipeline state.

use super::requests::Requests;
use super::times::{executed_untuned, generic_by_code};
use crate::background::{Background, Draw, Task};
use crate::reports::figures::figures;
use std::collections::BTreeMap;
use taut_schemas::{PipelineStateId, VariantId};

figures! {
    /// Figures of a pipeline state.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct PipelineFigures {
        tasks_queued: u64, Count, same;
        variants: u64, Count, same;
        draws: u64, Count, same;
        variant_draws: u64, Count, same;
        variant_draw_ratio: Option<f64>, Ratio, same;
        guard_misses: u64, Count, same;
        executed: u64, Count, same;
        generic_executed: u64, Count, same;
        name: String, Text, "Of a pipeline state the last name set, the name of its shader, or its handle; of an audit its name.";
        pipeline_state: u64, Id, "Handle of the pipeline state.";
        specialised_slots: Option<u32>, Count, "Constants that the last installed variant specialises; null without a variant.";
        length_before: Option<u32>, Count, "Instructions in the code of the specialised shader, generic or a variant; null if no task was processed.";
        length_after: Option<u32>, Count, "Instructions in the code of the last installed variant; null without a variant.";
        instructions_before: u64, Count, "Instructions that the generic shader executes for the draws with a variant, without tuning.";
        instructions_after: u64, Count, "Instructions executed for the draws with a variant, including guards and counters, without tuning.";
        requests_measurements: bool, Flag, "True if the pipeline state is a reason of the driver to desire further measurements: since the previous answer a task was queued or ended, or a variant was installed or dropped. If no pipeline state changed, those with draws and without a task.";
        served_saving_ratio: Option<f64>, Ratio, "Saved share of `instructions_before`; null without draws that used a variant.";
    }
}

/// Figures of every pipeline state with draws or tasks, by handle.
pub(super) fn pipelines(background: &Background, requests: Option<&Requests>) -> Vec<PipelineFigures> {
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
        requests_measurements: requests.is_some_and(|requests| requests.pipelines.contains(&id)),
        variant_draw_ratio: ratio(figures.variant_draws, figures.draws),
        served_saving_ratio: saving_ratio(figures.instructions_after, figures.instructions_before),
        ..figures
    };
    known.into_iter().map(finish).collect()
}

/// Ratio; `None` if the denominator is 0.
pub(super) fn ratio(part: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| part as f64 / of as f64)
}

/// Relative saving compared to `before`; `None` if `before` is 0.
pub(super) fn saving_ratio(found: u64, before: u64) -> Option<f64> {
    (before > 0).then(|| (before as f64 - found as f64) / before as f64)
}

impl PipelineFigures {
    fn add_task(&mut self, task: &Task) {
        self.tasks_queued += u64::from(!task.refused && !task.is_preexisting);
        let Some(outcome) = task.compiled() else { return };
        self.length_before = Some(outcome.length_before);
        if task.variant != VariantId::NULL {
            (self.length_after, self.specialised_slots) = (Some(outcome.length_after), Some(outcome.folded_slots));
        }
    }

    fn add_draw(&mut self, draw: &Draw) {
        let run = &draw.run;
        self.draws += 1;
        self.guard_misses += u64::from(draw.guard_missed);
        self.executed = self.executed.saturating_add(run.executed);
        self.generic_executed = self.generic_executed.saturating_add(run.generic_executed);
        if draw.is_served() {
            self.variant_draws += 1;
            // Instructions saved by tuning are not attributed to the variant.
            self.instructions_before = self.instructions_before.saturating_add(generic_by_code(draw));
            self.instructions_after = self.instructions_after.saturating_add(executed_untuned(draw));
        }
    }
}
