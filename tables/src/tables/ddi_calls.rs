//! `ddi_calls`: DDI calls.

use super::column::columns;
use super::wide::{WideCalls, some_at_a_time};
use super::{Make, Parts, Table};
use crate::error::TableError;
use std::ops::ControlFlow;
use taut_analyze::Analysis;
use taut_analyze::columns::CallRow;
use taut_schemas::Layer;

pub(super) const TABLE: Table = Table {
    name: "ddi_calls",
    description: "One DDI call, start and stop joined, in the order of all threads; null where it never returned.",
    columns: columns![
        call: I64, "The API call it was made in, by its number in the table `calls`; null where that one's start was lost, and in what the machine does by itself.";
        thread: I64, "The thread it was made on.";
        name: Text, "Name of the call.";
        provider: Text, "The family of the call, such as `d3d12_ddi`; names are unique per provider.";
        start_stamp: I64, "When it began, in ticks.";
        stop_stamp: I64, "When it returned.";
        duration_ns: I64, "How long it took.";
    ],
    fields_of: Some(Layer::Ddi),
    make: Make::InParts(make),
};

fn make(analysis: &Analysis, parts: &mut Parts<'_>) -> Result<(), TableError> {
    let wide = WideCalls::new(analysis, Layer::Ddi, TABLE.columns, parts.wanted);
    wide.stream().each(|rows| {
        let calls: Vec<&CallRow> = rows.rows.iter().filter(|row| wide.is_of(row)).collect();
        for calls in some_at_a_time(&calls) {
            let mut frame = parts.frame();
            frame.column("call", || calls.iter().map(|row| row.call).collect::<Vec<Option<u64>>>());
            wide.columns(&rows, calls, &mut frame)?;
            if parts.give(frame)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    })
}
