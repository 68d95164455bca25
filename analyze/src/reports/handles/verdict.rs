//! Headline verdict of the handles report.

use super::HandlesFigures;
use crate::render::{binary_bytes, counted, grouped};
use crate::reports::verdict::{NO_VALUE, listed, sentence};
use crate::reports::{Figure, Verdict};
use serde_json::Value;

/// Builds the verdict.
pub(super) fn verdict(figures: &HandlesFigures) -> Verdict {
    let contexts = counted(figures.contexts.len() as u64, "context");
    let (bytes, handles) = (binary_bytes(figures.peak_bytes), grouped(figures.peak_handles));
    let mut text = format!("handles of {contexts} take {bytes} at most, and at most {handles} live at once");
    let cost = &figures.cost;
    if cost.contexts > 1 {
        let contexts = counted(cost.contexts, "deferred context");
        text += &match cost.extra_bytes {
            0 => format!("; {contexts} open nothing twice"),
            bytes => format!("; {contexts} open {} more than one would", binary_bytes(bytes)),
        };
    }
    let mut more = Vec::new();
    match figures.shared_lines {
        Some(1) => more.push("1 cache line is written by more than one context".to_owned()),
        Some(lines) if lines > 1 => {
            more.push(format!("{} cache lines are written by more than one context", grouped(lines)));
        }
        _ => {}
    }
    match figures.audits.iter().filter(|audit| !audit.ok).count() as u64 {
        0 => {}
        1 => more.push("1 rule of handles is broken".to_owned()),
        count => more.push(format!("{} rules of handles are broken", grouped(count))),
    }
    if !more.is_empty() {
        text += &format!("; {}", listed(&more));
    }
    let lines = match figures.shared_lines {
        Some(lines) => Figure::count("lines written by more than one context", lines),
        None => Figure {
            value: Value::Null,
            ..Figure::count("lines written by more than one context", 0).with_text(NO_VALUE)
        },
    };
    Verdict {
        sentence: sentence(figures.whole, &text),
        figures: [
            Figure::bytes("most at once", figures.peak_bytes),
            Figure::bytes("more than in one context", figures.cost.extra_bytes),
            lines,
        ],
        advice: None,
    }
}
