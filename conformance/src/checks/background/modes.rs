//! Checks of modes and actions, and of the driver's answers.

use super::drawing_machine::DrawingMachine;
use crate::checks::bench::Bench;
use crate::checks::tally::{NotApplicable, Tally};
use std::collections::BTreeSet;
use taut_schemas::{BackgroundProcessingMode as Mode, MeasurementsAction as Action, d3d12_callbacks, d3d12_ddi};

/// Maximum number of rounds after which a driver must have converged on a repeated frame: as many as a tool plays.
const MAX_ROUNDS: u32 = 10;

/// Number of frames of a long run: enough for any reasonable threshold of a driver.
const LONG_RUN: u32 = 120;

/// B-07: a driver of DDI 0063 writes FurtherMeasurementsDesired in every mode.
pub(in crate::checks) fn writes_further(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut drawing = DrawingMachine::new(bench)?;
    let mut tally = Tally::default();
    for (mode, action) in (0..4).flat_map(|mode| (0..4).map(move |action| (Mode(mode), Action(action)))) {
        drawing.set(mode, action);
        if drawing.calls::<d3d12_ddi::SetBackgroundProcessingMode0062>().is_empty() {
            let written = drawing.answers::<d3d12_ddi::SetBackgroundProcessingMode0063>().iter().all(Option::is_some);
            tally.count_result((!written).then(|| format!("{mode:?} with {action:?} left it unwritten")));
        }
        drawing.drain();
    }
    if tally.cases == 0 {
        return Err(NotApplicable("the driver's DDI 0062 has no answer".to_owned()));
    }
    Ok(tally)
}

/// B-25: once profiling is disabled and the queue is empty, the same frame has a constant cost.
pub(in crate::checks) fn cost_is_constant(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut drawing = DrawingMachine::new(bench)?;
    let mut tally = Tally::default();
    drawing.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    drawing.draw(0, 2);
    drawing.set(Mode::DISABLE_PROFILING_BY_SYSTEM, Action::COMMIT_RESULTS_HIGH_PRIORITY);
    drawing.drain();
    let mut first = None;
    for frame in 0..40 {
        drawing.draw(0, 2);
        let costs: Vec<u64> = drawing.calls::<d3d12_ddi::CollectMeasurements>().iter().flat_map(executed).collect();
        let first = first.get_or_insert_with(|| costs.clone());
        let differs = first.iter().zip(&costs).position(|(first, now)| first != now);
        tally.count_result(differs.map(|at| {
            format!("draw {at} of frame {frame} executes {} instructions, in the first {}", costs[at], first[at])
        }));
    }
    Ok(tally)
}

fn executed(measured: &d3d12_ddi::CollectMeasurements) -> impl Iterator<Item = u64> {
    measured.runs.iter().map(|run| run.executed)
}

/// B-38: a commit after one frame finds the specialisations of a long run.
pub(in crate::checks) fn commit_scales_up(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut tally = Tally::default();
    let mut short = DrawingMachine::new(bench)?;
    short.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    short.draw(0, 4);
    short.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    let committed = specialisations(&short);
    let mut long = DrawingMachine::new(bench)?;
    long.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    let mut found = BTreeSet::new();
    for _ in 0..LONG_RUN {
        long.submit(0, 4);
        found.extend(specialisations(&long));
        long.complete();
        found.extend(specialisations(&long));
        long.drain();
        found.extend(of_calls(&long.queued_by_tasks));
    }
    for missing in committed.union(&found) {
        let (here, found_elsewhere) = (committed.contains(missing), found.contains(missing));
        let what = format!(
            "pipeline state {}: specialised by {}",
            missing.0,
            if here { "the commit alone" } else { "the long run alone" }
        );
        tally.count_result((here != found_elsewhere).then_some(what));
    }
    Ok(tally)
}

fn specialisations(drawing: &DrawingMachine<'_>) -> BTreeSet<(u64, Vec<u32>, Vec<u32>)> {
    of_calls(&drawing.calls())
}

fn of_calls(queued: &[d3d12_callbacks::QueueProcessingWork]) -> BTreeSet<(u64, Vec<u32>, Vec<u32>)> {
    queued.iter().map(|call| (call.pipeline_state.0, call.slots.clone(), call.words.clone())).collect()
}

/// B-40: if the same frame repeats, a driver eventually desires no further measurements. A run that is many times as long
/// then finds no further specialisation.
pub(in crate::checks) fn converges(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut drawing = DrawingMachine::new(bench)?;
    let mut tally = Tally::default();
    drawing.set(Mode::ALLOWED, Action::KEEP_ALL);
    if !drawing.calls::<d3d12_ddi::SetBackgroundProcessingMode0062>().is_empty() {
        return Err(NotApplicable("the driver's DDI 0062 has no answer".to_owned()));
    }
    let unwritten = drawing.answers::<d3d12_ddi::SetBackgroundProcessingMode0063>().iter().any(Option::is_none);
    tally.count_result(rounds(&mut drawing).err());
    // An unwritten answer is no answer; rule B-07 covers it.
    for frames in [1, 8, 32].into_iter().filter(|_| !unwritten) {
        tally.count_result(polled(&mut DrawingMachine::new(bench)?, frames).err());
    }
    Ok(tally)
}

/// Plays `frames` frames between two queries, without a commit; and a long run once nothing more is desired.
fn polled(drawing: &mut DrawingMachine<'_>, frames: u32) -> Result<(), String> {
    drawing.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    let mut played = 0;
    loop {
        play(drawing, frames);
        played += frames;
        if !drawing.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL) {
            break;
        }
        if played > 4 * LONG_RUN {
            return Err(format!("after {played} frames that are all the same, further measurements are still desired"));
        }
    }
    let found = play(drawing, LONG_RUN);
    let what = || {
        format!(
            "asked every {frames} frames, after {played} nothing more is desired, but {LONG_RUN} more find {found} tasks"
        )
    };
    if found > 0 { Err(what()) } else { Ok(()) }
}

/// Plays the same frame repeatedly with the tasks it causes. Returns the number of queued tasks.
fn play(drawing: &mut DrawingMachine<'_>, frames: u32) -> usize {
    let mut found = 0;
    for _ in 0..frames {
        drawing.submit(0, 4);
        found += drawing.calls::<d3d12_callbacks::QueueProcessingWork>().len();
        drawing.complete();
        found += drawing.calls::<d3d12_callbacks::QueueProcessingWork>().len();
        drawing.drain();
        found += drawing.queued_by_tasks.len();
    }
    found
}

/// Plays the single-frame loop. Returns the number of rounds.
pub(super) fn rounds(drawing: &mut DrawingMachine<'_>) -> Result<u32, String> {
    for round in 1..=MAX_ROUNDS {
        let action = if round == 1 { Action::DISCARD_PREVIOUS } else { Action::KEEP_ALL };
        drawing.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, action);
        drawing.draw(0, 4);
        let desired = drawing.set(Mode::DISABLE_PROFILING_BY_SYSTEM, Action::COMMIT_RESULTS_HIGH_PRIORITY);
        drawing.drain();
        if !desired {
            return Ok(round);
        }
    }
    Err(format!("after {MAX_ROUNDS} rounds of one frame, further measurements are still desired"))
}
