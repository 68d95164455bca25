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
        fit_to_measure: bool, Flag, "Whether the run is stable, so that its measurements may be compared. All of these hold: the last answer of the driver to bFurtherMeasurementsDesired is FALSE; no task is queued or running then, and none is queued later; after that no variant is installed or removed, no result is discarded, no mode with more measurements is set, no draw is new to the driver, and no constant with several values becomes fixed; `frames_needed` whole frames of the same work follow; frames with equal draws and constants cost the same within `tolerance_ratio`, in instructions; the trace is complete. Calls after the end of the device do not count.", contributors = contributors::unfit;
        unfit: Option<Unfit>, Group, "The first thing that breaks it; null if the run is fit.", contributors = contributors::unfit;
        expected_pass: Option<u64>, Id, "If the driver requests further measurements: a lower bound of the pass at which it requests none, if the same work continues; null if no end is in sight, and for other runs.";
        measured: MeasuredFigures, Group, "The frames after the driver's last answer, all of them where it gave none. Frames of the same work draw as often with each pipeline state, and the generic shaders execute as many instructions for them.", contributors = contributors::unfit;
        fit_settings: FitSettings, Group, "By what frames are judged.";
        mode_calls: u64, Count, "Calls of SetBackgroundProcessingMode that the runtime accepted. Each begins a pass, which lasts to the next; pass 0 is the time before the first. Presented frames are counted apart, as `presents`.", contributors = contributors::passes;
        driver_answers: u64, Count, "Answers of the driver. One that has no background processing, speaks version 0062 of the interface or leaves the answer unwritten has none.", contributors = contributors::passes;
        opportunities: u64, Count, "Calls of QueueProcessingWork that the runtime accepted: specialisations that the driver found worth a task. They count for the pass in which the call was made; what is queued while SetBackgroundProcessingMode is called counts for the pass that begins.";
        tasks_queued: u64, Count, "Tasks that came into the queue: the opportunities but for those cancelled at once, because background work was disabled or the device was being destroyed.";
        preexisting_tasks: u64, Count, "Tasks that were queued or ran when the recording began, in one that starts in mid-stream: its rundown has them. They are not among the opportunities, the tasks queued or, if they ran, the tasks started.";
        tasks_started: u64, Count, "Tasks that began.";
        tasks_finished: u64, Count, "Tasks that ran to their end, failed ones too.";
        tasks_cancelled: u64, Count, "Tasks that were cancelled, at once or in the queue.";
        tasks_failed: u64, Count, "Tasks whose work failed, which removes the device.";
        priorities_refused: u64, Count, "Tasks whose priority the operating system refused: they ran at another priority than the reported one.";
        tasks_left: u64, Count, "Tasks that wait or run when the trace ends.";
        variants: u64, Count, "Installed variants: specialised shaders, each made by a task; where a driver breaks that rule, others too.";
        refused_by_estimate: u64, Count, "Specialisations that the driver found and did not compile, because the texts alone promise too little.";
        discarded: u64, Count, "Results of tasks that the driver did not take: the pipeline state was gone, or there was nothing new in them. A task that found nothing to do, or tunes, has none.";
        presents: u64, Count, "Presents: frames of the application.", contributors = contributors::passes;
        draws: u64, Count, "Draws and dispatches that were submitted and done. They count for the pass in which they were submitted.";
        variant_draws: u64, Count, "Those that a variant served.";
        variant_draw_ratio: Option<f64>, Ratio, "Their share; null without draws.";
        guard_misses: u64, Count, "Draws before which the guard of some variant did not hold: its constants were others than those it was made for.";
        executed: u64, Count, "Instructions of the shader form that the draws executed, guards included.";
        generic_executed: u64, Count, "Instructions that the generic shaders execute for the same draws.";
        saving_ratio: Option<f64>, Ratio, "What of `generic_executed` was saved; negative if more was executed.";
        counted_draws: u64, Count, "Draws whose code had counters in it, which a driver measures by.";
        counter_ratio: Option<f64>, Ratio, "What the counters executed, as a part of all other instructions executed; null without draws. It is in `executed`.";
        tuning_tasks: u64, Count, "Tasks that tune how draws are run (whether their constants are cached, how many lanes run as a group) and make no variant, as far as they began.";
        tuned_executed: u64, Count, "Instructions that reading constants and launching groups took, by the driver's model; 0 of a driver that tunes neither. They are in `executed`.";
        untuned_executed: u64, Count, "What they would take if nothing were tuned. It is in `generic_executed`.";
        tuned_saving_ratio: Option<f64>, Ratio, "What of `untuned_executed` was saved; null without any.";
        queue_wait: Distribution, Group, "From the return of QueueProcessingWork to the task's start.";
        run_time: Distribution, Group, "From a task's start to its stop, where both are in the trace.", after queue_wait;
        concurrency: ConcurrencyFigures, Group, "Tasks that run at once.";
        overlap: OverlapFigures, Group, "How much of the frames had a task running beside them.";
        interference: Vec<InterferenceFigures>, List, "Frames of `overlap` by what ran beside them, each sort that there is, those without tasks first. Frames of one sort may draw other things than those of another: what is compared is how long they took, not why.";
        by_processor: Vec<ProcessorFigures>, List, "The same frames by where tasks ran beside them: on the processor that the GPU's thread was on when draws, of whatever queue and frame, were done while the frame lasted, or on others. A thread may move; what is known is where it was at its work's end. Empty where the trace does not say.";
        frame_cost: FrameCost, Group, "Instructions that the draws of a frame executed, guards included.";
        time: Option<TimeFigures>, Group, "Machine time. The GPU's thread ran code of draws some more times for it, the variant and the generic shader by turns, and kept to one processor where the system let it. Of the report it is that of all draws whose code was timed in some submission, by the least that the code took for an instruction; of a variant that of the runs. Null where the trace has none: recordings by the logical clock, what-ifs whose tasks are their own, and traces of former builds.";
        frame_time: Distribution, Group, "How long frames took, from one Present to the next: of `interference` those of the sort.";
        by_pass: Vec<PassFigures>, List, "What happened in each pass. Sums over the passes are the totals.";
        pipelines: Vec<PipelineFigures>, List, "Every pipeline state that was drawn with or that a task was for.";
        recorded_task_starts: bool, Flag, "The trace is a what-if under another driver, in which background tasks start and end where the recorded ones did: its figures of background processing are not an answer.";
        by_variant: Vec<VariantFigures>, List, "Every specialisation that the driver found, in the order of their tasks, then variants that no task made, then those that were `estimated`; the table `variants` has the same.";
        ns_per_instruction: Option<f64>, Nanoseconds, "What an instruction took in this recording: half of the submissions took at most so much, from their submission, or the end of the one before on the same thread, to their end, for all instructions run, those that check a variant's outputs included. An upper bound, for the processor may have had other things to do.";
        waste: WasteFigures, Group, "Discarded work.";
        audits: Vec<AuditFigures>, List, "Rules of background processing, checked over the whole trace. What each checks stands below.", contributors = contributors::audits;
        audits_failed: u64, Count, "Audits that are not ok, advice left out.", contributors = contributors::audits, after audits;
        advice_not_followed: u64, Count, "Advice that is not ok.", contributors = contributors::audits, after audits_failed;
        whole: bool, Flag, "The trace holds all that was recorded.";
    }
}

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
        "Whether a run is stable, what the driver's background optimisation gained and cost, and whether its rules were kept."
    }

    fn figures(&self) -> &'static [FigureLine] {
        PgoFigures::LINES
    }

    fn appendix(&self) -> String {
        let mut text = String::from(
            "\n## Audits\n\nRules of background processing, checked over everything that happened, in the order of the trace. Rules \
             are numbered as in the project's documents. Advice is for applications; it is told, but no rule is broken.\n\n| \
             audit | rules | what is checked |\n|---|---|---|\n",
        );
        for audit in AUDITS {
            let Audit { name, lint, meaning, .. } = audit;
            let sort = if *lint { "Advice. " } else { "" };
            text += &format!("| `{name}` | {} | {sort}{meaning} |\n", audit.numbers());
        }
        text
    }

    fn not_applicable(&self, analysis: &Analysis) -> Result<Option<String>, AnalyzeError> {
        let background = analysis.background()?;
        // Every trace has a first pass, which begins without a call.
        let none = background.tasks.is_empty() && background.passes.len() <= 1;
        Ok(none
            .then(|| "no background processing mode is set and no background task is queued in this trace".to_owned()))
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
        frames_needed: u64, Count, "So many frames of the same work have to be there.";
        tolerance_ratio: f64, Ratio, "The cost of frames of the same work may differ by such a part.";
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
