//! Headline verdict of the pgo report: fit to measure, or the first reason against it.

use super::PgoFigures;
use super::audits::AuditFigures;
use crate::render::{counted, grouped, percent};
use crate::reports::verdict::{listed, sentence};
use crate::reports::{Figure, Verdict};

/// Builds the verdict; `when` formats the moment of a stamp.
pub(super) fn verdict(figures: &PgoFigures, when: &dyn Fn(u64) -> String) -> Verdict {
    let same_work = counted(figures.measured.frames_same_work, "frame");
    let mut text = match (&figures.unfit, last_answer(figures)) {
        (None, Some((pass, _))) => format!(
            "the run is stable from pass {pass} on: the driver requests no further measurements, and {same_work} with the same \
             work have the same cost"
        ),
        // A stable run without an answer: the driver has no background processing.
        (None, None) => format!(
            "the run is stable: the driver has no background processing, so that every draw executes the generic shaders \
             ({same_work} with the same work)"
        ),
        (Some(unfit), _) => format!("the run is not stable: {}", unfit.description),
    };
    let mut more = Vec::new();
    let Gain { who, instructions, time } = Gain::of(figures);
    match instructions.filter(|saved| saved.abs() >= MIN_REPORTED_SAVING) {
        Some(saved) if saved < 0.0 => {
            more.push(format!("{who} execute {} more instructions than the generic shaders", percent(-saved)));
        }
        Some(saved) => {
            more.push(format!("{who} execute {} fewer instructions than the generic shaders", percent(saved)));
        }
        None => {}
    }
    match time.filter(|saved| figures.variant_draws > 0 && saved.abs() >= MIN_REPORTED_SAVING) {
        Some(saved) if saved < 0.0 => more.push(format!("their code takes {} more machine time", percent(-saved))),
        Some(saved) => more.push(format!("their code takes {} less machine time", percent(saved))),
        None => {}
    }
    match figures.audits_failed {
        0 => {}
        1 => more.push("1 rule is broken".to_owned()),
        count => more.push(format!("{} rules are broken", grouped(count))),
    }
    if !more.is_empty() {
        text += &format!("; {}", listed(&more));
    }
    let tasks = Figure::count("tasks finished", figures.tasks_finished);
    let known = figures.tasks_queued + figures.preexisting_tasks;
    // If records are missing, tasks may have finished whose queueing was not recorded.
    let of_queued = if figures.tasks_finished > known {
        tasks.text.clone()
    } else {
        format!("{} of {}", tasks.text, grouped(known))
    };
    Verdict {
        sentence: sentence(figures.whole, &text),
        figures: [
            Figure::count("frames presented", figures.presents),
            tasks.with_text(of_queued),
            Figure::ratio(
                if figures.unfit.is_none() { "instructions saved in measured frames" } else { "instructions saved" },
                instructions,
            ),
        ],
        advice: Some(advice(figures, when)),
    }
}

/// The pass whose first call has the driver's last answer, and the number of its first frame; `None` without an answer.
fn last_answer(figures: &PgoFigures) -> Option<(u64, u64)> {
    let answered = figures.by_pass.iter().rposition(|pass| pass.further_desired.is_some())?;
    let before = figures.by_pass[..answered].iter().fold(0, |sum: u64, pass| sum.saturating_add(pass.presents));
    Some((figures.by_pass[answered].pass, before.saturating_add(1)))
}

/// Minimum saving mentioned in the sentence: 0.01 %, the smallest value that is displayed.
const MIN_REPORTED_SAVING: f64 = 0.0001;

/// Gain of the optimisation. For a run that is fit to measure it covers the measured frames only, and is therefore
/// independent of the driver's learning time; for other runs it covers all draws.
struct Gain {
    who: &'static str,
    instructions: Option<f64>,
    time: Option<f64>,
}

impl Gain {
    fn of(figures: &PgoFigures) -> Gain {
        if figures.unfit.is_none() {
            let measured = &figures.measured;
            let (instructions, time) = (measured.saving_ratio, measured.time_saving_ratio);
            return Gain { who: "these frames", instructions, time };
        }
        let time = figures.time.and_then(|time| time.time_saving_ratio);
        Gain { who: "draws", instructions: figures.saving_ratio.filter(|_| figures.draws > 0), time }
    }
}

/// Advice on whether the run may be compared, and on what to change: the reason against fitness first, then violated
/// rules, then advisory rules.
fn advice(figures: &PgoFigures, when: &dyn Fn(u64) -> String) -> String {
    if let Some(unfit) = &figures.unfit {
        let by = if unfit.call.is_empty() { String::new() } else { format!("{}, ", unfit.call) };
        let first = when(unfit.at_stamp);
        return format!("Do not compare the run with other runs. {} (First occurrence: {by}{first}.)", unfit.advice);
    }
    let broken = |lint: bool| figures.audits.iter().find(|audit| !audit.ok && audit.lint == lint);
    let with_text =
        |audit: &AuditFigures| audit.first_findings.first().map_or_else(String::new, |first| first.description.clone());
    let from = last_answer(figures)
        .map_or_else(String::new, |(pass, frame)| format!(" from frame {frame} on, the first of pass {pass}"));
    match (broken(false), broken(true)) {
        (Some(audit), _) => {
            format!(
                "Do not compare the run with other runs before the driver keeps its rules ({}): {}",
                audit.rule,
                with_text(audit)
            )
        }
        (None, Some(audit)) => {
            format!(
                "The run may be compared with other runs{from}. Lint warning ({}): {}",
                audit.rule,
                with_text(audit)
            )
        }
        (None, None) => format!("The run may be compared with other runs{from}."),
    }
}
