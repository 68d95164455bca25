//! The tasks that a driver queues.

use super::drawing_machine::DrawingMachine;
use super::modes::rounds;
use crate::conformance::bench::Bench;
use crate::conformance::tally::{NotApplicable, Tally};
use crate::settings::Settings;
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{
    BackgroundProcessingMode as Mode, MeasurementsAction as Action, PipelineStateId, TaskId, VariantId, d3d12,
    d3d12_callbacks, d3d12_ddi,
};

/// Frames that are measured before tasks are disabled: less than a driver by 4.4 of the project's rules decides by.
const MOST_FRAMES: u32 = 49;

/// B-41: no decision rests on work that the graphics processor has not done.
pub(in crate::conformance) fn decides_by_finished_work(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut drawing = DrawingMachine::new(bench)?;
    let mut tally = Tally::default();
    drawing.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    let mut judge = |drawing: &DrawingMachine<'_>, done: u64| {
        for call in drawing.calls::<d3d12_callbacks::QueueProcessingWork>() {
            let by = call.decided_by_submission;
            let what = || format!("a task rests on submission {by}; {done} submissions are done");
            tally.judge_other((by > done).then(what));
        }
    };
    // Nothing is done yet: whatever is queued is decided too early.
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

/// B-52: a context stands for one work item at a time.
pub(in crate::conformance) fn queues_once(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut drawing = DrawingMachine::new(bench)?;
    let mut tally = Tally::default();
    drawing.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    drawing.draw(0, 4);
    drawing.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    let mut seen = BTreeSet::new();
    for call in drawing.calls::<d3d12_callbacks::QueueProcessingWork>() {
        let what = || format!("context {} is queued again while it is in the queue", call.context);
        tally.judge_other((!seen.insert(call.context)).then(what));
    }
    if tally.cases == 0 {
        return Err(NotApplicable("the driver queues no task".to_owned()));
    }
    Ok(tally)
}

/// B-53: a driver whose tasks are cancelled goes on without them. (With the DDI's first version of the rule, disabling
/// cancels what is queued; so cancels can be had.)
pub(in crate::conformance) fn survives_cancel(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
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
    tally.judge_other(rounds(&mut drawing).err().map(|what| format!("once tasks were cancelled, {what}")));
    Ok(tally)
}

/// B-63: what is cancelled while background work is disabled is not done in some other way.
pub(in crate::conformance) fn does_nothing_when_cancelled(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut drawing = DrawingMachine::new(bench)?;
    let mut tally = Tally::default();
    drawing.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    // As much as can be measured without a task; what is missing is then measured while tasks are disabled.
    for _ in 0..MOST_FRAMES {
        drawing.draw(0, 4);
    }
    drawing.set(Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL);
    let made = drawing.drain();
    for frame in 0..24 {
        drawing.submit(0, 64);
        let selected = drawing.answers::<d3d12_ddi::ExecuteCommandLists>().into_iter().flatten();
        let unmade = |variant| variant != VariantId::NULL && !made.contains(&variant);
        let served = selected.filter(|selection| unmade(selection.variant)).count();
        let what = || format!("in frame {frame} {served} draws are served by variants that no task made");
        tally.judge_other((served > 0).then(what));
        drawing.complete();
    }
    Ok(tally)
}

/// B-70: what is compiled for a pipeline state that is gone is abandoned.
pub(in crate::conformance) fn abandons_the_dead(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
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
        // Refused only if it is gone already.
        let _ = drawing.call(&d3d12::ReleasePipelineState { pipeline_state });
    }
    while let Some(task) = drawing.start() {
        drawing.finish(task);
        for verdict in drawing.answers::<d3d12_ddi::ProcessBackgroundWork>() {
            let pipeline = tasks.get(&task).copied().unwrap_or_default();
            let what = || {
                format!("variant {} is installed in pipeline state {}, which is gone", verdict.variant.0, pipeline.0)
            };
            tally.judge_other((verdict.variant != VariantId::NULL).then(what));
        }
    }
    if tally.cases == 0 {
        return Err(NotApplicable("the driver queues no task".to_owned()));
    }
    Ok(tally)
}
