//! Checks of the tasks that a driver queues.

use super::drawing_machine::DrawingMachine;
use super::modes::rounds;
use crate::checks::bench::Bench;
use crate::checks::tally::{NotApplicable, Tally};
use std::collections::{BTreeMap, BTreeSet};
use taut_runtime::Settings;
use taut_schemas::{
    BackgroundProcessingMode as Mode, MeasurementsAction as Action, PipelineStateId, TaskId, VariantId, d3d12,
    d3d12_callbacks, d3d12_ddi,
};

/// Number of frames measured before tasks are disabled: too few for the thresholds of drivers by 4.4 of the project's
/// rules.
const MAX_FRAMES: u32 = 49;

/// B-41: no decision uses work that the GPU has not completed.
pub(in crate::checks) fn decides_by_finished_work(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut drawing = DrawingMachine::new(bench)?;
    let mut tally = Tally::default();
    drawing.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    let mut judge = |drawing: &DrawingMachine<'_>, done: u64| {
        for call in drawing.calls::<d3d12_callbacks::QueueProcessingWork>() {
            let by = call.decided_by_submission;
            let what = || format!("a task rests on submission {by}; {done} submissions are done");
            tally.count_result((by > done).then(what));
        }
    };
    // Nothing has completed yet: queued work is decided too early.
    drawing.submit(0, 4);
    judge(&drawing, 0);
    drawing.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    judge(&drawing, 0);
    drawing.complete();
    judge(&drawing, 1);
    drawing.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    judge(&drawing, 1);
    if tally.cases == 0 {
        return Err(NotApplicable("the driver queues no task".to_owned()));
    }
    Ok(tally)
}

/// B-52: a context identifies one work item at a time.
pub(in crate::checks) fn queues_once(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut drawing = DrawingMachine::new(bench)?;
    let mut tally = Tally::default();
    drawing.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    drawing.draw(0, 4);
    drawing.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    let mut seen = BTreeSet::new();
    for call in drawing.calls::<d3d12_callbacks::QueueProcessingWork>() {
        let what = || format!("context {} is queued again while it is in the queue", call.context);
        tally.count_result((!seen.insert(call.context)).then(what));
    }
    if tally.cases == 0 {
        return Err(NotApplicable("the driver queues no task".to_owned()));
    }
    Ok(tally)
}

/// B-53: a driver whose tasks are cancelled continues without them. (With the older rule of the DDI, disabling cancels
/// queued tasks, which this check uses.)
pub(in crate::checks) fn survives_cancel(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let settings = Settings { developer_mode: true, disable_cancels_queued: true, ..bench.settings().clone() };
    let mut drawing = DrawingMachine::under(bench, settings)?;
    if rounds(&mut DrawingMachine::new(bench)?).is_err() {
        return Err(NotApplicable("the driver desires measurements for ever, cancelled tasks or not".to_owned()));
    }
    let mut tally = Tally::default();
    drawing.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    drawing.draw(0, 4);
    drawing.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    drawing.set(Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL);
    if drawing.calls::<d3d12_ddi::CancelBackgroundWork>().is_empty() {
        return Err(NotApplicable("no task of the driver's that has a cancel callback is cancelled".to_owned()));
    }
    tally.count_result(rounds(&mut drawing).err().map(|what| format!("once tasks were cancelled, {what}")));
    Ok(tally)
}

/// B-63: work that is cancelled while background work is disabled is not done in another way.
pub(in crate::checks) fn does_nothing_when_cancelled(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut drawing = DrawingMachine::new(bench)?;
    let mut tally = Tally::default();
    drawing.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    // As many measurements as possible without a task; the rest is measured while tasks are disabled.
    for _ in 0..MAX_FRAMES {
        drawing.draw(0, 4);
    }
    drawing.set(Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL);
    let variants = drawing.drain();
    for frame in 0..24 {
        drawing.submit(0, 64);
        let selected = drawing.answers::<d3d12_ddi::ExecuteCommandLists>().into_iter().flatten();
        let unmade = |variant| variant != VariantId::NULL && !variants.contains(&variant);
        let served = selected.filter(|selection| unmade(selection.variant)).count();
        let what = || format!("in frame {frame} {served} draws are served by variants that no task made");
        tally.count_result((served > 0).then(what));
        drawing.complete();
    }
    Ok(tally)
}

/// B-70: the product of a task for a destroyed pipeline state is discarded.
pub(in crate::checks) fn discards_dead_results(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut drawing = DrawingMachine::new(bench)?;
    let mut tally = Tally::default();
    drawing.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    drawing.draw(0, 4);
    drawing.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    let tasks: BTreeMap<TaskId, PipelineStateId> = drawing
        .answers::<d3d12_callbacks::QueueProcessingWork>()
        .into_iter()
        .zip(drawing.calls::<d3d12_callbacks::QueueProcessingWork>())
        .filter_map(|(task, call)| Some((task.ok()?, call.pipeline_state)))
        .collect();
    for (pipeline_state, ..) in std::mem::take(&mut drawing.pipelines) {
        // Fails only if it is destroyed already.
        let _ = drawing.call(&d3d12::ReleasePipelineState { pipeline_state });
    }
    while let Some(task) = drawing.start() {
        drawing.finish(task);
        for verdict in drawing.answers::<d3d12_ddi::ProcessBackgroundWork>() {
            let pipeline = tasks.get(&task).copied().unwrap_or_default();
            let what = || {
                format!("variant {} is installed in pipeline state {}, which is gone", verdict.variant.0, pipeline.0)
            };
            tally.count_result((verdict.variant != VariantId::NULL).then(what));
        }
    }
    if tally.cases == 0 {
        return Err(NotApplicable("the driver queues no task".to_owned()));
    }
    Ok(tally)
}
