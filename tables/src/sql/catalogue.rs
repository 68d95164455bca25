//! Catalogue of the tables that queries can name.

use super::leaf::{Source, leaf};
use super::plan::{Found, Kind, Relation, Tables};
use super::scan::{self, TableScan};
use super::{NamedTrace, QueryError};
use crate::parquet::ReadLake;
use crate::tables::{AnyTable, ColumnKind, EventTable, TABLES, Table, TableColumn};
use polars::prelude::{DataFrame, IntoLazy};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Entry of the table listing.
#[derive(Debug, Clone)]
pub struct ListedTable {
    /// Shortest unambiguous name.
    pub name: String,
    /// `PROVIDER.NAME`, for the table of a call or mark.
    pub full_name: Option<String>,
    /// Columns of the table, over all traces.
    pub columns: Vec<TableColumn>,
    /// Number of records in all traces; `None` for a table that is not of one call or mark.
    pub records: Option<u64>,
}

/// Tables of one or several traces.
pub(super) struct TraceTables {
    traces: Arc<[NamedTrace]>,
    /// Calls and marks of all traces.
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

    /// Returns the shortest unambiguous name of a call or mark.
    fn name(&self, event: &EventTable) -> String {
        let is_taken = TABLES.iter().any(|table| table.name.eq_ignore_ascii_case(&event.name));
        let is_same = |other: &&EventTable| !other.needs_provider() && other.name.eq_ignore_ascii_case(&event.name);
        let same_name_count = self.events.iter().filter(is_same).count();
        if event.needs_provider() || is_taken || same_name_count > 1 { event.full_name() } else { event.name.clone() }
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
        let fixed_tables = TABLES.iter().map(|table| ListedTable {
            name: table.name.to_owned(),
            full_name: None,
            columns: scan::columns(&AnyTable::Fixed(table), &self.traces),
            records: None,
        });
        let of_events = self.events.iter().map(|event| ListedTable {
            name: self.name(event),
            full_name: Some(event.full_name()),
            columns: scan::columns(&AnyTable::Event(event.clone()), &self.traces),
            records: Some(self.records(event)),
        });
        fixed_tables.chain(of_events).collect()
    }

    fn find(&self, provider: Option<&str>, name: &str) -> Result<Found, QueryError> {
        // Fixed tables take precedence: a call or mark of the same name needs its provider.
        let fixed_tables = TABLES.iter().find(|table| provider.is_none() && table.name.eq_ignore_ascii_case(name));
        if let Some(table) = fixed_tables {
            return Ok(Found::One(Box::new(self.relation(AnyTable::Fixed(table))?)));
        }
        let is_it = |event: &&EventTable| {
            let is_named = event.name.eq_ignore_ascii_case(name);
            match provider {
                Some(provider) => is_named && event.provider.eq_ignore_ascii_case(provider),
                // A quoted name may have the provider: names of providers have dots and hyphens.
                None => (is_named && !event.needs_provider()) || event.full_name().eq_ignore_ascii_case(name),
            }
        };
        match self.events.iter().filter(is_it).collect::<Vec<_>>().as_slice() {
            [] => Ok(Found::None),
            [one] => Ok(Found::One(Box::new(self.relation(AnyTable::Event((*one).clone()))?))),
            several => Ok(Found::Several(several.iter().map(|event| event.full_name()).collect())),
        }
    }
}

/// Tables of a lake.
pub(super) struct LakeTables {
    lake: Arc<ReadLake>,
    ended: Arc<AtomicBool>,
}

impl LakeTables {
    pub fn new(lake: Arc<ReadLake>) -> LakeTables {
        LakeTables { lake, ended: Arc::default() }
    }
}

impl Tables for LakeTables {
    fn end_by(&mut self, ended: Arc<AtomicBool>) {
        self.ended = ended;
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
        let stored = self.lake.table(table.name).map_err(|error| QueryError::Data(error.to_string()))?;
        let scan = TableScan::from_lake(table.name, stored, self.ended.clone());
        relation(scan).map(|found| Found::One(Box::new(found)))
    }
}

/// Opens a scan as the relation that the planner works with.
fn relation(scan: TableScan) -> Result<Relation, QueryError> {
    let schema = scan.schema();
    let frame = leaf(Arc::new(scan)).map_err(|error| QueryError::from_polars(&error))?;
    Ok(Relation {
        frame,
        columns: schema.iter().map(|(name, kind)| (name.to_string(), Kind::from_data_type(kind))).collect(),
    })
}

/// Tables held in memory.
pub(super) struct FrameTables(pub Vec<(String, DataFrame)>);

impl Tables for FrameTables {
    fn end_by(&mut self, _: Arc<AtomicBool>) {}

    fn listed(&self) -> Vec<ListedTable> {
        let columns = |frame: &DataFrame| {
            let named = frame.columns().iter().map(|column| column.name().to_string());
            // In-memory frames have no column documentation, and their column kinds are not listed.
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

    fn find(&self, provider: Option<&str>, name: &str) -> Result<Found, QueryError> {
        let known = self.0.iter().find(|(known, _)| provider.is_none() && known.eq_ignore_ascii_case(name));
        Ok(known.map_or(Found::None, |(_, frame)| {
            let kinds =
                frame.schema().iter().map(|(name, kind)| (name.to_string(), Kind::from_data_type(kind))).collect();
            Found::One(Box::new(Relation { frame: frame.clone().lazy(), columns: kinds }))
        }))
    }
}
