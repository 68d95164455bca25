//! `calls`: API calls.

use super::Table;
use super::column::columns;
use super::frame::Frame;
use super::wide::WideCalls;
use crate::analysis::Analysis;
use crate::columns::LineKind;
use crate::error::AnalyzeError;
use taut_schemas::Layer;

pub(super) const TABLE: Table = Table {
    name: "calls",
    description: "One API call, start and stop joined, in the order of all threads; null where it never returned.",
    columns: columns![
        call: U64, "Its number, from 0.";
        seq: U64, "Line of the call log that it is; null where the workload follows no log.";
        thread: U32, "The application thread that made it.";
        name: Text, "Name of the call.";
        start_stamp: U64, "When it began, in ticks: with `thread` the order of all calls.";
        stop_stamp: U64, "When it returned.";
        duration_ns: U64, "How long it took.";
    ],
    fields_of: Some(Layer::Api),
    make,
};

fn make(analysis: &Analysis, frame: &mut Frame<'_>) -> Result<(), AnalyzeError> {
    let wide = WideCalls::read(analysis, Layer::Api, TABLE.columns, frame)?;
    let (mut places, mut seqs) = (Vec::new(), Vec::new());
    for line in &wide.records.lines.lines {
        if let LineKind::Call(index) = line.kind {
            places.push((line.thread_index, index));
            seqs.push(line.moment.seq);
        }
    }
    frame.column("call", || (0..places.len() as u64).collect::<Vec<u64>>());
    frame.column("seq", || seqs);
    wide.columns(analysis, &places, frame)
}
