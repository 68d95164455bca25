//! `calls`: API calls.

use super::column::columns;
use super::wide::{WideCalls, some_at_a_time};
use super::{Make, Parts, Table};
use crate::error::TableError;
use std::ops::ControlFlow;
use taut_analyze::Analysis;
use taut_analyze::columns::CallRow;
use taut_schemas::Layer;

pub(super) const TABLE: Table = Table {
    name: "calls",
    description: "One API call, start and stop joined, in the order of all threads; null where it never returned.",
    columns: columns![
        call: I64, "Its number, from 0.";
        seq: I64, "`seq` of the call log's line that it is; null where the workload follows no log.";
        thread: I64, "The application thread that made it.";
        name: Text, "Name of the call.";
        provider: Text, "The family of the call, such as `d3d12`; names are unique per provider.";
        start_stamp: I64, "When it began, in ticks: with `thread` the order of all calls.";
        stop_stamp: I64, "When it returned.";
        duration_ns: I64, "How long it took.";
    ],
    fields_of: Some(Layer::Api),
    make: Make::InParts(make),
};

fn make(analysis: &Analysis, parts: &mut Parts<'_>) -> Result<(), TableError> {
    let wide = WideCalls::new(analysis, Layer::Api, TABLE.columns, parts.wanted);
    wide.stream().each(|rows| {
        let calls: Vec<&CallRow> = rows.rows.iter().collect();
        for calls in some_at_a_time(&calls) {
            let mut frame = parts.frame();
            frame.column("call", || calls.iter().map(|row| row.call).collect::<Vec<Option<u64>>>());
            frame.column("seq", || calls.iter().map(|row| row.seq).collect::<Vec<Option<u64>>>());
            wide.columns(&rows, calls, &mut frame)?;
            if parts.give(frame)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    })
}
