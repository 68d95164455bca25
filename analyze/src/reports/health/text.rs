//! Text of the health report.

use super::verdict::is_whole;
use super::{HealthFigures, LeaksFigures};
use crate::events::FilePositions;
use crate::render::{Document, TextTable, binary_bytes, counted, grouped, percent, span};
use crate::reports::log_differences;

/// Maximum number of table rows.
const ROWS: usize = 20;

pub(super) fn document(figures: &HealthFigures, positions: FilePositions) -> Document {
    let mut document = Document::new("Health: how far the recording can be trusted, and how the program behaves");
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
        let caption = "Calls that never returned, the first of them";
        let mut table = TextTable::new(caption, ["Call", "Thread", "Began at stamp"]);
        for open in &figures.first_never_returned {
            table.row(&open.call, [open.thread.to_string(), open.at_stamp.to_string()]);
        }
        document.table(table);
    }
    if !figures.failed.is_empty() {
        let mut table = TextTable::new("API calls that failed", ["Call", "Result", "Times"]);
        for failed in figures.failed.iter().take(ROWS) {
            table.row(&failed.call, [failed.hr.clone(), grouped(failed.count)]);
        }
        document.table(table);
    }
    if !figures.violations.is_empty() {
        let titles = ["Rule", "", "Times", "First"];
        let mut table = TextTable::new("What the driver did wrong", titles).words(1).words(3);
        for one in figures.violations.iter().take(ROWS) {
            let sort = if one.lint { "advice" } else { "broken" };
            table.row(&one.rule, [sort.to_owned(), grouped(one.count), one.description.clone()]);
        }
        document.table(table);
    }
    if !figures.messages.is_empty() {
        let titles = ["Message", "Severity", "Times", "First"];
        let mut table = TextTable::new("What the debug layer says", titles).words(1).words(3);
        for message in figures.messages.iter().take(ROWS) {
            let cells = [message.severity.clone(), grouped(message.count), message.description.clone()];
            table.row(format!("{} {}", message.message_id, message.name), cells);
        }
        document.table(table);
    }
    let Some(unreleased) = &figures.leaks else {
        document.text("A snapshot does not tell what is released.");
        return document;
    };
    document.text(leaks(unreleased, is_whole(figures)));
    if !unreleased.largest.is_empty() {
        let mut table = TextTable::new("The largest that are not released", ["", "Handle", "Size", "Created at stamp"]);
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
        0 if figures.complete => "; the recorder lost none.".to_owned(),
        0 => "; how many the recorder lost is not known.".to_owned(),
        lost if !figures.complete => format!("; the recorder lost {} or more.", grouped(lost)),
        lost => format!("; the recorder lost {}.", grouped(lost)),
    };
    if figures.left_out_events > 0 {
        text += &format!(" Left out before them: {}.", counted(figures.left_out_events, "event"));
    }
    text += if figures.complete { " The file is complete." } else { " The recording did not end properly." };
    if figures.damaged_events > 0 {
        text += &format!(" Damage takes {} more.", grouped(figures.damaged_events));
    }
    text
}

fn clock(figures: &HealthFigures) -> String {
    let clock = &figures.clock;
    let mut text = match (clock.ticks_per_second, clock.span_ns) {
        (0, _) => format!("Stamps come from `{}`, which has an order but no time.", clock.source),
        (_, None) if clock.steps > 0 => {
            format!("Stamps come from `{}`, which counts events: they have an order but no time.", clock.source)
        }
        (ticks, Some(ns)) => {
            format!("Stamps come from `{}`, {} ticks a second, and span {}.", clock.source, grouped(ticks), span(ns))
        }
        (ticks, None) => format!("Stamps come from `{}`, {} ticks a second.", clock.source, grouped(ticks)),
    };
    if clock.one_tick_steps > 0 && clock.span_ns.is_some() {
        let share = clock.one_tick_steps as f64 / clock.steps.max(1) as f64;
        text += &format!(
            " {} of the steps between records are one tick: times that close tell order only.",
            percent(share)
        );
    }
    if clock.steps_not_forward > 0 {
        text += &format!(" {} go not forward: the order is broken there.", grouped(clock.steps_not_forward));
    }
    text
}

fn calls(figures: &HealthFigures) -> String {
    let mut text = match figures.calls_never_returned {
        0 if is_whole(figures) => "Every call returned.".to_owned(),
        0 => "No call is known to have never returned.".to_owned(),
        open => format!("{} never returned.", counted(open, "call")),
    };
    if figures.calls_cut_by_loss + figures.stops_without_start > 0 {
        text += &format!(
            " {} and {} stand where records are missing.",
            counted(figures.calls_cut_by_loss, "open call"),
            counted(figures.stops_without_start, "return"),
        );
    }
    if !is_whole(figures) {
        text += " What follows is of the records that are left.";
    }
    text += &format!(
        " {} failed. The driver broke rules {}; the debug layer said {}, {} of them errors.",
        counted(figures.calls_failed, "API call"),
        counted(figures.driver_violations, "time"),
        counted(figures.debug_messages, "message"),
        grouped(figures.debug_errors),
    );
    text
}

fn leaks(leaks: &LeaksFigures, whole: bool) -> String {
    if leaks.heaps + leaks.resources == 0 {
        return match whole {
            true => "Everything is released at the end.".to_owned(),
            false => "In what is left of the recording, nothing is left unreleased.".to_owned(),
        };
    }
    let at = if whole { "at the end" } else { "in what is left of the recording" };
    format!(
        "Not released {at}: {} with {} and {} with {}.",
        counted(leaks.heaps, "heap"),
        binary_bytes(leaks.heap_bytes),
        counted(leaks.resources, "resource"),
        binary_bytes(leaks.resource_bytes),
    )
}
