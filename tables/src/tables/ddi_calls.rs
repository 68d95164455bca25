//! `ddi_calls`: DDI calls.

use super::column::columns;
use super::wide::{WideCalls, WideRows};
use super::{Make, Parts, Table};
use crate::error::TableError;
use taut_analyze::Analysis;
use taut_schemas::Layer;

pub(super) const TABLE: Table = Table {
    name: "ddi_calls",
    description: "One DDI call, start and stop joined, in the order of all threads; null where it never returned.",
    columns: COLUMNS,
    fields_of: Some(Layer::Ddi),
    make: Make::InParts(make),
};

columns! {
    row of rows: &WideRows<'_>;
    call: I64, "The API call it was made in, by its number in the table `calls`; null where that one's start was lost, and in what the machine does by itself.", row.call;
    thread: I64, "The thread it was made on.", rows.thread(row);
    name: Text in rows.names(), "Name of the call.", rows.place(row);
    provider: Text in rows.providers(), "The family of the call, such as `d3d12_ddi`; names are unique per provider.", rows.place(row);
    start_stamp: I64, "When it began, in ticks.", row.joined.stamp;
    stop_stamp: I64, "When it returned.", WideRows::stop_stamp(row);
    duration_ns: I64, "How long it took.", rows.duration_ns(row);
    code: I64, "Number of the event that its start is, as in `events`; its stop's is one more.", u32::from(row.joined.code.0);
}

fn make(analysis: &Analysis, parts: &mut Parts<'_>) -> Result<(), TableError> {
    WideCalls::new(analysis, Layer::Ddi, COLUMNS, parts.wanted).each(parts, fill)
}
