//! A table for each call and each mark: one row each time, its fields as columns.

use super::column::{self, ColumnDoc, TableColumn, columns};
use super::wide::{WideCalls, WideField, WideRows};
use super::{Parts, gathered};
use crate::error::TableError;
use polars::prelude::DataFrame;
use std::ops::ControlFlow;
use taut_analyze::Analysis;
use taut_schemas::{EventSchema, Layer, Opcode, SchemaTable};

/// The table of one call or mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventTable {
    /// The family that the call or mark belongs to.
    pub provider: String,
    /// Its name, unique in the family.
    pub name: String,
}

/// What a row begins with, by what it is of.
struct Heading {
    columns: &'static [ColumnDoc],
    fill: fn(&WideRows<'_>, &mut super::frame::Frame<'_>) -> Result<(), TableError>,
}

mod api {
    use super::*;
    columns! {
        row of rows: &WideRows<'_>;
        call: I64, "Its number among all API calls, from 0.", row.call;
        seq: I64, "`seq` of the call log's line that it is; null where the workload follows no log.", row.seq;
        thread: I64, "The thread that made it.", rows.thread(row);
        start_stamp: I64, "When it began, in ticks.", row.joined.stamp;
        stop_stamp: I64, "When it returned; null if it never did.", WideRows::stop_stamp(row);
        duration_ns: I64, "How long it took.", rows.duration_ns(row);
    }
    pub const HEADING: Heading = Heading { columns: COLUMNS, fill };
}

mod call {
    use super::*;
    columns! {
        row of rows: &WideRows<'_>;
        call: I64, "The API call it was made in, by its number in the table `calls`; null where there is none.", row.call;
        thread: I64, "The thread it was made on.", rows.thread(row);
        start_stamp: I64, "When it began, in ticks.", row.joined.stamp;
        stop_stamp: I64, "When it returned; null if it never did.", WideRows::stop_stamp(row);
        duration_ns: I64, "How long it took.", rows.duration_ns(row);
    }
    pub const HEADING: Heading = Heading { columns: COLUMNS, fill };
}

mod mark {
    use super::*;
    columns! {
        row of rows: &WideRows<'_>;
        call: I64, "The API call it was made in, by its number in the table `calls`; null where there is none.", row.call;
        thread: I64, "The thread it was made on.", rows.thread(row);
        stamp: I64, "When, in ticks.", row.joined.stamp;
    }
    pub const HEADING: Heading = Heading { columns: COLUMNS, fill };
}

impl EventTable {
    /// Those of a schema table, in the order of its events.
    pub fn all(schema: &SchemaTable) -> Vec<EventTable> {
        let events = schema.events.iter().filter(|event| event.opcode != Opcode::Stop);
        events.map(|event| EventTable { provider: event.provider.clone(), name: event.name.clone() }).collect()
    }

    /// `PROVIDER.NAME`.
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.provider, self.name)
    }

    /// The start, or the mark, in a schema table.
    pub(crate) fn event<'s>(&self, schema: &'s SchemaTable) -> Option<&'s EventSchema> {
        let is_it = |event: &&EventSchema| {
            event.opcode != Opcode::Stop && event.name == self.name && event.provider == self.provider
        };
        schema.events.iter().find(is_it)
    }

    /// Its columns, as a schema table has the call or mark; none if it has not.
    pub fn columns(&self, schema: &SchemaTable) -> Vec<TableColumn> {
        let Some(event) = self.event(schema) else { return Vec::new() };
        let columns = heading(event).columns;
        let fields = WideField::of_event(schema, event, columns);
        columns.iter().map(TableColumn::from).chain(fields.iter().map(TableColumn::from)).collect()
    }

    /// How many of its columns stand before the fields.
    pub(crate) fn columns_before_fields(&self, schema: &SchemaTable) -> usize {
        self.event(schema).map_or(0, |event| heading(event).columns.len())
    }

    /// Its frame of a trace, of the wanted columns only; of all, if none are named.
    ///
    /// # Errors
    /// It cannot be made of this trace.
    pub fn frame(&self, analysis: &Analysis, wanted: Option<&[String]>) -> Result<DataFrame, TableError> {
        gathered(None, |take| self.parts(analysis, wanted, &Ok, take))
    }

    /// The same a part at a time, as [`Table::parts`](super::Table::parts); no part of a trace that does not know it.
    ///
    /// # Errors
    /// It cannot be made of this trace, or `map` or `take` failed.
    pub(crate) fn parts(
        &self,
        analysis: &Analysis,
        wanted: Option<&[String]>,
        map: &(dyn Fn(DataFrame) -> Result<DataFrame, TableError> + Sync),
        take: &mut (dyn FnMut(DataFrame) -> Result<ControlFlow<()>, TableError> + Send),
    ) -> Result<(), TableError> {
        let schema = &analysis.trace().header().schema;
        let Some(event) = self.event(schema) else { return Ok(()) };
        let columns = self.columns(schema);
        let map = |part: DataFrame| map(column::as_said(part, &columns)?);
        let Heading { columns: taken, fill } = heading(event);
        let mut parts = Parts { wanted, kept: None, map: &map, take };
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
