//! What the report comes to. It says what was answered and found, and leaves it to the reader whether that is enough.

use super::{JudgedBy, PgoFigures};
use crate::background::Pass;
use crate::render::{counted, grouped, percent};
use crate::reports::verdict::{listed, sentence};
use crate::reports::{Figure, Verdict};

/// The verdict.
pub(super) fn verdict(figures: &PgoFigures, passes: &[Pass]) -> Verdict {
    let mut text = match last_answer(passes) {
        Some(answer) => answered(&answer, figures.passes_recorded),
        None => unanswered(figures, passes.iter().filter(|pass| pass.asked).count() as u64),
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
    match figures.audits_failed {
        0 => {}
        1 => more.push("1 rule is broken".to_owned()),
        count => more.push(format!("{} rules are broken", grouped(count))),
    }
    if !more.is_empty() {
        text += &format!("; {}", listed(&more));
    }
    let tasks = Figure::count("tasks finished", figures.tasks_finished);
    let of_queued = format!("{} of {}", tasks.text, grouped(figures.tasks_queued));
    Verdict {
        sentence: sentence(figures.whole, &text),
        figures: [
            Figure::count("passes", figures.passes_recorded),
            tasks.told(of_queued),
            Figure::ratio("instructions saved", figures.saving_ratio),
        ],
    }
}

/// The driver's last answer.
struct Answer {
    /// The pass whose call it answered.
    pass: u64,
    /// It desires further measurements.
    further: bool,
    /// Opportunities it found after that.
    found_later: u64,
}

fn last_answer(passes: &[Pass]) -> Option<Answer> {
    let (place, further) =
        passes.iter().enumerate().rev().find_map(|(place, pass)| Some((place, pass.further_desired?)))?;
    let all: u64 = passes[place..].iter().map(|pass| pass.counts.opportunities).sum();
    Some(Answer { pass: place as u64, further, found_later: all.saturating_sub(passes[place].found_at_begin) })
}

fn answered(answer: &Answer, of: u64) -> String {
    let wants = if answer.further { "wants further measurements" } else { "wants no further measurements" };
    let mut text = format!(
        "the driver's last answer, when pass {} of {} began, was that it {wants}",
        grouped(answer.pass),
        grouped(of)
    );
    if !answer.further && answer.found_later > 0 {
        text += &format!(", but it queued {} after that", counted(answer.found_later, "more task"));
    }
    text
}

/// It was asked so often, and never answered.
fn unanswered(figures: &PgoFigures, asked: u64) -> String {
    let found = match (figures.judged_by, figures.converged, figures.opportunities) {
        (_, _, 0) => "it found nothing to optimise",
        (JudgedBy::Queued, true, _) => "it found nothing more in the last pass it measured",
        (JudgedBy::Queued, false, _) => "it still found more in the last pass it measured",
        _ => "what came of its tasks was not measured",
    };
    let further = "whether it wants further measurements";
    match asked {
        0 => format!("the driver was not asked {further}; {found}"),
        1 => format!("the driver was asked 1 time {further}, and left its answer unwritten; {found}"),
        _ => format!(
            "the driver was asked {} {further}, and left every answer unwritten; {found}",
            counted(asked, "time")
        ),
    }
}
