//! Text of the health report.

use super::verdict::is_whole;
use super::{HealthFigures, LeaksFigures};
use crate::events::FilePositions;
use crate::render::{Document, TextTable, binary_bytes, counted, grouped, percent, span};
use crate::reports::log_differences;

/// Maximum number of table rows.
const ROWS: usize = 20;

pub(super) fn document(figures: &HealthFigures, positions: FilePositions) -> Document {
    let mut document = Document::new("Health: completeness of the recording, failed calls, messages and leaks");
    if let Some(capture) = &figures.capture {
        document.text(format!("{capture}."));
    }
    document.text(recording(figures));
    figures.damage.iter().for_each(|damage| document.text(format!("The file is damaged at {damage}.")));
    document.text(clock(figures));
    document.text(calls(figures));
    if !figures.log_differences.is_empty() {
        document.table(log_differences::table(&figures.log_differences, ROWS, positions));
    }
    if !figures.first_never_returned.is_empty() {
        let caption = "First calls that never returned";
        let mut table = TextTable::new(caption, ["Call", "Thread", "Start stamp"]);
        for open in &figures.first_never_returned {
            table.row(&open.call, [open.thread.to_string(), open.at_stamp.to_string()]);
        }
        document.table(table);
    }
    if !figures.failed.is_empty() {
        let mut table = TextTable::new("Failed API calls", ["Call", "Result", "Count"]);
        for failed in figures.failed.iter().take(ROWS) {
            table.row(&failed.call, [failed.hr.clone(), grouped(failed.count)]);
        }
        document.table(table);
    }
    if !figures.violations.is_empty() {
        let titles = ["Rule", "Kind", "Count", "First finding"];
        let mut table = TextTable::new("Driver violations", titles).words(1).words(3);
        for one in figures.violations.iter().take(ROWS) {
            let sort = if one.lint { "advice" } else { "broken" };
            table.row(&one.rule, [sort.to_owned(), grouped(one.count), one.description.clone()]);
        }
        document.table(table);
    }
    if !figures.messages.is_empty() {
        let titles = ["Message", "Severity", "Count", "First message"];
        let mut table = TextTable::new("Debug layer messages", titles).words(1).words(3);
        for message in figures.messages.iter().take(ROWS) {
            let cells = [message.severity.clone(), grouped(message.count), message.description.clone()];
            table.row(format!("{} {}", message.message_id, message.name), cells);
        }
        document.table(table);
    }
    let Some(unreleased) = &figures.leaks else {
        if figures.driver_violations.is_none() {
            return document;
        }
        document.text("The trace is a snapshot, so leaks are unknown.");
        return document;
    };
    document.text(leaks(unreleased, is_whole(figures)));
    if !unreleased.largest.is_empty() {
        let mut table = TextTable::new("Largest leaks", ["Name", "Handle", "Size", "Creation stamp"]);
        for leak in &unreleased.largest {
            let cells = [leak.object.to_string(), binary_bytes(leak.size_bytes), leak.at_stamp.to_string()];
            table.row(&leak.name, cells);
        }
        document.table(table);
    }
    document
}

fn recording(figures: &HealthFigures) -> String {
    let mut text = format!("{} on {}", counted(figures.events, "record"), counted(figures.threads, "thread"));
    text += &match figures.lost_events {
        0 if figures.complete => "; none lost.".to_owned(),
        0 => "; the number of lost records is unknown.".to_owned(),
        lost if !figures.complete => format!("; at least {} lost.", grouped(lost)),
        lost => format!("; {} lost.", grouped(lost)),
    };
    if figures.left_out_events > 0 {
        text +=
            &format!(" The report excludes {} before the first rundown.", counted(figures.left_out_events, "event"));
    }
    text += if figures.complete { " The file is complete." } else { " The recording was interrupted." };
    if figures.damaged_events > 0 {
        text += &format!(" Damaged blocks contain {} more.", grouped(figures.damaged_events));
    }
    text
}

fn clock(figures: &HealthFigures) -> String {
    let clock = &figures.clock;
    let mut text = match (clock.ticks_per_second, clock.span_ns) {
        (0, _) => format!("Stamps are from clock `{}`: they give the order of events, not the time.", clock.source),
        (_, None) if clock.steps > 0 => {
            format!(
                "Stamps are from clock `{}`, which counts events: they give the order of events, not the time.",
                clock.source
            )
        }
        (ticks, Some(ns)) => {
            format!("Stamps are from clock `{}` ({} ticks/s) and span {}.", clock.source, grouped(ticks), span(ns))
        }
        (ticks, None) => format!("Stamps are from clock `{}` ({} ticks/s).", clock.source, grouped(ticks)),
    };
    if clock.one_tick_steps > 0 && clock.span_ns.is_some() {
        let share = clock.one_tick_steps as f64 / clock.steps.max(1) as f64;
        text += &format!(
            " {} of the intervals between records are one tick long: they give the order, not the time.",
            percent(share)
        );
    }
    if clock.steps_not_forward > 0 {
        text += &format!(
            " {} intervals are not positive: the order of those records is wrong.",
            grouped(clock.steps_not_forward)
        );
    }
    text
}

fn calls(figures: &HealthFigures) -> String {
    let mut text = match figures.calls_never_returned {
        0 if is_whole(figures) => "Every call returned.".to_owned(),
        0 => "Every recorded call returned.".to_owned(),
        open => format!("{} never returned.", counted(open, "call")),
    };
    if figures.calls_cut_by_loss + figures.stops_without_start > 0 {
        text += &format!(
            " {} and {} are next to missing records.",
            counted(figures.calls_cut_by_loss, "open call"),
            counted(figures.stops_without_start, "return"),
        );
    }
    if !is_whole(figures) {
        text += " The figures below are of the records that remain.";
    }
    let Some(violations) = figures.driver_violations else { return text };
    text += &format!(
        " {} failed. The runtime reported {}; other reports check further driver rules. The debug layer reported {} ({} \
         errors).",
        counted(figures.calls_failed, "API call"),
        counted(violations, "driver violation"),
        counted(figures.debug_messages, "message"),
        grouped(figures.debug_errors),
    );
    text
}

fn leaks(leaks: &LeaksFigures, whole: bool) -> String {
    if leaks.heaps + leaks.resources == 0 {
        return match whole {
            true => "No leaks: all heaps and resources are released at the end.".to_owned(),
            false => "No leaks in the records that remain.".to_owned(),
        };
    }
    let at = if whole { "at the end" } else { "at the end of the records that remain" };
    format!(
        "Not released {at}: {} with {} and {} with {}.",
        counted(leaks.heaps, "heap"),
        binary_bytes(leaks.heap_bytes),
        counted(leaks.resources, "resource"),
        binary_bytes(leaks.resource_bytes),
    )
}
