//! What became of each specialisation that the driver found: one row each.

use super::pipelines::saving_ratio;
use super::times::{Times, VariantTime, executed_by_code, generic_by_code, served_by};
use crate::analysis::Analysis;
use crate::background::{
    Background, BackgroundEvent, Draw, Estimated, ModeCall, ModeCallEnded, PipelineDestroyed, Task, Variant,
};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use taut_schemas::{HResultCode, MeasurementsAction, PipelineStateId, TaskId, VariantChange, VariantId};

/// A slot of constants and the value that it must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct GuardValue {
    /// The slot.
    pub slot: u32,
    /// Its value, as the bits say.
    pub word: u32,
}

/// A specialisation that the driver found, or a variant that no task made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VariantFigures {
    /// Name of the pipeline state.
    pub name: String,
    /// Its handle.
    pub pipeline_state: u64,
    /// The task; none if no task made the variant.
    pub task: Option<u64>,
    /// The variant; none if nothing came into use.
    pub variant: Option<u64>,
    /// What its guard looks at; none if the trace does not say.
    pub guard: Option<Vec<GuardValue>>,
    /// Slots that were asked for.
    pub asked_slots: Option<u32>,
    /// When it was found.
    pub found_at_stamp: Option<u64>,
    /// It came into the queue.
    pub queued: bool,
    /// Its work was done.
    pub compiled: bool,
    /// When it came into use.
    pub installed_at_stamp: Option<u64>,
    /// When it went out of use.
    pub dropped_at_stamp: Option<u64>,
    /// What became of it.
    pub fate: &'static str,
    /// Instructions in the text of the generic shader.
    pub length_before: Option<u32>,
    /// Instructions in the text of the variant.
    pub length_after: Option<u32>,
    /// Draws that it served.
    pub draws_served: u64,
    /// Instructions that the generic shader executes for them.
    pub instructions_before: u64,
    /// Instructions executed for them.
    pub instructions_after: u64,
    /// What was saved of those.
    pub served_saving_ratio: Option<f64>,
    /// What it takes on the recording's machine; none if nobody took the time.
    pub time: Option<VariantTime>,
    /// How long its task ran.
    pub compile_ns: Option<u64>,
    /// Draws after which it has saved what it took to make.
    pub break_even_draws: Option<u64>,
}

/// What was made in vain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Default)]
pub struct WasteFigures {
    /// Tasks whose pipeline state was gone before they began.
    pub begun_dead: u64,
    /// Instructions of text that they made.
    pub begun_dead_instructions: u64,
    /// How long they ran.
    pub begun_dead_ns: u64,
    /// Results that were not taken, those among them.
    pub abandoned_results: u64,
    /// Instructions of text in them.
    pub abandoned_instructions: u64,
    /// How long making them took.
    pub abandoned_ns: u64,
}

/// What happened to pipeline states and measurements, and when.
#[derive(Default)]
struct Ends {
    /// By handle, every time one of that handle was destroyed.
    destroyed: HashMap<PipelineStateId, Vec<u64>>,
    /// When measurements were discarded.
    discarded: Vec<u64>,
    /// When the driver took or left what a task made.
    judged: HashMap<TaskId, u64>,
}

impl Ends {
    fn of(background: &Background) -> Ends {
        let (mut ends, mut call): (Ends, Option<&ModeCall>) = Default::default();
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

    fn was_destroyed(&self, id: PipelineStateId, (from, to): (u64, u64)) -> bool {
        self.destroyed.get(&id).is_some_and(|stamps| stamps.iter().any(|stamp| (from..to).contains(stamp)))
    }

    /// Why a result was left, by the rules that drivers go by in this order.
    fn why_left(&self, task: &Task) -> &'static str {
        let Some(judged) = self.judged.get(&task.id).copied() else { return "not_judged" };
        let span = (task.queued_stamp.unwrap_or_default(), judged);
        match task.made() {
            _ if self.was_destroyed(task.pipeline_state, span) => "pipeline_dead",
            _ if self.discarded.iter().any(|stamp| (span.0..span.1).contains(stamp)) => "discarded",
            None => "nothing_to_do",
            Some(outcome) if outcome.folded_slots == 0 => "nothing_folded",
            _ => "same_guard",
        }
    }

    fn fate(&self, task: &Task, variant: Option<&Variant>) -> &'static str {
        match task {
            Task { failed: true, .. } => "failed",
            Task { refused: true, .. } | Task { cancelled: Some(_), .. } => "cancelled",
            Task { stopped_stamp: None, .. } => "not_finished",
            Task { variant: VariantId::NULL, .. } => self.why_left(task),
            _ => fate_of(variant),
        }
    }
}

fn fate_of(variant: Option<&Variant>) -> &'static str {
    match variant.and_then(|variant| variant.dropped) {
        None => "in_use",
        Some((_, VariantChange::MISSES)) => "misses",
        Some((_, VariantChange::LOSES)) => "loses",
        Some((_, VariantChange::REPLACED)) => "replaced",
        Some(_) => "dropped",
    }
}

/// What the draws of a variant came to.
#[derive(Default, Clone, Copy)]
struct Served {
    draws: u64,
    before: u64,
    after: u64,
    /// Without guards and counters.
    code: u64,
}

fn served(draws: &[Draw]) -> BTreeMap<VariantId, Served> {
    let mut served: BTreeMap<VariantId, Served> = BTreeMap::new();
    for draw in draws.iter().filter(|draw| draw.is_served()) {
        let of = served.entry(draw.run.variant).or_default();
        of.draws += 1;
        // What is tuned beside the code is no variant's doing.
        of.before = of.before.saturating_add(generic_by_code(draw));
        of.after = of.after.saturating_add(served_by(draw));
        of.code = of.code.saturating_add(executed_by_code(draw));
    }
    served
}

/// Nanoseconds that this recording's machine took for an instruction: of half of the submissions at most so many. A draw
/// that a variant serves runs the generic shader as well.
pub(super) fn ns_per_instruction(analysis: &Analysis, background: &Background) -> Option<f64> {
    // One thread does what all command queues of an adapter submit.
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

/// Every specialisation that was found, in the order of their tasks; then variants that no task made, and what was never made
/// because the texts promise too little.
pub fn variants(analysis: &Analysis, background: &Background) -> Vec<VariantFigures> {
    with_times(analysis, background, &Times::of(background))
}

/// The same, by times that are put together already.
pub(super) fn with_times(analysis: &Analysis, background: &Background, times: &Times) -> Vec<VariantFigures> {
    let (ends, served) = (Ends::of(background), served(&background.draws));
    let known: HashMap<VariantId, &Variant> = background.variants.iter().map(|variant| (variant.id, variant)).collect();
    let rate = ns_per_instruction(analysis, background);
    let mut tasks: Vec<&Task> = background.tasks.iter().filter(|task| !background.tunes(task)).collect();
    tasks.sort_by_key(|task| task.id);
    let of_task = |task: &Task| {
        let variant = known.get(&task.variant).copied().filter(|_| task.variant != VariantId::NULL);
        let run = served.get(&task.variant).copied().filter(|_| variant.is_some()).unwrap_or_default();
        let compile_ns = task.run_ticks().and_then(|ticks| analysis.time_ns(ticks));
        VariantFigures {
            task: Some(task.id.0),
            asked_slots: Some(task.asked_slots),
            found_at_stamp: task.queued_stamp,
            queued: !task.refused,
            compiled: task.made().is_some(),
            fate: ends.fate(task, variant),
            length_before: task.made().map(|outcome| outcome.length_before),
            length_after: task.made().map(|outcome| outcome.length_after),
            compile_ns,
            break_even_draws: break_even(run, compile_ns, rate),
            ..of_variant(background, times, task.pipeline_state, (variant, run))
        }
    };
    let orphans = background.variants.iter().filter(|variant| variant.task.is_none());
    let of_orphan = |variant: &Variant| {
        let run = served.get(&variant.id).copied().unwrap_or_default();
        of_variant(background, times, variant.pipeline_state, (Some(variant), run))
    };
    let of_estimate = |one: &Estimated| VariantFigures {
        guard: Some(guard_values(&one.values)),
        asked_slots: u32::try_from(one.values.len()).ok(),
        found_at_stamp: Some(one.stamp),
        fate: "estimated",
        ..of_variant(background, times, one.pipeline_state, (None, Served::default()))
    };
    let estimated = background.estimated.iter().map(of_estimate);
    // Of before the recording began, and never heard of but in draws.
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
    (variant, run): (Option<&Variant>, Served),
) -> VariantFigures {
    let served_saving_ratio = saving_ratio(run.after, run.before);
    VariantFigures {
        name: background.pipeline_name(pipeline_state),
        pipeline_state: pipeline_state.0,
        task: None,
        variant: variant.map(|variant| variant.id.0),
        guard: variant.and_then(|variant| variant.guard.as_deref()).map(guard_values),
        asked_slots: None,
        found_at_stamp: None,
        queued: false,
        compiled: false,
        installed_at_stamp: variant.and_then(|variant| variant.installed_stamp),
        dropped_at_stamp: variant.and_then(|variant| Some(variant.dropped?.0)),
        fate: fate_of(variant),
        length_before: None,
        length_after: None,
        draws_served: run.draws,
        instructions_before: run.before,
        instructions_after: run.after,
        served_saving_ratio,
        time: variant
            .and_then(|variant| times.of_variant(pipeline_state, variant.id, saving_ratio(run.code, run.before))),
        compile_ns: None,
        break_even_draws: None,
    }
}

/// How many draws like those served it takes to save the time that the task ran.
fn break_even(run: Served, compile_ns: Option<u64>, rate: Option<f64>) -> Option<u64> {
    let saved_ns =
        run.before.checked_sub(run.after).filter(|saved| *saved > 0)? as f64 * rate.filter(|rate| *rate > 0.0)?;
    Some((compile_ns? as f64 * run.draws as f64 / saved_ns).ceil() as u64)
}

/// What was made in vain.
pub(super) fn waste(background: &Background, variants: &[VariantFigures]) -> WasteFigures {
    let ends = Ends::of(background);
    let mut waste = WasteFigures::default();
    for one in variants.iter().filter(|one| one.compiled && one.variant.is_none()) {
        let (text, ns): (u32, u64) = (one.length_after.unwrap_or_default(), one.compile_ns.unwrap_or_default());
        waste.abandoned_results += 1;
        waste.abandoned_instructions += u64::from(text);
        waste.abandoned_ns += ns;
        let task = one.task.and_then(|task| background.task(TaskId(task)));
        // Of what waited when the recording began, it is known what was destroyed since.
        let queued = |task: &Task| task.queued_stamp.unwrap_or(background.span.0);
        let queued_and_begun = task.and_then(|task| Some((queued(task), task.started?.stamp)));
        if queued_and_begun.is_some_and(|span| ends.was_destroyed(PipelineStateId(one.pipeline_state), span)) {
            waste.begun_dead += 1;
            waste.begun_dead_instructions += u64::from(text);
            waste.begun_dead_ns += ns;
        }
    }
    waste
}
