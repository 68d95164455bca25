//! The `pgo` report: progress, gain and cost of background shader optimisation, and audits of its rules.

mod audits;
mod concurrency;
mod contributors;
mod distribution;
mod fit;
mod frame_cost;
mod interference;
mod overlap;
mod page;
mod passes;
mod pipelines;
mod requests;
mod text;
mod text_sums;
mod times;
mod variants;
mod verdict;

pub use crate::background::FitSettings;
pub use audits::{AuditFigures, FindingFigures};
pub use concurrency::ConcurrencyFigures;
pub use distribution::Distribution;
pub use fit::{Cause, MeasuredFigures, Unfit};
pub use frame_cost::FrameCost;
pub use interference::{ConcurrentWork, InterferenceFigures, ProcessorFigures, TasksOn};
pub use overlap::OverlapFigures;
pub use passes::PassFigures;
pub use pipelines::PipelineFigures;
pub use times::{TimeFigures, VariantTime};
pub use variants::{GuardValue, VariantFigures, WasteFigures, variants};

pub(crate) use concurrency::running;
pub(crate) use overlap::shares;

use super::figures::{FigureValue, figures};
use super::{FigureLine, Report, ReportResult};
use crate::analysis::Analysis;
use crate::background::{Background, Counts, Pass, Task, TaskState};
use crate::error::AnalyzeError;
use audits::{AUDITS, Audit, Evidence};
use fit::{Fit, fit};
use pipelines::{ratio, saving_ratio};
use requests::Requests;
use serde_json::Value;
use times::Times;

figures! {
    /// All figures of the report.
    #[derive(Debug, Clone, PartialEq)]
    pub struct PgoFigures {
        fit_to_measure: bool, Flag, "Whether the run has converged, so that its measurements are comparable: the driver's last answer to bFurtherMeasurementsDesired is FALSE; no task is queued or running then, and none is queued later; afterwards no variant is installed or removed, no result is discarded, no mode with more measurements is set, no draw is new to the driver, and no constant with several values becomes fixed; at least `frames_needed` whole frames of the same work follow; frames with equal draws and constants have equal costs in instructions, within `tolerance_ratio`; the trace is complete. A driver without background processing (a successful SetBackgroundProcessingMode makes no DDI call) needs no answer and no minimum number of frames. Calls after the destruction of the device do not count.", contributors = contributors::unfit;
        unfit: Option<Unfit>, Group, "First reason against a stable run; null if the run is stable.", contributors = contributors::unfit;
        expected_pass: Option<u64>, Id, "If the driver requests further measurements: a lower bound of the pass at which it requests none, if the same work continues; null if the end cannot be predicted, and for other runs.";
        measured: MeasuredFigures, Group, "Frames after the driver's last answer, or all frames without an answer. Frames have the same work if their numbers of draws per pipeline state and their instructions in the generic shaders are equal.", contributors = contributors::unfit;
        fit_settings: FitSettings, Group, "Limits of the comparison of frames.";
        mode_calls: u64, Count, "Calls of SetBackgroundProcessingMode that the runtime accepted. Each call begins a pass, which lasts until the next call; pass 0 is the time before the first call. `presents` counts the presented frames.", contributors = contributors::passes;
        driver_answers: u64, Count, "Driver answers to bFurtherMeasurementsDesired. Drivers without background processing, with version 0062 of the interface or with an unwritten output give none.", contributors = contributors::passes;
        opportunities: u64, Count, "Tasks that the driver requested: accepted calls of QueueProcessingWork. A call counts for its pass; calls during SetBackgroundProcessingMode count for the pass that begins.";
        tasks_queued: u64, Count, "Queued tasks: requested tasks without those cancelled immediately, because background work was disabled or the device was being destroyed.";
        preexisting_tasks: u64, Count, "Tasks in the rundown of a recording that starts in mid-stream: queued or running when it began. They do not count as requested or queued and, if they ran, not as started.";
        tasks_started: u64, Count, "Tasks that started.";
        tasks_finished: u64, Count, "Tasks that ran to their end, including failed tasks.";
        tasks_cancelled: u64, Count, "Tasks that were cancelled, immediately or in the queue.";
        tasks_failed: u64, Count, "Tasks whose work failed, which removes the device.";
        priorities_refused: u64, Count, "Tasks whose priority the operating system refused: they ran at another priority than the reported one.";
        tasks_left: u64, Count, "Tasks that are queued or running at the end of the trace.";
        variants: u64, Count, "Installed variants: specialised shaders, each built by a task, or without a task if a driver breaks that rule.";
        refused_by_estimate: u64, Count, "Specialisations that the driver did not compile, because their estimated gain is too small.";
        discarded: u64, Count, "Results of tasks that the driver did not install, because the pipeline state was destroyed or the result was not new. Tuning tasks and tasks without work have no result.";
        presents: u64, Count, "Presents: frames of the application.", contributors = contributors::passes;
        draws: u64, Count, "Submitted draws and dispatches that were executed. They count for the pass of their submission.";
        variant_draws: u64, Count, "Draws that used a variant.";
        variant_draw_ratio: Option<f64>, Ratio, "Share of draws that used a variant; null without draws.";
        guard_misses: u64, Count, "Draws with a guard miss: their constants differ from those that a variant was compiled for.";
        executed: u64, Count, "Instructions that the draws executed, including guards.";
        generic_executed: u64, Count, "Instructions that the generic shaders execute for the same draws.";
        saving_ratio: Option<f64>, Ratio, "Saved share of `generic_executed`; negative if draws executed more.";
        counted_draws: u64, Count, "Draws whose code contains the counters by which a driver measures.";
        counter_ratio: Option<f64>, Ratio, "Instructions of counters, relative to all other executed instructions; null without draws. `executed` includes them.";
        tuning_tasks: u64, Count, "Started tasks that tune the execution of draws (caching of constants, lanes per group) and build no variant.";
        tuned_executed: u64, Count, "Instructions for constant reads and group launches in the driver's model; 0 for a driver that tunes neither. `executed` includes them.";
        untuned_executed: u64, Count, "`tuned_executed` without tuning. `generic_executed` includes it.";
        tuned_saving_ratio: Option<f64>, Ratio, "Saved share of `untuned_executed`; null without such instructions.";
        queue_wait: Distribution, Group, "Time from the return of QueueProcessingWork to the start of the task.";
        run_time: Distribution, Group, "Time from start to stop of a task, if the trace has both.", after queue_wait;
        concurrency: ConcurrencyFigures, Group, "Concurrent tasks.";
        overlap: OverlapFigures, Group, "Share of frame time with a concurrent task.";
        interference: Vec<InterferenceFigures>, List, "Frames of `overlap` by their concurrent tasks, frames without tasks first. Frames of two classes may have different work: the figures compare durations, not causes.";
        by_processor: Vec<ProcessorFigures>, List, "Frames of `overlap` by the processors of concurrent tasks: the processor on which the GPU's thread finished draws, of any queue and frame, during the frame, or others. Threads may migrate: only the processor at the end of their work is known. Empty if the trace does not record processors.";
        frame_cost: FrameCost, Group, "Instructions that the draws of a frame executed, including guards.";
        time: Option<TimeFigures>, Group, "Machine time: the GPU's thread repeats code of draws, alternating variant and generic shader, pinned to one processor if possible. Of the report: all draws with timed code, at the minimum time per instruction of the code; of a variant: its runs. Null for recordings with the logical clock, what-ifs with tasks of their own, and traces of former builds.";
        frame_time: Distribution, Group, "Frame times, from one Present to the next; in `interference` of the frames of the class.";
        by_pass: Vec<PassFigures>, List, "Figures of each pass. Sums over the passes are the totals.";
        pipelines: Vec<PipelineFigures>, List, "Pipeline states with draws or tasks.";
        recorded_task_starts: bool, Flag, "True for a what-if under another driver in which background tasks start and end at the recorded times: its figures of background processing are no prediction.";
        by_variant: Vec<VariantFigures>, List, "Specialisations that the driver found, in the order of their tasks, then variants without a task, then `estimated` ones; the table `variants` has the same rows.";
        ns_per_instruction: Option<f64>, Nanoseconds, "Time per instruction: p50 over submissions, from the submission, or the end of the previous one on the same thread, to its end, by all executed instructions, including those that check the outputs of a variant. An upper bound, because the processor may have had other work.";
        waste: WasteFigures, Group, "Discarded work.";
        audits: Vec<AuditFigures>, List, "Rules of background processing, checked over the whole trace (see below).", contributors = contributors::audits;
        audits_failed: u64, Count, "Broken rules, without lint warnings.", contributors = contributors::audits, after audits;
        advice_not_followed: u64, Count, "Lint warnings.", contributors = contributors::audits, after audits_failed;
        whole: bool, Flag, "True if the trace is complete.";
    }
}

/// Reason for imported traces.
const WITHOUT_TASKS: &str = "not available: events of Windows have no identity, order, priority, pass and gain of background work; report \
                             `windows` has its run times";

/// The `pgo` report.
pub struct Pgo;

impl Report for Pgo {
    fn name(&self) -> &'static str {
        "pgo"
    }

    fn title(&self) -> &'static str {
        "Background processing"
    }

    fn description(&self) -> &'static str {
        "Stability of a run, gain and cost of the driver's background optimisation, and checks of its rules."
    }

    fn figures(&self) -> &'static [FigureLine] {
        PgoFigures::LINES
    }

    fn appendix(&self) -> String {
        let mut text = String::from(
            "\n## Audits\n\nThe report checks these rules of background processing on all events of the trace. docs/rules.md has the \
             rules. Lint warnings are advice for applications: no rule is broken.\n\n| audit | rules | statement \
             |\n|---|---|---|\n",
        );
        for audit in AUDITS {
            let Audit { name, lint, meaning, .. } = audit;
            let sort = if *lint { "Lint warning. " } else { "" };
            text += &format!("| `{name}` | {} | {sort}{meaning} |\n", audit.numbers());
        }
        text
    }

    fn not_applicable(&self, analysis: &Analysis) -> Result<Option<String>, AnalyzeError> {
        let background = analysis.background()?;
        // Every trace has a first pass, which begins without a call.
        let none = background.tasks.is_empty() && background.passes.len() <= 1;
        let imported = crate::imported::is_imported(analysis.trace());
        let why = if imported {
            WITHOUT_TASKS
        } else {
            "the trace sets no background processing mode and queues no background task"
        };
        Ok(none.then(|| why.to_owned()))
    }

    fn run(&self, analysis: &Analysis) -> Result<ReportResult, AnalyzeError> {
        let figures = PgoFigures::of(analysis)?;
        let passes = &analysis.background()?.passes;
        let when = |stamp: u64| analysis.moment(stamp);
        let document = text::document(&figures, passes, &when);
        let verdict = verdict::verdict(&figures, &when);
        ReportResult::new(verdict, &figures, document)
    }

    fn page_data(&self, analysis: &Analysis, _figures: &Value) -> Result<Value, AnalyzeError> {
        page::page_data(analysis)
    }

    fn scripts(&self) -> &'static [&'static str] {
        page::SCRIPTS
    }
}

figures! {
    impl FitSettings {
        frames_needed: u64, Count, "Required number of frames with the same work.";
        tolerance_ratio: f64, Ratio, "Maximum relative difference of the cost of frames with the same work.";
    }
}

impl PgoFigures {
    /// Computes the figures of a trace.
    ///
    /// # Errors
    /// The trace could not be read, or its schema table lacks a field that the report needs.
    pub fn of(analysis: &Analysis) -> Result<PgoFigures, AnalyzeError> {
        let background = analysis.background()?;
        let evidence = Evidence::of(analysis)?;
        let Sums { sum, left } = Sums::of(background);
        let fit_settings = analysis.fit_settings();
        let requests = Requests::of(background, evidence.n_min);
        let Fit { mut unfit, mut measured, driver_answers, answer_stamp } =
            fit(&evidence, &fit_settings, requests.as_ref());
        if let Some(unfit) = &mut unfit {
            unfit.at_ns = analysis.elapsed_ns(unfit.at_stamp);
        }
        let audits = audits::audits(&evidence);
        let times = Times::of(background);
        measured.time_saving_ratio = answer_stamp.and_then(|stamp| times.saving_after(background, stamp));
        let by_variant = variants::with_times(analysis, background, &times);
        let disagreeing = by_variant.iter().filter_map(|one| one.time).filter(|time| time.time_disagrees == Some(true));
        let time = times.sums(background, disagreeing.count() as u64);
        let failed = |lint: bool| audits.iter().filter(|audit| !audit.ok && audit.lint == lint).count() as u64;
        let (audits_failed, advice_not_followed) = (failed(false), failed(true));
        let of_tasks =
            |ticks: fn(&Task) -> Option<u64>| Distribution::of(analysis, background.tasks.iter().filter_map(ticks));
        Ok(PgoFigures {
            fit_to_measure: unfit.is_none(),
            unfit,
            expected_pass: requests.as_ref().and_then(|requests| requests.expected_pass),
            measured,
            fit_settings,
            recorded_task_starts: evidence.has_recorded_task_starts,
            mode_calls: background.passes.len().saturating_sub(1) as u64,
            driver_answers,
            whole: evidence.whole,
            opportunities: sum.opportunities,
            tasks_queued: sum.queued,
            preexisting_tasks: background.tasks.iter().filter(|task| task.is_preexisting).count() as u64,
            tasks_started: sum.started,
            tasks_finished: sum.finished,
            tasks_cancelled: sum.cancelled,
            tasks_failed: sum.failed,
            priorities_refused: background.tasks.iter().filter(|task| task.priority_refused).count() as u64,
            tasks_left: left,
            variants: sum.variants,
            refused_by_estimate: background.estimated.len() as u64,
            discarded: sum.discarded,
            presents: sum.frames,
            draws: sum.draws,
            variant_draws: sum.variant_draws,
            variant_draw_ratio: ratio(sum.variant_draws, sum.draws),
            guard_misses: sum.guard_misses,
            executed: sum.executed,
            generic_executed: sum.generic_executed,
            saving_ratio: saving_ratio(sum.executed, sum.generic_executed),
            counted_draws: sum.counted_draws,
            counter_ratio: passes::counter_ratio(&sum),
            tuning_tasks: background
                .tasks
                .iter()
                .filter(|task| background.tunes(task) && task.started.is_some())
                .count() as u64,
            tuned_executed: sum.tuned_executed,
            untuned_executed: sum.untuned_executed,
            tuned_saving_ratio: saving_ratio(sum.tuned_executed, sum.untuned_executed),
            queue_wait: of_tasks(Task::queue_wait_ticks),
            run_time: of_tasks(Task::run_ticks),
            concurrency: concurrency::concurrency(background),
            overlap: overlap::overlap(background),
            interference: interference::interference(analysis, background),
            by_processor: interference::by_processor(analysis, background),
            frame_time: Distribution::of(
                analysis,
                background.frames.iter().map(|frame| frame.ended_stamp.saturating_sub(frame.began_stamp)),
            ),
            frame_cost: FrameCost::of(background),
            time,
            by_pass: passes::passes(analysis, background),
            pipelines: pipelines::pipelines(background, requests.as_ref()),
            waste: variants::waste(background, &by_variant),
            by_variant,
            ns_per_instruction: variants::ns_per_instruction(analysis, background),
            audits,
            audits_failed,
            advice_not_followed,
        })
    }
}

/// Counts over all passes, and the number of unfinished tasks.
struct Sums {
    sum: Counts,
    left: u64,
}

impl Sums {
    fn of(background: &Background) -> Sums {
        let sum = background.passes.iter().fold(Counts::default(), |sum, Pass { counts, .. }| sum.plus(counts));
        let is_left = |task: &&Task| matches!(task.state(), TaskState::Queued | TaskState::Running);
        Sums { sum, left: background.tasks.iter().filter(is_left).count() as u64 }
    }
}
