//! `calls`: API calls.

use super::column::columns;
use super::wide::{WideCalls, WideRows};
use super::{Make, Parts, Table};
use crate::error::TableError;
use taut_analyze::Analysis;
use taut_schemas::Layer;

pub(super) const TABLE: Table = Table {
    name: "calls",
    description: "One row per API call, start and stop joined, in the order of all threads. Columns of the stop are \
                  null if the call never returned.",
    columns: COLUMNS,
    fields_of: Some(Layer::Api),
    make: Make::InParts(make),
};

columns! {
    row of rows: &WideRows<'_>;
    call: I64, "Number of the call, from 0.", row.call;
    seq: I64, "`seq` of the call log line of the call; null without a call log.", row.seq;
    thread: I64, "Application thread of the call.", rows.thread(row);
    name: Text in rows.names(), "Name of the call.", rows.place(row);
    provider: Text in rows.providers(), "Event family of the call, such as `d3d12`; names are unique per provider.", rows.place(row);
    start_stamp: I64, "Start, in ticks; (`start_stamp`, `thread`) is the order of all calls.", row.joined.stamp;
    stop_stamp: I64, "Return, in ticks.", WideRows::stop_stamp(row);
    duration_ns: I64, "Time from start to return.", rows.duration_ns(row);
    code: I64, "Event code of the start, as in `events`; the code of the stop is one more.", u32::from(row.joined.code.0);
}

fn make(analysis: &Analysis, parts: &mut Parts<'_>) -> Result<(), TableError> {
    WideCalls::new(analysis, Layer::Api, COLUMNS, parts.wanted).each(parts, fill)
}
