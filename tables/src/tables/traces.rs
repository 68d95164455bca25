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
    description: "The trace: one row. The lake has also `path`, where the trace lay when it was exported, and a text column \
                  `tag_KEY` for each `--tag KEY=VALUE`.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfTrace(make),
};

columns! {
    row of rows: &TraceRows<'_>;
    id: Text, "What the lake calls it: `trace=ID`. It follows from what the trace holds, not from where it lies.", trace_id(row);
    recording: Text, "Which recording it is: its identity in the header; empty of format version 0.", row.header().identity.id.as_str();
    workload: Text, "Name of the workload or of the input file.", row.header().world.workload.name.as_str();
    driver: Text, "Names of the driver models, joined by `+`.", row.header().world.drivers();
    rules: Text, "Name of the rule set.", row.header().world.rules.as_str();
    build: Text, "Program that recorded it, with its version; empty of format version 0.", build(&row.header().identity);
    date: Text, "When the recording began, UTC, as `2026-01-31T12:00:00Z`; null where equal runs are to make equal traces.", date(&row.header().identity);
    system: Text, "The operating system it was recorded on; null as `date` is.", recorded(row).map(|recording| recording.system.as_str());
    clock: Text, "Name of the clock that the stamps are of.", row.header().world.clock.source.as_str();
    ticks_per_second: I64, "Frequency of the clock; 0 where it has none.", row.header().world.clock.ticks_per_second;
    duration_ns: I64, "From the first stamp to the last; null without records, or where the clock has no frequency.", InputHead::new(row).span_ns();
    threads: I64, "Threads that have records.", row.summary().threads.len() as u64;
    events: I64, "Its records.", row.summary().events;
    lost_events: I64, "Events that the recorder counted but could not keep.", row.summary().lost_events;
    complete: Bool, "It ends as a finished trace does.", row.summary().complete;
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
