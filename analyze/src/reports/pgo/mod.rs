//! The `pgo` report: how far background optimisation came, what it gained and what it cost, and whether its rules were kept.

mod audits;
mod behind;
mod concurrency;
mod definitions;
mod distribution;
mod fit;
mod frame_cost;
mod interference;
mod overlap;
mod page;
mod passes;
mod pipelines;
mod text;
mod times;
mod variants;
mod verdict;

pub use crate::background::FitSettings;
pub use audits::{AuditFigures, FindingFigures};
pub use concurrency::ConcurrencyFigures;
pub use distribution::Distribution;
pub use fit::{Cause, MeasuredFigures, Unfit};
pub use frame_cost::FrameCost;
pub use interference::{Beside, InterferenceFigures, ProcessorFigures, TasksOn};
pub use overlap::OverlapFigures;
pub use passes::PassFigures;
pub use pipelines::PipelineFigures;
pub use times::{TimeFigures, VariantTime};
pub use variants::{GuardValue, VariantFigures, WasteFigures, variants};

pub(crate) use concurrency::running;
pub(crate) use overlap::shares;

use super::{Definition, Report, ReportResult};
use crate::analysis::Analysis;
use crate::background::{Background, Counts, Pass, Task, TaskState};
use crate::error::AnalyzeError;
use audits::{AUDITS, Audit, Evidence};
use fit::{Fit, fit};
use pipelines::{ratio, saving_ratio};
use serde::Serialize;
use serde_json::Value;
use times::Times;

/// Everything the report says, as numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PgoFigures {
    /// What is measured after the driver's last answer would be the same however long it is measured.
    pub fit_to_measure: bool,
    /// The first thing that breaks that; none if it is fit.
    pub unfit: Option<Unfit>,
    /// The frames after the answer.
    pub measured: MeasuredFigures,
    /// By what they are judged.
    pub fit_settings: FitSettings,
    /// The trace is a what-if in which tasks start and end where another driver's did: the figures are not an answer.
    pub recorded_task_starts: bool,
    /// Accepted calls of SetBackgroundProcessingMode.
    pub mode_calls: u64,
    /// Answers of the driver.
    pub times_asked: u64,
    /// The trace holds all that was recorded.
    pub whole: bool,
    /// Accepted calls of QueueProcessingWork.
    pub opportunities: u64,
    /// Tasks that came into the queue.
    pub tasks_queued: u64,
    /// Tasks that a recording which starts in mid-stream began with.
    pub tasks_there_before: u64,
    /// Tasks that began.
    pub tasks_started: u64,
    /// Tasks that ended.
    pub tasks_finished: u64,
    /// Tasks that were cancelled.
    pub tasks_cancelled: u64,
    /// Tasks whose work failed.
    pub tasks_failed: u64,
    /// Tasks for which the operating system refused a priority.
    pub priorities_refused: u64,
    /// Tasks that wait or run at the end.
    pub tasks_left: u64,
    /// Variants installed.
    pub variants: u64,
    /// Specialisations that were not compiled, because the texts promise too little.
    pub refused_by_estimate: u64,
    /// Results abandoned.
    pub abandoned: u64,
    /// Presents.
    pub presents: u64,
    /// Draws.
    pub draws: u64,
    /// Those that a variant served.
    pub draws_served: u64,
    /// Their share.
    pub served_ratio: Option<f64>,
    /// Draws before which a guard did not hold.
    pub guard_misses: u64,
    /// Instructions executed.
    pub executed: u64,
    /// Instructions that the generic shaders execute.
    pub generic_executed: u64,
    /// What was saved of those.
    pub saving_ratio: Option<f64>,
    /// Draws whose code had counters in it.
    pub counted_draws: u64,
    /// What counters executed besides, as a part of all else.
    pub counter_ratio: Option<f64>,
    /// Tasks that tune how draws are run, and make no variant.
    pub tuning_tasks: u64,
    /// Instructions that reading constants and launching groups took.
    pub tuned_executed: u64,
    /// What they would take untuned.
    pub untuned_executed: u64,
    /// What was saved of those.
    pub tuned_saving_ratio: Option<f64>,
    /// Waits in the queue.
    pub queue_wait: Distribution,
    /// Times that tasks ran.
    pub run_time: Distribution,
    /// Tasks at once.
    pub concurrency: ConcurrencyFigures,
    /// Tasks beside frames.
    pub overlap: OverlapFigures,
    /// Frames by what ran beside them.
    pub interference: Vec<InterferenceFigures>,
    /// The same by the processors that tasks ran on; none where no trace says.
    pub by_processor: Vec<ProcessorFigures>,
    /// How long frames took.
    pub frame_time: Distribution,
    /// What frames cost in instructions.
    pub frame_cost: FrameCost,
    /// What code took on the recording's machine; none where nobody took the time.
    pub time: Option<TimeFigures>,
    /// Each pass.
    pub by_pass: Vec<PassFigures>,
    /// Each pipeline state.
    pub pipelines: Vec<PipelineFigures>,
    /// Each specialisation that was found.
    pub by_variant: Vec<VariantFigures>,
    /// What was made in vain.
    pub waste: WasteFigures,
    /// What an instruction took in this recording.
    pub ns_per_instruction: Option<f64>,
    /// Audits.
    pub audits: Vec<AuditFigures>,
    /// Rules that are broken.
    pub audits_failed: u64,
    /// Advice that is not followed.
    pub advice_not_followed: u64,
}

/// The report.
pub struct Pgo;

impl Report for Pgo {
    fn name(&self) -> &'static str {
        "pgo"
    }

    fn title(&self) -> &'static str {
        "Background processing"
    }

    fn description(&self) -> &'static str {
        "Whether a run is fit to measure, what the driver's background optimisation gained and cost, and whether its rules were kept."
    }

    fn definitions(&self) -> &'static [Definition] {
        definitions::DEFINITIONS
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

    fn nothing(&self, analysis: &Analysis) -> Result<Option<String>, AnalyzeError> {
        let background = analysis.background()?;
        let none = background.tasks.is_empty() && background.passes.len() <= 1;
        Ok(none
            .then(|| "no background processing mode is set and no background task is queued in this trace".to_owned()))
    }

    fn run(&self, analysis: &Analysis) -> Result<ReportResult, AnalyzeError> {
        let figures = PgoFigures::of(analysis)?;
        let passes = &analysis.background()?.passes;
        let document = text::document(&figures, passes);
        let verdict = verdict::verdict(&figures);
        ReportResult::new(verdict, &figures, document)
    }

    fn drawn(&self, analysis: &Analysis, _figures: &Value) -> Result<Value, AnalyzeError> {
        page::drawn(analysis)
    }

    fn scripts(&self) -> &'static [&'static str] {
        page::SCRIPTS
    }

    fn behind(&self, place: &str, figures: &Value, _analysis: Option<&Analysis>) -> Vec<String> {
        behind::behind(place.split('.').next().unwrap_or_default(), figures)
    }
}

impl PgoFigures {
    /// The figures of a trace.
    ///
    /// # Errors
    /// The trace could not be read, or its schema table lacks a field that the report needs.
    pub fn of(analysis: &Analysis) -> Result<PgoFigures, AnalyzeError> {
        let background = analysis.background()?;
        let evidence = Evidence::of(analysis)?;
        let Sums { sum, left } = Sums::of(background);
        let fit_settings = analysis.fit_settings();
        let Fit { unfit, mut measured, times_asked, answer_stamp } = fit(&evidence, &fit_settings);
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
            measured,
            fit_settings,
            recorded_task_starts: evidence.what_if,
            mode_calls: background.passes.len().saturating_sub(1) as u64,
            times_asked,
            whole: evidence.whole,
            opportunities: sum.opportunities,
            tasks_queued: sum.queued,
            tasks_there_before: background.tasks.iter().filter(|task| task.was_there).count() as u64,
            tasks_started: sum.started,
            tasks_finished: sum.finished,
            tasks_cancelled: sum.cancelled,
            tasks_failed: sum.failed,
            priorities_refused: background.tasks.iter().filter(|task| task.priority_refused).count() as u64,
            tasks_left: left,
            variants: sum.variants,
            refused_by_estimate: background.estimated.len() as u64,
            abandoned: sum.abandoned,
            presents: sum.frames,
            draws: sum.draws,
            draws_served: sum.draws_served,
            served_ratio: ratio(sum.draws_served, sum.draws),
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
            pipelines: pipelines::pipelines(background),
            waste: variants::waste(background, &by_variant),
            by_variant,
            ns_per_instruction: variants::ns_per_instruction(analysis, background),
            audits,
            audits_failed,
            advice_not_followed,
        })
    }
}

/// What was counted over all passes, and the tasks that are left.
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
