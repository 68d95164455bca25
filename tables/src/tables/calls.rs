//! `calls`: API calls.

use super::column::columns;
use super::wide::{WideCalls, WideRows};
use super::{Make, Parts, Table};
use crate::error::TableError;
use taut_analyze::Analysis;
use taut_schemas::Layer;

pub(super) const TABLE: Table = Table {
    name: "calls",
    description: "One API call, start and stop joined, in the order of all threads; null where it never returned.",
    columns: COLUMNS,
    fields_of: Some(Layer::Api),
    make: Make::InParts(make),
};

columns! {
    row of rows: &WideRows<'_>;
    call: I64, "Its number, from 0.", row.call;
    seq: I64, "`seq` of the call log's line that it is; null where the workload follows no log.", row.seq;
    thread: I64, "The application thread that made it.", rows.thread(row);
    name: Text in rows.names(), "Name of the call.", rows.place(row);
    provider: Text in rows.providers(), "The family of the call, such as `d3d12`; names are unique per provider.", rows.place(row);
    start_stamp: I64, "When it began, in ticks: with `thread` the order of all calls.", row.joined.stamp;
    stop_stamp: I64, "When it returned.", WideRows::stop_stamp(row);
    duration_ns: I64, "How long it took.", rows.duration_ns(row);
    code: I64, "Number of the event that its start is, as in `events`; its stop's is one more.", u32::from(row.joined.code.0);
}

fn make(analysis: &Analysis, parts: &mut Parts<'_>) -> Result<(), TableError> {
    WideCalls::new(analysis, Layer::Api, COLUMNS, parts.wanted).each(parts, fill)
}
