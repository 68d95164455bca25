//! `traces`: the trace as a whole.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use std::time::{Duration, UNIX_EPOCH};
use taut_analyze::export::trace_id;
use taut_analyze::{Analysis, InputHead};
use taut_traces::{Identity, Recording, Trace};

pub(super) const TABLE: Table = Table {
    name: "traces",
    description: "One row: the trace. A lake also has `path`, the trace's location at export, and a text column \
                  `tag_KEY` for each `--tag KEY=VALUE`.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfTrace(make),
};

columns! {
    row of rows: &TraceRows<'_>;
    id: Text, "Id of the trace in the lake (`trace=ID`), derived from the contents, not from the path.", trace_id(row);
    recording: Text, "Id of the recording, from the header; empty in format version 0.", row.header().identity.id.as_str();
    workload: Text, "Name of the workload or of the input file.", row.header().world.workload.name.as_str();
    driver: Text, "Names of the driver models, joined by `+`.", row.header().world.drivers();
    rules: Text, "Name of the rule set.", row.header().world.rules.as_str();
    build: Text, "Program that recorded the trace, with its version; empty in format version 0.", build(&row.header().identity);
    date: Text, "Begin of the recording, UTC, as `2026-01-31T12:00:00Z`; null in a reproducible recording.", date(&row.header().identity);
    system: Text, "Operating system of the recording; null if `date` is null.", recorded(row).map(|recording| recording.system.as_str());
    clock: Text, "Name of the stamps' clock.", row.header().world.clock.source.as_str();
    ticks_per_second: I64, "Frequency of the clock; 0 without a frequency.", row.header().world.clock.ticks_per_second;
    duration_ns: I64, "Time from the first stamp to the last; null without records or without a clock frequency.", InputHead::new(row).span_ns();
    threads: I64, "Number of threads with records.", row.summary().threads.len() as u64;
    events: I64, "Number of records.", row.summary().events;
    lost_events: I64, "Events that the recorder counted but could not store.", row.summary().lost_events;
    complete: Bool, "True if the trace is finished.", row.summary().complete;
    file_bytes: I64, "Size of the file.", row.summary().file_bytes;
}

struct TraceRows<'a> {
    trace: &'a Trace,
}

fn make(analysis: &Analysis, frame: &mut Frame<'_>) -> Result<(), TableError> {
    fill(&TraceRows { trace: analysis.trace() }, frame)
}

impl<'a> TraceRows<'a> {
    fn all(&self) -> impl Iterator<Item = &'a Trace> {
        std::iter::once(self.trace)
    }
}

fn build(identity: &Identity) -> String {
    format!("{} {}", identity.recorder, identity.recorder_version).trim().to_owned()
}

fn recorded(trace: &Trace) -> Option<&Recording> {
    trace.header().identity.recording.as_ref()
}

/// Formats the recording's start. `None` also for a time beyond the calendar, which a broken trace may hold.
fn date(identity: &Identity) -> Option<String> {
    let began = Duration::from_nanos(identity.recording.as_ref()?.began_at_unix_ns);
    Some(humantime::format_rfc3339_seconds(UNIX_EPOCH.checked_add(began)?).to_string())
}
