//! `ddi_calls`: DDI calls.

use super::Table;
use super::frame::Frame;
use super::wide::{CallPlace, WideCalls};
use crate::analysis::Analysis;
use crate::columns::Events;
use crate::error::AnalyzeError;
use polars::prelude::DataFrame;
use taut_schemas::{Layer, Opcode};

pub(super) const TABLE: Table = Table {
    name: "ddi_calls",
    description: "One DDI call, start and stop joined, in the order of all threads; `call` is that of the table `calls` \
                  it was made in.",
    make,
};

fn make(analysis: &Analysis<'_>) -> Result<DataFrame, AnalyzeError> {
    let wide = WideCalls::read(analysis, Layer::Ddi)?;
    let events = Events::new(&analysis.trace().header().schema);
    let codes: Vec<_> = events.of(Layer::Ddi, Opcode::Start).map(|event| event.code).collect();
    let mut places: Vec<CallPlace> = Vec::new();
    for (thread_index, thread) in (0..).zip(&wide.records.threads) {
        let calls = (0..).zip(&thread.calls).filter(|(_, call)| codes.contains(&call.code));
        places.extend(calls.map(|(index, _)| (thread_index, index)));
    }
    // Threads come in the order of their numbers.
    places.sort_by_key(|place| (wide.call(*place).stamp, place.0));
    let numbers = wide.records.api_calls();
    let mut frame = Frame::default();
    let outer = places.iter().map(|(thread, index)| numbers[*thread as usize][*index as usize]);
    frame.column("call", outer.collect::<Vec<_>>());
    wide.columns(analysis, &places, &mut frame);
    frame.finish()
}
