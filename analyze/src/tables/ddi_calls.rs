//! `ddi_calls`: DDI calls.

use super::Table;
use super::column::columns;
use super::frame::Frame;
use super::wide::{CallPlace, WideCalls};
use crate::analysis::Analysis;
use crate::columns::Events;
use crate::error::AnalyzeError;
use taut_schemas::{Layer, Opcode};

pub(super) const TABLE: Table = Table {
    name: "ddi_calls",
    description: "One DDI call, start and stop joined, in the order of all threads; null where it never returned.",
    columns: columns![
        call: U64, "The API call it was made in, by its number in the table `calls`; null where that one's start was lost, and in what the machine does by itself.";
        thread: U32, "The thread it was made on.";
        name: Text, "Name of the call.";
        start_stamp: U64, "When it began, in ticks.";
        stop_stamp: U64, "When it returned.";
        duration_ns: U64, "How long it took.";
    ],
    fields_of: Some(Layer::Ddi),
    make,
};

fn make(analysis: &Analysis, frame: &mut Frame<'_>) -> Result<(), AnalyzeError> {
    let wide = WideCalls::read(analysis, Layer::Ddi, TABLE.columns, frame)?;
    let events = Events::new(&analysis.trace().header().schema);
    let codes: Vec<_> = events.of(Layer::Ddi, Opcode::Start).map(|event| event.code).collect();
    let mut places: Vec<CallPlace> = Vec::new();
    for (thread_index, thread) in (0..).zip(&wide.records.threads) {
        let calls = (0..).zip(&thread.calls).filter(|(_, call)| codes.contains(&call.code));
        places.extend(calls.map(|(index, _)| (thread_index, index)));
    }
    // Threads come in the order of their numbers.
    places.sort_by_key(|place| (wide.call(*place).stamp, place.0));
    frame.column("call", || {
        let numbers = wide.records.api_calls();
        places.iter().map(|(thread, index)| numbers[*thread as usize][*index as usize]).collect::<Vec<Option<u64>>>()
    });
    wide.columns(analysis, &places, frame)
}
