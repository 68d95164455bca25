//! Outcome of each specialisation that the driver found, one row each.

use super::pipelines::saving_ratio;
use super::times::{Times, VariantTime, executed_by_code, executed_untuned, generic_by_code};
use crate::analysis::Analysis;
use crate::background::{
    Background, BackgroundEvent, Draw, Estimated, ModeCall, ModeCallEnded, PipelineDestroyed, Task, Variant,
};
use crate::reports::figures::figures;
use std::collections::{BTreeMap, HashMap};
use taut_schemas::{HResultCode, MeasurementsAction, PipelineStateId, TaskId, VariantChange, VariantId};

figures! {
    /// A slot of constants and its required value.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct GuardValue {
        slot: u32, Id, "Number of a slot of constants.";
        word: u32, Id, "Required bits of the slot.";
    }
}

figures! {
    /// A specialisation that the driver found, or a variant without a task.
    #[derive(Debug, Clone, PartialEq)]
    pub struct VariantFigures {
        variant_draws: u64, Count, same;
        time: Option<VariantTime>, Group, same;
        name: String, Text, same;
        pipeline_state: u64, Id, same;
        length_before: Option<u32>, Count, same;
        length_after: Option<u32>, Count, same;
        instructions_before: u64, Count, same;
        instructions_after: u64, Count, same;
        served_saving_ratio: Option<f64>, Ratio, same;
        task: Option<u64>, Id, "Number of the task; null for a variant without a task in the trace, such as one that was in use when a recording that starts in mid-stream began.";
        variant: Option<u64>, Id, "Number of the variant; null if none was installed.";
        guard: Option<Vec<GuardValue>>, List, "Slots of constants that the guard of the variant compares, each with its required `word`; null if the trace does not record them.";
        candidate_slots: Option<u32>, Count, "Slots that the driver treats as constant.";
        found_at_stamp: Option<u64>, Stamp, "Stamp of the end of QueueProcessingWork.";
        queued: bool, Flag, "True if the task was queued.";
        compiled: bool, Flag, "True if the task built code.";
        installed_at_stamp: Option<u64>, Stamp, "Stamp of the installation; null if no variant was installed.";
        dropped_at_stamp: Option<u64>, Stamp, "Stamp at which the variant was dropped; null if it was not dropped.";
        outcome: &'static str, Text, "Outcome. `in_use`; dropped because the guard `misses` too often, the variant `loses` (executes no fewer instructions than the generic shader) or another variant `replaced` it; not installed because the pipeline state was destroyed (`pipeline_dead`), measurements were `discarded`, there was `nothing_to_do`, `nothing_folded`, or a variant with the `same_guard`; `cancelled`, `failed`, `not_finished`, or `not_judged` at the end of the trace; `estimated` to gain too little and not compiled. A driver at its maximum of variants searches no further.";
        compile_ns: Option<u64>, Nanoseconds, "Run time of the task; null if the clock has no time.";
        break_even_draws: Option<u64>, Count, "Number of draws after which the saved time equals the run time of the task, with `ns_per_instruction`; null without draws or without a saving.";
    }
}

figures! {
    /// Work whose results were discarded.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub struct WasteFigures {
        started_after_destruction: u64, Count, "Discarded results of tasks that started after the destruction of their pipeline state.";
        started_after_destruction_instructions: u64, Count, "Instructions in the code of `started_after_destruction`.";
        started_after_destruction_ns: u64, Nanoseconds, "Total run time of the tasks in `started_after_destruction`. 0 if the clock has no time.";
        discarded_results: u64, Count, "Results that the driver did not install, including those of tasks that started after the destruction.";
        discarded_instructions: u64, Count, "Instructions in the code of discarded results.";
        discarded_ns: u64, Nanoseconds, "Total run time of the tasks with discarded results. 0 if the clock has no time.";
    }
}

/// Timestamps of events that invalidate results.
#[derive(Default)]
struct InvalidationTimes {
    /// Destruction timestamps by handle; handles are reused.
    destroyed: HashMap<PipelineStateId, Vec<u64>>,
    /// Timestamps at which measurements were discarded.
    discarded: Vec<u64>,
    /// Timestamps at which the driver accepted or rejected a task's result.
    judged: HashMap<TaskId, u64>,
}

impl InvalidationTimes {
    fn of(background: &Background) -> InvalidationTimes {
        let (mut ends, mut call): (InvalidationTimes, Option<&ModeCall>) = Default::default();
        for (at, happening) in &background.events {
            match happening {
                BackgroundEvent::ModeCallBegan(began) => call = Some(began),
                BackgroundEvent::ModeCallEnded(ModeCallEnded { hr: HResultCode::S_OK, .. })
                    if call.is_some_and(|call| call.action == MeasurementsAction::DISCARD_PREVIOUS) =>
                {
                    ends.discarded.push(at.stamp);
                }
                BackgroundEvent::PipelineDestroyed(PipelineDestroyed { pipeline_state }) => {
                    ends.destroyed.entry(*pipeline_state).or_default().push(at.stamp);
                }
                BackgroundEvent::TaskVerdict { task, .. } => drop(ends.judged.insert(*task, at.stamp)),
                _ => {}
            }
        }
        ends
    }

    fn was_destroyed(&self, id: PipelineStateId, from: u64, to: u64) -> bool {
        self.destroyed.get(&id).is_some_and(|stamps| stamps.iter().any(|stamp| (from..to).contains(stamp)))
    }

    /// Reason why a result was not installed. The conditions are tested in the order in which drivers test them.
    fn discard_reason(&self, task: &Task) -> &'static str {
        let Some(judged) = self.judged.get(&task.id).copied() else { return "not_judged" };
        let span = (task.queued_stamp.unwrap_or_default(), judged);
        match task.compiled() {
            _ if self.was_destroyed(task.pipeline_state, span.0, span.1) => "pipeline_dead",
            _ if self.discarded.iter().any(|stamp| (span.0..span.1).contains(stamp)) => "discarded",
            None => "nothing_to_do",
            Some(outcome) if outcome.folded_slots == 0 => "nothing_folded",
            _ => "same_guard",
        }
    }

    fn outcome(&self, task: &Task, variant: Option<&Variant>) -> &'static str {
        match task {
            Task { failed: true, .. } => "failed",
            Task { refused: true, .. } | Task { cancelled: Some(_), .. } => "cancelled",
            Task { stopped_stamp: None, .. } => "not_finished",
            Task { variant: VariantId::NULL, .. } => self.discard_reason(task),
            _ => outcome_of(variant),
        }
    }
}

fn outcome_of(variant: Option<&Variant>) -> &'static str {
    match variant.and_then(|variant| variant.dropped) {
        None => "in_use",
        Some((_, VariantChange::GUARD_MISSES)) => "misses",
        Some((_, VariantChange::SLOWER)) => "loses",
        Some((_, VariantChange::REPLACED)) => "replaced",
        Some(_) => "dropped",
    }
}

/// Sums over the draws of a variant.
#[derive(Default, Clone, Copy)]
struct VariantUsage {
    draws: u64,
    before: u64,
    after: u64,
    /// Instructions without guards and counters.
    code: u64,
}

fn variant_usage(draws: &[Draw]) -> BTreeMap<VariantId, VariantUsage> {
    let mut variant_usage: BTreeMap<VariantId, VariantUsage> = BTreeMap::new();
    for draw in draws.iter().filter(|draw| draw.is_served()) {
        let of = variant_usage.entry(draw.run.variant).or_default();
        of.draws += 1;
        // Instructions saved by tuning are not attributed to the variant.
        of.before = of.before.saturating_add(generic_by_code(draw));
        of.after = of.after.saturating_add(executed_untuned(draw));
        of.code = of.code.saturating_add(executed_by_code(draw));
    }
    variant_usage
}

/// Median over the submissions of the time per executed instruction. For a draw with a variant, the recording's machine
/// executes the generic shader as well.
pub(super) fn ns_per_instruction(analysis: &Analysis, background: &Background) -> Option<f64> {
    // One thread executes the submissions of all command queues of an adapter: a submission begins no earlier than the
    // previous one ended.
    let mut last: HashMap<u32, u64> = HashMap::new();
    let mut rates: Vec<f64> = Vec::new();
    for draws in background.draws.chunk_by(|one, other| one.submission == other.submission) {
        let (Some(first), Some(submitted)) = (draws.first(), draws.first().and_then(|draw| draw.submitted_stamp))
        else {
            continue;
        };
        let done = first.measured_stamp;
        let began = last.insert(first.measured_thread, done).map_or(submitted, |last| last.max(submitted));
        let both = |draw: &Draw| draw.run.generic_executed + if draw.is_served() { draw.run.executed } else { 0 };
        let instructions: u64 = draws.iter().map(both).fold(0, u64::saturating_add);
        if let (Some(ns), 1..) = (analysis.time_ns(done.saturating_sub(began)), instructions) {
            rates.push(ns as f64 / instructions as f64);
        }
    }
    rates.sort_by(f64::total_cmp);
    rates.get(rates.len() / 2).copied()
}

/// Returns every specialisation in the order of the tasks, then variants without a task, then specialisations that were
/// not compiled because of their estimate.
pub fn variants(analysis: &Analysis, background: &Background) -> Vec<VariantFigures> {
    with_times(analysis, background, &Times::of(background))
}

/// Computes the same rows from timings that are already collected.
pub(super) fn with_times(analysis: &Analysis, background: &Background, times: &Times) -> Vec<VariantFigures> {
    let (ends, variant_usage) = (InvalidationTimes::of(background), variant_usage(&background.draws));
    let known: HashMap<VariantId, &Variant> = background.variants.iter().map(|variant| (variant.id, variant)).collect();
    let rate = ns_per_instruction(analysis, background);
    // Tuning tasks do not build variants.
    let mut tasks: Vec<&Task> = background.tasks.iter().filter(|task| !background.tunes(task)).collect();
    tasks.sort_by_key(|task| task.id);
    let of_task = |task: &Task| {
        let variant = known.get(&task.variant).copied().filter(|_| task.variant != VariantId::NULL);
        let run = variant_usage.get(&task.variant).copied().filter(|_| variant.is_some()).unwrap_or_default();
        let compile_ns = task.run_ticks().and_then(|ticks| analysis.time_ns(ticks));
        VariantFigures {
            task: Some(task.id.0),
            candidate_slots: Some(task.fixed_slots),
            found_at_stamp: task.queued_stamp,
            queued: !task.refused,
            compiled: task.compiled().is_some(),
            outcome: ends.outcome(task, variant),
            length_before: task.compiled().map(|outcome| outcome.length_before),
            length_after: task.compiled().map(|outcome| outcome.length_after),
            compile_ns,
            break_even_draws: break_even(run, compile_ns, rate),
            ..of_variant(background, times, task.pipeline_state, variant, run)
        }
    };
    let orphans = background.variants.iter().filter(|variant| variant.task.is_none());
    let of_orphan = |variant: &Variant| {
        let run = variant_usage.get(&variant.id).copied().unwrap_or_default();
        of_variant(background, times, variant.pipeline_state, Some(variant), run)
    };
    let of_estimate = |one: &Estimated| VariantFigures {
        guard: Some(guard_values(&one.values)),
        candidate_slots: u32::try_from(one.values.len()).ok(),
        found_at_stamp: Some(one.stamp),
        outcome: "estimated",
        ..of_variant(background, times, one.pipeline_state, None, VariantUsage::default())
    };
    let estimated = background.estimated.iter().map(of_estimate);
    // Variants installed before the recording started that occur only in draws.
    let unheard: BTreeMap<VariantId, PipelineStateId> = background
        .draws
        .iter()
        .filter(|draw| draw.is_served() && !known.contains_key(&draw.run.variant))
        .map(|draw| (draw.run.variant, draw.run.pipeline_state))
        .collect();
    let unheard: Vec<Variant> =
        unheard.into_iter().map(|(id, pipeline_state)| Variant { id, pipeline_state, ..Variant::default() }).collect();
    let without_task = orphans.chain(&unheard).map(of_orphan);
    tasks.into_iter().map(of_task).chain(without_task).chain(estimated).collect()
}

fn guard_values(values: &[(u32, u32)]) -> Vec<GuardValue> {
    values.iter().map(|(slot, word)| GuardValue { slot: *slot, word: *word }).collect()
}

fn of_variant(
    background: &Background,
    times: &Times,
    pipeline_state: PipelineStateId,
    variant: Option<&Variant>,
    run: VariantUsage,
) -> VariantFigures {
    let served_saving_ratio = saving_ratio(run.after, run.before);
    VariantFigures {
        name: background.pipeline_name(pipeline_state),
        pipeline_state: pipeline_state.0,
        task: None,
        variant: variant.map(|variant| variant.id.0),
        guard: variant.and_then(|variant| variant.guard.as_deref()).map(guard_values),
        candidate_slots: None,
        found_at_stamp: None,
        queued: false,
        compiled: false,
        installed_at_stamp: variant.and_then(|variant| variant.installed_stamp),
        dropped_at_stamp: variant.and_then(|variant| Some(variant.dropped?.0)),
        outcome: outcome_of(variant),
        length_before: None,
        length_after: None,
        variant_draws: run.draws,
        instructions_before: run.before,
        instructions_after: run.after,
        served_saving_ratio,
        time: variant
            .and_then(|variant| times.of_variant(pipeline_state, variant.id, saving_ratio(run.code, run.before))),
        compile_ns: None,
        break_even_draws: None,
    }
}

/// Number of draws, similar to those executed, after which the time saved equals the task's run time.
fn break_even(run: VariantUsage, compile_ns: Option<u64>, rate: Option<f64>) -> Option<u64> {
    let saved_ns =
        run.before.checked_sub(run.after).filter(|saved| *saved > 0)? as f64 * rate.filter(|rate| *rate > 0.0)?;
    Some((compile_ns? as f64 * run.draws as f64 / saved_ns).ceil() as u64)
}

/// Computes the discarded work.
pub(super) fn waste(background: &Background, variants: &[VariantFigures]) -> WasteFigures {
    let ends = InvalidationTimes::of(background);
    let mut waste = WasteFigures::default();
    for one in variants.iter().filter(|one| one.compiled && one.variant.is_none()) {
        let (text, ns): (u32, u64) = (one.length_after.unwrap_or_default(), one.compile_ns.unwrap_or_default());
        waste.discarded_results += 1;
        waste.discarded_instructions += u64::from(text);
        waste.discarded_ns += ns;
        let task = one.task.and_then(|task| background.task(TaskId(task)));
        // A task that was queued before the recording started is checked from the start of the recording on.
        let queued = |task: &Task| task.queued_stamp.unwrap_or(background.span.0);
        let queued_and_begun = task.and_then(|task| Some((queued(task), task.started?.stamp)));
        if queued_and_begun
            .is_some_and(|(queued, begun)| ends.was_destroyed(PipelineStateId(one.pipeline_state), queued, begun))
        {
            waste.started_after_destruction += 1;
            waste.started_after_destruction_instructions += u64::from(text);
            waste.started_after_destruction_ns += ns;
        }
    }
    waste
}
