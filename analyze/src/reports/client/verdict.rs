//! Headline verdict of the client report.

use super::{ClientFigures, text};
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::render::{counted, grouped};
use crate::reports::verdict::listed;
use crate::reports::{Figure, Verdict};

/// Builds the verdict: the trace represents what the program does on a GPU, or the reasons why it may not.
pub(super) fn verdict(figures: &ClientFigures, losses: &[String]) -> Verdict {
    let mut reasons = differences(figures);
    reasons.extend(losses.iter().cloned());
    let sentence = if reasons.is_empty() {
        "The trace represents the program's calls on a GPU: each call was executed, and the program read no results of \
         draws and dispatches, which are only recorded."
            .to_owned()
    } else {
        format!("The trace may differ from the program's calls on a GPU: {}.", listed(&reasons))
    };
    Verdict {
        sentence,
        figures: [
            Figure::count("calls", figures.total_calls),
            Figure::count("methods not executed", figures.unsupported_methods),
            Figure::count("objects not released", figures.objects_alive),
        ],
        advice: None,
    }
}

/// Reasons why the program may have had other answers than on a GPU.
pub(super) fn differences(figures: &ClientFigures) -> Vec<String> {
    let mut reasons = Vec::new();
    if figures.total_calls == 0 {
        reasons.push("the program made no Direct3D call".to_owned());
    }
    if let Some(first) = figures.unsupported.first() {
        let others = figures.unsupported_methods - 1;
        let others = if others == 0 { String::new() } else { format!(" and {}", counted(others, "other method")) };
        let verb = if figures.unsupported_methods == 1 { "was" } else { "were" };
        reasons.push(format!("{}::{}{others} {verb} not executed", first.interface, first.method));
    }
    let work = text::not_executed(figures);
    if figures.readbacks > 0 && !work.is_empty() {
        let maps = counted(figures.readbacks, "map");
        reasons.push(format!("the program read memory in {maps}, and work was not executed: {}", listed(&work)));
    }
    if !figures.after_release.is_empty() {
        let calls = figures.after_release.iter().map(|calls| calls.count).sum();
        reasons.push(format!("the program called released objects {}", times(calls)));
    }
    if let Some(first) = figures.in_progress.first() {
        reasons.push(format!("the program ended during {} on thread {}", first.call, first.thread));
    }
    reasons
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("at least {} times", grouped(count)) }
}

/// Losses of the recording, one phrase each.
pub(super) fn losses(analysis: &Analysis) -> Result<Vec<String>, AnalyzeError> {
    let head = analysis.head()?;
    let mut losses = Vec::new();
    if !head.complete {
        losses.push("the recording is incomplete".to_owned());
    }
    let lost = head.lost_events.saturating_add(head.damaged_events);
    if lost > 0 {
        losses.push(format!("{} lost", counted(lost, "event")));
    }
    if !head.missing_providers.is_empty() {
        losses.push(format!("events of {} were not recorded", head.missing_providers.join(" and ")));
    }
    Ok(losses)
}
