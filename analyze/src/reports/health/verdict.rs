//! Headline verdict of the health report.

use super::HealthFigures;
use crate::render::{counted, grouped};
use crate::reports::log_differences::differing_calls;
use crate::reports::verdict::listed;
use crate::reports::{Figure, Verdict};

/// Builds the verdict: losses, rule violations, calls that never returned and leaks.
pub(super) fn verdict(figures: &HealthFigures) -> Verdict {
    let lost_events = figures.lost_events.saturating_add(figures.damaged_events);
    let losses = losses(figures);
    let whole = losses.is_empty();
    let leaks = figures.leaks.as_ref().map(|leaks| leaks.heaps.saturating_add(leaks.resources));
    let mut sentence = match (whole, figures.events) {
        (true, 0) => "The recording is complete and empty".to_owned(),
        (true, _) => "The recording is complete".to_owned(),
        (false, _) => format!("The recording is incomplete ({})", listed(&losses)),
    };
    // If records are missing, the statements that follow hold for the remaining ones only.
    sentence += if whole { "; " } else { "; in the records that remain " };
    let mut parts: Vec<String> = Vec::new();
    // Without a driver, the events are those of programs or of another system.
    parts.extend(figures.driver_violations.map(|violations| match violations {
        0 => "the runtime reported no driver violation".to_owned(),
        count => format!("the runtime reported {}", counted(count, "driver violation")),
    }));
    if figures.debug_errors > 0 {
        parts.push(format!("the debug layer reports {}", counted(figures.debug_errors, "error")));
    }
    if figures.calls_never_returned > 0 {
        parts.push(format!("{} never returned", counted(figures.calls_never_returned, "call")));
    }
    parts.push(match (leaks, whole) {
        (None, _) if figures.driver_violations.is_none() => {
            "leaks are unknown, because the trace contains no calls of Direct3D".to_owned()
        }
        (None, _) => "leaks are unknown, because the trace is a snapshot".to_owned(),
        (Some(0), true) => "nothing leaks".to_owned(),
        (Some(0), false) => "nothing leaks".to_owned(),
        (Some(1), _) => "1 heap or resource leaks".to_owned(),
        (Some(count), _) => format!("{} heaps and resources leak", grouped(count)),
    });
    sentence += &listed(&parts);
    sentence.push('.');
    let differing = differing_calls(&figures.log_differences);
    if differing > 0 {
        let groups = counted(figures.log_differences.len() as u64, "group");
        let calls =
            if differing == 1 { "1 call differs".to_owned() } else { format!("{} calls differ", grouped(differing)) };
        sentence += &format!(" {calls} from the recorded file, in {groups}.");
    }
    // Agreement with the capture decides what the rest is worth.
    if let Some(capture) = &figures.capture {
        sentence = format!("{capture}. {sentence}");
    }
    let lost = Figure::count("events lost", lost_events);
    // Without a regular end, or with damage, the count is a lower bound.
    let lost_text =
        if figures.complete && figures.damage.is_empty() { lost.text.clone() } else { format!("{} known", lost.text) };
    Verdict {
        sentence,
        figures: match figures.driver_violations {
            Some(violations) => [
                lost.with_text(lost_text),
                Figure::count("driver violations reported by the runtime", violations),
                Figure::count_if_known("leaked heaps and resources", leaks),
            ],
            None => [
                lost.with_text(lost_text),
                Figure::count("records", figures.events),
                Figure::count("threads", figures.threads),
            ],
        },
        advice: None,
    }
}

/// True if no record is known to be missing and timestamps of each thread increase.
pub(super) fn is_whole(figures: &HealthFigures) -> bool {
    losses(figures).is_empty()
}

fn losses(figures: &HealthFigures) -> Vec<String> {
    let mut losses = Vec::new();
    if !figures.complete {
        losses.push("it was interrupted".to_owned());
    }
    if figures.left_out_events > 0 {
        losses.push(format!("{} before its first rundown are excluded", counted(figures.left_out_events, "event")));
    }
    if !figures.missing_providers.is_empty() {
        losses.push(format!("without events of {}", figures.missing_providers.join(" and ")));
    }
    if figures.lost_events > 0 {
        losses.push(format!("{} lost", counted(figures.lost_events, "event")));
    }
    if !figures.damage.is_empty() {
        losses.push(format!("the file is damaged in {}", counted(figures.damage.len() as u64, "place")));
    }
    if figures.clock.steps_not_forward > 0 {
        losses.push(format!("{} of a thread are not in order", counted(figures.clock.steps_not_forward, "stamp")));
    }
    losses
}
