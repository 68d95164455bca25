//! Tables of single calls and marks: one row per occurrence, with its fields as columns.

use super::column::{ColumnDoc, TableColumn, TypeConversion, columns};
use super::parts::{Map, Take};
use super::wide::{WideCalls, WideField, WideRows};
use super::{Parts, gathered};
use crate::error::TableError;
use polars::prelude::DataFrame;
use taut_analyze::Analysis;
use taut_schemas::{EventSchema, Layer, Opcode, RUNDOWN_PROVIDER, SchemaTable};

/// Table of one call or mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventTable {
    /// Family of the call or mark.
    pub provider: String,
    /// Name, unique in the family.
    pub name: String,
}

/// Leading columns of a table, which depend on the kind of its events.
struct Heading {
    columns: &'static [ColumnDoc],
    fill: fn(&WideRows<'_>, &mut super::frame::Frame<'_>) -> Result<(), TableError>,
}

mod api {
    use super::*;
    columns! {
        row of rows: &WideRows<'_>;
        call: I64, "Number of the call among all API calls, from 0.", row.call;
        seq: I64, "`seq` of the call log line of the call; null without a call log.", row.seq;
        thread: I64, "Thread of the call.", rows.thread(row);
        start_stamp: I64, "Start, in ticks.", row.joined.stamp;
        stop_stamp: I64, "Return, in ticks; null if the call never returned.", WideRows::stop_stamp(row);
        duration_ns: I64, "Time from start to return.", rows.duration_ns(row);
    }
    pub const HEADING: Heading = Heading { columns: COLUMNS, fill };
}

mod call {
    use super::*;
    columns! {
        row of rows: &WideRows<'_>;
        call: I64, "Number, in `calls`, of the enclosing API call; null without one.", row.call;
        thread: I64, "Thread of the call.", rows.thread(row);
        start_stamp: I64, "Start, in ticks.", row.joined.stamp;
        stop_stamp: I64, "Return, in ticks; null if the call never returned.", WideRows::stop_stamp(row);
        duration_ns: I64, "Time from start to return.", rows.duration_ns(row);
    }
    pub const HEADING: Heading = Heading { columns: COLUMNS, fill };
}

mod mark {
    use super::*;
    columns! {
        row of rows: &WideRows<'_>;
        call: I64, "Number, in `calls`, of the enclosing API call; null without one.", row.call;
        thread: I64, "Thread of the mark.", rows.thread(row);
        stamp: I64, "Time of the mark, in ticks.", row.joined.stamp;
    }
    pub const HEADING: Heading = Heading { columns: COLUMNS, fill };
}

impl EventTable {
    /// Tables of all calls and marks of a schema table, in its order.
    pub fn all(schema: &SchemaTable) -> Vec<EventTable> {
        let events = schema.events.iter().filter(|event| event.opcode != Opcode::Stop);
        events.map(|event| EventTable { provider: event.provider.clone(), name: event.name.clone() }).collect()
    }

    /// `PROVIDER.NAME`.
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.provider, self.name)
    }

    /// True for the records of a rundown: queries reach them only as `state.NAME`, because names such as `Resource` would
    /// otherwise answer a query of the table `resources` that is misspelt.
    pub fn needs_provider(&self) -> bool {
        self.provider == RUNDOWN_PROVIDER
    }

    /// Finds the call's start, or the mark, in a schema table.
    pub(crate) fn event<'s>(&self, schema: &'s SchemaTable) -> Option<&'s EventSchema> {
        let is_it = |event: &&EventSchema| {
            event.opcode != Opcode::Stop && event.name == self.name && event.provider == self.provider
        };
        schema.events.iter().find(is_it)
    }

    /// Columns for a schema table; empty if it does not have the call or mark.
    pub fn columns(&self, schema: &SchemaTable) -> Vec<TableColumn> {
        let Some(event) = self.event(schema) else { return Vec::new() };
        let columns = heading(event).columns;
        let fields = WideField::of_event(schema, event, columns);
        columns.iter().map(TableColumn::from).chain(fields.iter().map(TableColumn::from)).collect()
    }

    /// Number of columns before the fields.
    pub(crate) fn columns_before_fields(&self, schema: &SchemaTable) -> usize {
        self.event(schema).map_or(0, |event| heading(event).columns.len())
    }

    /// Computes the table of a trace, with the wanted columns or with all.
    ///
    /// # Errors
    /// The table cannot be computed from this trace.
    pub fn frame(&self, analysis: &Analysis, wanted: Option<&[String]>) -> Result<DataFrame, TableError> {
        gathered(None, |take| self.parts(analysis, wanted, &Ok, take))
    }

    /// Computes the table in chunks, as [`Table::parts`](super::Table::parts); no chunk for a trace without the call or
    /// mark.
    ///
    /// # Errors
    /// The table cannot be computed from this trace, or `map` or `take` failed.
    pub(crate) fn parts(
        &self,
        analysis: &Analysis,
        wanted: Option<&[String]>,
        map: &Map<'_>,
        take: &mut Take<'_>,
    ) -> Result<(), TableError> {
        let schema = &analysis.trace().header().schema;
        let Some(event) = self.event(schema) else { return Ok(()) };
        let columns = self.columns(schema);
        let name = self.full_name();
        let conversion = TypeConversion::new(&name, &columns);
        let map = |part: DataFrame| map(conversion.part(part)?);
        let Heading { columns: taken, fill } = heading(event);
        let mut parts = Parts { wanted, selection: None, map: &map, take };
        WideCalls::of_event(analysis, event, taken, wanted).each(&mut parts, fill)
    }
}

fn heading(event: &EventSchema) -> Heading {
    match (event.layer, event.opcode) {
        (Layer::Api, Opcode::Start) => api::HEADING,
        (_, Opcode::Info) => mark::HEADING,
        _ => call::HEADING,
    }
}
