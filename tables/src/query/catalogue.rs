//! Which tables there are to be asked, and how they are called.

use super::plan::{Found, Kind, Relation, Tables};
use super::scan::{self, TableScan};
use super::{NamedTrace, QueryError};
use crate::formats::ReadLake;
use crate::tables::{AnyTable, ColumnKind, EventTable, TABLES, Table, TableColumn};
use polars::prelude::{DataFrame, IntoLazy};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A table as it is listed.
#[derive(Debug, Clone)]
pub struct ListedTable {
    /// The shortest name that means it.
    pub name: String,
    /// `PROVIDER.NAME` of the table of a call or mark.
    pub full_name: Option<String>,
    /// Its columns, of all traces.
    pub columns: Vec<TableColumn>,
    /// Its records in all traces; none of a table that is not of one call or mark.
    pub records: Option<u64>,
}

/// The tables of some traces.
pub(super) struct TraceTables {
    traces: Arc<[NamedTrace]>,
    /// The calls and marks of all traces.
    events: Vec<EventTable>,
    ended: Arc<AtomicBool>,
}

impl TraceTables {
    pub fn new(traces: Arc<[NamedTrace]>) -> TraceTables {
        let mut events = Vec::new();
        let mut known = BTreeSet::new();
        for trace in traces.iter() {
            for event in EventTable::all(&trace.analysis.trace().header().schema) {
                if known.insert((event.provider.clone(), event.name.clone())) {
                    events.push(event);
                }
            }
        }
        TraceTables { traces, events, ended: Arc::default() }
    }

    fn records(&self, event: &EventTable) -> u64 {
        let of_trace = |trace: &NamedTrace| {
            let trace = trace.analysis.trace();
            let code = event.event(&trace.header().schema)?.code;
            trace.summary().codes.iter().find(|(known, _)| *known == code).map(|(_, records)| *records)
        };
        self.traces.iter().filter_map(of_trace).sum()
    }

    /// The shortest name that means a call or mark.
    fn name(&self, event: &EventTable) -> String {
        let is_taken = TABLES.iter().any(|table| table.name.eq_ignore_ascii_case(&event.name));
        let alike = self.events.iter().filter(|other| other.name.eq_ignore_ascii_case(&event.name)).count();
        if is_taken || alike > 1 { event.full_name() } else { event.name.clone() }
    }

    fn relation(&self, table: AnyTable) -> Result<Relation, QueryError> {
        relation(TableScan::new(table, self.traces.clone(), self.ended.clone()))
    }
}

impl Tables for TraceTables {
    fn end_by(&mut self, ended: Arc<AtomicBool>) {
        self.ended = ended;
    }

    fn listed(&self) -> Vec<ListedTable> {
        let made = TABLES.iter().map(|table| ListedTable {
            name: table.name.to_owned(),
            full_name: None,
            columns: scan::columns(&AnyTable::Made(table), &self.traces),
            records: None,
        });
        let of_events = self.events.iter().map(|event| ListedTable {
            name: self.name(event),
            full_name: Some(event.full_name()),
            columns: scan::columns(&AnyTable::OfEvent(event.clone()), &self.traces),
            records: Some(self.records(event)),
        });
        made.chain(of_events).collect()
    }

    fn names(&self) -> Vec<String> {
        let made = TABLES.iter().map(|table| table.name.to_owned());
        made.chain(self.events.iter().map(|event| self.name(event))).collect()
    }

    fn fixed(&self) -> Vec<String> {
        TABLES.iter().map(|table| table.name.to_owned()).collect()
    }

    fn shown(&self) -> Vec<String> {
        let made = TABLES.iter().map(|table| table.name.to_owned());
        let held = self.events.iter().filter(|event| self.records(event) > 0);
        made.chain(held.map(|event| self.name(event))).collect()
    }

    fn find(&self, provider: Option<&str>, name: &str) -> Result<Found, QueryError> {
        let made = TABLES.iter().find(|table| provider.is_none() && table.name.eq_ignore_ascii_case(name));
        if let Some(table) = made {
            return Ok(Found::One(Box::new(self.relation(AnyTable::Made(table))?)));
        }
        let is_it = |event: &&EventTable| {
            event.name.eq_ignore_ascii_case(name)
                && provider.is_none_or(|provider| event.provider.eq_ignore_ascii_case(provider))
        };
        match self.events.iter().filter(is_it).collect::<Vec<_>>().as_slice() {
            [] => Ok(Found::None),
            [one] => Ok(Found::One(Box::new(self.relation(AnyTable::OfEvent((*one).clone()))?))),
            several => Ok(Found::Several(several.iter().map(|event| event.full_name()).collect())),
        }
    }
}

/// The tables of a lake.
pub(super) struct LakeTables {
    lake: Arc<ReadLake>,
    ended: Arc<AtomicBool>,
}

impl LakeTables {
    pub fn new(lake: Arc<ReadLake>) -> LakeTables {
        LakeTables { lake, ended: Arc::default() }
    }

    fn names() -> Vec<String> {
        TABLES.iter().map(|table| table.name.to_owned()).collect()
    }
}

impl Tables for LakeTables {
    fn end_by(&mut self, ended: Arc<AtomicBool>) {
        self.ended = ended;
    }

    fn names(&self) -> Vec<String> {
        LakeTables::names()
    }

    fn fixed(&self) -> Vec<String> {
        LakeTables::names()
    }

    fn shown(&self) -> Vec<String> {
        LakeTables::names()
    }

    fn listed(&self) -> Vec<ListedTable> {
        let columns = |table: &Table| {
            let found = self.lake.shown_columns(table.name);
            let with_doc = |column: TableColumn| {
                let known = table.columns.iter().find(|known| known.name == column.name);
                let doc = known.map_or(column.doc, |known| known.doc.into());
                TableColumn { doc, ..column }
            };
            found.into_iter().map(with_doc).collect()
        };
        let one = |table: &Table| ListedTable {
            name: table.name.to_owned(),
            full_name: None,
            columns: columns(table),
            records: None,
        };
        TABLES.iter().map(one).collect()
    }

    fn find(&self, provider: Option<&str>, name: &str) -> Result<Found, QueryError> {
        let known = TABLES.iter().find(|table| provider.is_none() && table.name.eq_ignore_ascii_case(name));
        let Some(table) = known else { return Ok(Found::None) };
        let table = self.lake.table(table.name).map_err(|error| QueryError::Data(error.to_string()))?;
        relation(TableScan::of_lake(table, self.ended.clone())).map(|found| Found::One(Box::new(found)))
    }
}

/// A table as questions see it.
fn relation(scan: TableScan) -> Result<Relation, QueryError> {
    let schema = scan.schema_of_all();
    let frame = scan.lazy().map_err(|error| QueryError::of(&error))?;
    Ok(Relation { frame, columns: schema.iter().map(|(name, kind)| (name.to_string(), Kind::of(kind))).collect() })
}

/// Tables that are in memory.
pub(super) struct FrameTables(pub Vec<(String, DataFrame)>);

impl Tables for FrameTables {
    fn end_by(&mut self, _: Arc<AtomicBool>) {}

    fn names(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| name.clone()).collect()
    }

    fn listed(&self) -> Vec<ListedTable> {
        let columns = |frame: &DataFrame| {
            let named = frame.columns().iter().map(|column| column.name().to_string());
            // What is in memory is not said in the words of the documentation.
            named.map(|name| TableColumn::new(name, ColumnKind::Text, "")).collect()
        };
        let one = |(name, frame): &(String, DataFrame)| ListedTable {
            name: name.clone(),
            full_name: None,
            columns: columns(frame),
            records: None,
        };
        self.0.iter().map(one).collect()
    }

    fn fixed(&self) -> Vec<String> {
        self.names()
    }

    fn shown(&self) -> Vec<String> {
        self.names()
    }

    fn find(&self, provider: Option<&str>, name: &str) -> Result<Found, QueryError> {
        let known = self.0.iter().find(|(known, _)| provider.is_none() && known.eq_ignore_ascii_case(name));
        Ok(known.map_or(Found::None, |(_, frame)| {
            let kinds = frame.schema().iter().map(|(name, kind)| (name.to_string(), Kind::of(kind))).collect();
            Found::One(Box::new(Relation { frame: frame.clone().lazy(), columns: kinds }))
        }))
    }
}
