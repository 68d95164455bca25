//! Background processing over frames and over time.

use crate::analysis::Analysis;
use crate::background::{Background, Task, TaskState};
use crate::events::Events;
use crate::reports::pgo::{running, shares};
use serde::Serialize;
use std::collections::HashMap;
use taut_schemas::{BackgroundProcessingMode, CancelReason, CommandQueueId, MeasurementsAction, VariantId};

/// Maximum number of points of the cost curve; longer traces have several frames per point.
const POINTS: usize = 1500;
/// Maximum number of tasks, passes, frames and concurrency steps in the page.
const DRAWN: usize = 20_000;

/// Chart data. Times are milliseconds, or ticks, since the trace's first timestamp.
#[derive(Debug, Serialize)]
pub(super) struct BackgroundSeries {
    /// Time unit: `ms`, or `ticks` if the clock has no frequency.
    unit: &'static str,
    end: f64,
    curve: Curve,
    /// True if the recording starts in mid-stream; variants installed earlier are unknown.
    starts_in_mid_stream: bool,
    tasks: Vec<TaskBar>,
    /// Number of tasks that started, including those beyond the limit.
    of_tasks: u64,
    cancelled: Vec<(f64, String)>,
    /// Start, mode and stamp of each pass.
    passes: Vec<(f64, String, String)>,
    /// Start and end of each frame, the share in which a task ran, and the stamp of its start.
    frames: Vec<(f64, f64, f64, String)>,
    running: Vec<(f64, u64, u64)>,
}

/// Cost of draws by frame; a point may cover several frames.
#[derive(Debug, Default, Serialize)]
struct Curve {
    /// Number of the point's first frame, counted over all command queues.
    frame: Vec<u64>,
    pass: Vec<u32>,
    executed: Vec<u64>,
    generic_executed: Vec<u64>,
    draws: Vec<u64>,
    variant_draws: Vec<u64>,
    /// Variants in use, of those installed during the recording.
    variants: Vec<u64>,
    /// Stamp of the point's last draw, as text.
    stamps: Vec<String>,
    /// Index of the first point after the driver's last answer; `None` without an answer or without frames after it.
    measured_from: Option<usize>,
    /// The driver's last answer to whether it desires further measurements.
    last_answer: Option<bool>,
}

/// A task that ran.
#[derive(Debug, Serialize)]
struct TaskBar {
    task: u64,
    worker: u32,
    queued: Option<f64>,
    started: f64,
    stopped: f64,
    stamp: String,
    boosted: bool,
    /// `finished`, `discarded`, `failed` or `running`.
    state: &'static str,
    name: String,
    what: String,
}

/// Computes the chart data. `answer_stamp` is the stamp of the driver's last answer. `None` if the trace has no task and no mode call.
pub(super) fn background_series(
    analysis: &Analysis,
    background: &Background,
    answer_stamp: Option<u64>,
) -> Option<BackgroundSeries> {
    if background.tasks.is_empty() && background.passes.len() <= 1 {
        return None;
    }
    let (first, end) = background.span;
    let timed = analysis.time_ns(1).is_some();
    let at = |stamp: u64| match analysis.since_start_ns(stamp).filter(|_| timed) {
        Some(ns) => ns as f64 / 1e6,
        None => stamp.saturating_sub(first) as f64,
    };
    let events = Events::new(&analysis.trace().header().schema);
    let (modes, actions) = (events.names::<BackgroundProcessingMode>(), events.names::<MeasurementsAction>());
    let reasons = events.names::<CancelReason>();
    let pass = |pass: &crate::background::Pass| {
        let (mode, action) = (modes.of(&pass.mode), actions.of(&pass.action));
        let text = if pass.thread.is_some() { format!("{mode}, {action}") } else { mode };
        (at(pass.began_stamp), text, pass.began_stamp.to_string())
    };
    let cancelled = background.tasks.iter().filter_map(|task| {
        let cancelled = task.cancelled?;
        let name = background.pipeline_name(task.pipeline_state);
        let why = reasons.of(&cancelled.reason);
        Some((at(cancelled.stamp), format!("task {} for {name}: cancelled, {why}", task.id.0)))
    });
    let shares = shares(background);
    let frame = |(frame, share): (&crate::background::Frame, f64)| {
        (at(frame.began_stamp), at(frame.ended_stamp), share, frame.began_stamp.to_string())
    };
    let bars = background.tasks.iter().filter_map(|task| task_bar(background, task, &at));
    Some(BackgroundSeries {
        unit: if timed { "ms" } else { "ticks" },
        end: at(end),
        curve: curve(background, answer_stamp),
        starts_in_mid_stream: analysis.trace().header().identity.discarded.is_some(),
        tasks: bars.take(DRAWN).collect(),
        of_tasks: background.tasks.iter().filter(|task| task.started.is_some()).count() as u64,
        cancelled: cancelled.take(DRAWN).collect(),
        passes: background.passes.iter().take(DRAWN).map(pass).collect(),
        frames: background.frames.iter().zip(shares).take(DRAWN).map(frame).collect(),
        running: running(background)
            .into_iter()
            .take(DRAWN)
            .map(|step| (at(step.stamp), step.unboosted, step.boosted))
            .collect(),
    })
}

fn task_bar(background: &Background, task: &Task, at: &impl Fn(u64) -> f64) -> Option<TaskBar> {
    let started = task.started?;
    let what = match task.outcome {
        Some(outcome) => format!(
            "{} to {} instructions, {} constants specialised",
            outcome.length_before, outcome.length_after, outcome.folded_slots
        ),
        None => String::new(),
    };
    let state = match task.state() {
        TaskState::Finished if task.variant == VariantId::NULL => "discarded",
        state => state.name(),
    };
    Some(TaskBar {
        task: task.id.0,
        worker: started.worker,
        queued: task.queued_stamp.map(at),
        started: at(started.stamp),
        stamp: started.stamp.to_string(),
        stopped: at(task.stopped_stamp.unwrap_or(background.span.1)),
        boosted: task.boosted,
        state,
        name: background.pipeline_name(task.pipeline_state),
        what,
    })
}

fn curve(background: &Background, answer_stamp: Option<u64>) -> Curve {
    let sorted = |stamps: &mut dyn Iterator<Item = u64>| {
        let mut stamps: Vec<u64> = stamps.collect();
        stamps.sort_unstable();
        stamps
    };
    let variants = || background.variants.iter();
    let installed = sorted(&mut variants().filter_map(|variant| variant.installed_stamp));
    // Variants installed before the recording started have no installation timestamp; their number is unknown.
    let known = variants().filter(|variant| variant.installed_stamp.is_some());
    let dropped = sorted(&mut known.filter_map(|variant| Some(variant.dropped?.0)));
    let mut frames: Vec<FrameSpan> = Vec::new();
    // Frames of several command queues are separate entries.
    let mut places: HashMap<(CommandQueueId, u64), usize> = HashMap::new();
    // The frame of a draw is unknown (0) if it was submitted before the recording started or while events were lost.
    for draw in background.draws.iter().filter(|draw| draw.frame > 0) {
        let place = *places.entry((draw.command_queue, draw.frame)).or_insert_with(|| {
            frames.push(FrameSpan { pass: draw.pass, ..FrameSpan::default() });
            frames.len() - 1
        });
        let frame = &mut frames[place];
        frame.executed = frame.executed.saturating_add(draw.run.executed);
        frame.generic_executed = frame.generic_executed.saturating_add(draw.run.generic_executed);
        frame.draws += 1;
        frame.variant_draws += u64::from(draw.is_served());
        frame.stamp = draw.submitted_stamp.unwrap_or(draw.measured_stamp);
    }
    let stride = frames.len().div_ceil(POINTS).max(1);
    let last_answer = background.passes.iter().rev().find_map(|pass| pass.further_desired);
    let mut curve = Curve { last_answer, ..Curve::default() };
    for (number, point) in (0_u64..).zip(frames.chunks(stride)) {
        let sum = |of: fn(&FrameSpan) -> u64| point.iter().map(of).fold(0, u64::saturating_add);
        curve.frame.push(number * stride as u64 + 1);
        curve.pass.push(point[0].pass);
        curve.executed.push(sum(|frame| frame.executed));
        curve.generic_executed.push(sum(|frame| frame.generic_executed));
        curve.draws.push(sum(|frame| frame.draws));
        curve.variant_draws.push(sum(|frame| frame.variant_draws));
        let until = point.iter().map(|frame| frame.stamp).max().unwrap_or_default();
        let by_then = |stamps: &[u64]| stamps.partition_point(|stamp| *stamp <= until) as u64;
        curve.variants.push(by_then(&installed).saturating_sub(by_then(&dropped)));
        curve.stamps.push(until.to_string());
        let is_measured = answer_stamp.is_some_and(|answer| until > answer);
        if is_measured && curve.measured_from.is_none() {
            curve.measured_from = Some(curve.frame.len() - 1);
        }
    }
    curve
}

/// Sums over the draws of one frame.
#[derive(Default)]
struct FrameSpan {
    pass: u32,
    executed: u64,
    generic_executed: u64,
    draws: u64,
    variant_draws: u64,
    stamp: u64,
}
