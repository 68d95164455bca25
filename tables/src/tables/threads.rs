//! `threads`: threads of the trace, with their processes.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use std::collections::BTreeMap;
use taut_analyze::Analysis;
use taut_analyze::imported::{Processes, is_imported};
use taut_traces::{StreamInfo, ThreadSummary};

pub(super) const TABLE: Table = Table {
    name: "threads",
    description: "One row per thread with records, in order of the threads' numbers.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfTrace(make),
};

columns! {
    row of rows: &ThreadRows<'_>;
    thread: I64, "Number of the thread in the trace, as in `events`.", row.thread;
    process: I64, "Number of the process; null if the trace does not have it.", rows.stream(row).map(|stream| stream.process);
    process_name: Text, "File name of the process; null if the trace does not have it.", rows.process_name(row);
    system_thread: I64, "Number of the thread in the operating system; null if the trace does not have it.", rows.stream(row).map(|stream| stream.system_thread).filter(|thread| *thread != 0);
    name: Text, "Name of the thread; null without one.", rows.stream(row).map(|stream| stream.name.as_str()).filter(|name| !name.is_empty());
    records: I64, "Number of records.", row.events;
}

struct ThreadRows<'a> {
    threads: &'a [ThreadSummary],
    /// First thread of the operating system that wrote each stream.
    streams: BTreeMap<u32, StreamInfo>,
    names: BTreeMap<u32, String>,
}

impl<'a> ThreadRows<'a> {
    fn all(&self) -> impl Iterator<Item = &'a ThreadSummary> {
        self.threads.iter()
    }

    fn stream(&self, row: &ThreadSummary) -> Option<&StreamInfo> {
        self.streams.get(&row.thread)
    }

    fn process_name(&self, row: &ThreadSummary) -> Option<&str> {
        self.names.get(&self.stream(row)?.process).map(String::as_str)
    }
}

fn make(analysis: &Analysis, frame: &mut Frame<'_>) -> Result<(), TableError> {
    let trace = analysis.trace();
    let names = match frame.wants("process_name") && is_imported(trace) {
        true => Processes::names(analysis.source())?,
        false => BTreeMap::new(),
    };
    let mut streams = BTreeMap::new();
    for stream in trace.streams() {
        streams.entry(stream.stream).or_insert(stream);
    }
    fill(&ThreadRows { threads: &trace.summary().threads, streams, names }, frame)
}
