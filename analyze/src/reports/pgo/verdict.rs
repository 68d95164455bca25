//! What the report comes to: whether the run is fit to measure, or the first thing that breaks it.

use super::PgoFigures;
use super::audits::AuditFigures;
use crate::render::{counted, grouped, percent};
use crate::reports::verdict::{listed, sentence};
use crate::reports::{Figure, Verdict};

/// The verdict.
pub(super) fn verdict(figures: &PgoFigures) -> Verdict {
    let mut text = match &figures.unfit {
        None => format!(
            "the run is fit to measure: the driver desires no further measurements, and {} of the same work cost the same",
            counted(figures.measured.frames_alike, "frame")
        ),
        Some(unfit) => format!("the run is not fit to measure: {}", unfit.description),
    };
    let mut more = Vec::new();
    match figures.saving_ratio.filter(|_| figures.draws > 0) {
        Some(saved) if saved < 0.0 => {
            more.push(format!("draws execute {} more instructions than the generic shaders", percent(-saved)));
        }
        Some(saved) if saved > 0.0 => {
            more.push(format!("draws execute {} fewer instructions than the generic shaders", percent(saved)));
        }
        _ => {}
    }
    match figures.time.and_then(|time| time.time_saving_ratio).filter(|_| figures.draws_served > 0) {
        Some(saved) if saved < 0.0 => more.push(format!("their code takes {} more machine time", percent(-saved))),
        Some(saved) if saved > 0.0 => more.push(format!("their code takes {} less machine time", percent(saved))),
        _ => {}
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
    let known = figures.tasks_queued + figures.tasks_there_before;
    let of_queued = format!("{} of {}", tasks.text, grouped(known));
    Verdict {
        sentence: sentence(figures.whole, &text),
        figures: [
            Figure::count("frames played", figures.presents),
            tasks.told(of_queued),
            Figure::ratio("instructions saved", figures.saving_ratio),
        ],
        advice: Some(advice(figures)),
    }
}

/// Whether the run may be compared, and what to change: what breaks its fitness comes first, then rules, then advice.
fn advice(figures: &PgoFigures) -> String {
    if let Some(unfit) = &figures.unfit {
        let by = if unfit.call.is_empty() { String::new() } else { format!("{} at ", unfit.call) };
        return format!(
            "Not to be compared with other runs. {} (It shows in {by}stamp {}.)",
            unfit.advice, unfit.at_stamp
        );
    }
    let broken = |lint: bool| figures.audits.iter().find(|audit| !audit.ok && audit.lint == lint);
    let told = |audit: &AuditFigures| audit.first.first().map_or_else(String::new, |first| first.description.clone());
    match (broken(false), broken(true)) {
        (Some(audit), _) => {
            format!("Not to be compared before the driver keeps its rules ({}): {}", audit.rule, told(audit))
        }
        (None, Some(audit)) => {
            format!("It may be compared with other runs. To change ({}): {}", audit.rule, told(audit))
        }
        (None, None) => "It may be compared with other runs as it is.".to_owned(),
    }
}
