//! SQL over the tables of one or several traces.

mod aggregate;
mod error;
mod in_parts;
mod output;
pub(crate) mod plan;
mod row_wise;
mod scan;

pub use error::QueryError;
pub use output::{AnswerForm, AnswerWriter, QueryResult};

use crate::tables::{TABLES, TableColumn};
use in_parts::PartScan;
use plan::{Kind, Planner, Relation};
use polars::prelude::{DataFrame, IntoLazy, LazyFrame};
use scan::TableScan;
use std::ops::ControlFlow;
use std::sync::Arc;
use taut_analyze::Analysis;

/// A trace and the name it goes by.
#[derive(Debug, Clone)]
pub struct NamedTrace {
    /// What the column `trace` says, where there are several.
    pub name: String,
    /// The trace.
    pub analysis: Arc<Analysis>,
}

/// Tables that can be asked. Each reads the columns that a question needs, when it is asked. Of several traces, a table
/// has the rows of all, one trace after the other, and a first column `trace` with the trace's name.
pub struct Query {
    source: Source,
}

enum Source {
    Traces(Arc<[NamedTrace]>),
    Frames(Vec<(String, DataFrame)>),
}

impl Query {
    /// The tables of these traces.
    pub fn new(traces: Vec<NamedTrace>) -> Query {
        Query { source: Source::Traces(traces.into()) }
    }

    /// Tables that are in memory already, under their names.
    pub fn of_frames(frames: Vec<(String, DataFrame)>) -> Query {
        Query { source: Source::Frames(frames) }
    }

    /// Names of the tables of traces, each with its columns.
    pub fn tables(&self) -> Vec<(&'static str, Vec<TableColumn>)> {
        match &self.source {
            Source::Traces(traces) => TABLES.iter().map(|table| (table.name, scan::columns(table, traces))).collect(),
            Source::Frames(_) => Vec::new(),
        }
    }

    /// Answers a question.
    ///
    /// # Errors
    /// It is no SQL, names a table or column that does not exist, a number does not fit, or a trace cannot be read.
    pub fn run(&self, sql: &str) -> Result<QueryResult, QueryError> {
        let planner = self.planner()?;
        let frame = planner.collect(planner.plan(sql)?.frame)?;
        Ok(QueryResult { frame })
    }

    /// Answers a question a part at a time, at least one, where its rows follow from a table's one by one; else in one.
    /// Ends when `take` has had enough.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn each(
        &self,
        sql: &str,
        take: &mut (dyn FnMut(DataFrame) -> ControlFlow<()> + Send),
    ) -> Result<(), QueryError> {
        let planner = self.planner()?;
        let frame = planner.plan(sql)?.frame;
        match PartScan::of_rows(&frame.logical_plan) {
            Some(parts) => parts.each(None, &mut |part| Ok(take(part))).map_err(|error| QueryError::of(&error)),
            None => {
                let _ = take(planner.collect(frame)?);
                Ok(())
            }
        }
    }

    /// How a question would be answered: the optimized plan, from the bottom up.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn explain(&self, sql: &str) -> Result<String, QueryError> {
        self.planner()?.plan(sql)?.frame.explain(true).map_err(|error| QueryError::of(&error))
    }

    fn planner(&self) -> Result<Planner, QueryError> {
        let relation = |frame: LazyFrame, columns: Vec<(String, Kind)>| Relation { frame, columns };
        let tables = match &self.source {
            Source::Traces(traces) => {
                let table = |table| {
                    let scan = TableScan::new(table, traces.clone());
                    let schema = scan.schema_of_all();
                    let frame = scan.lazy().map_err(|error| QueryError::of(&error))?;
                    let kinds = schema.iter().map(|(name, kind)| (name.to_string(), Kind::of(kind))).collect();
                    Ok((table.name.to_owned(), relation(frame, kinds)))
                };
                TABLES.iter().map(table).collect::<Result<_, QueryError>>()?
            }
            Source::Frames(frames) => {
                let table = |(name, frame): &(String, DataFrame)| {
                    let kinds = frame.schema().iter().map(|(name, kind)| (name.to_string(), Kind::of(kind))).collect();
                    (name.clone(), relation(frame.clone().lazy(), kinds))
                };
                frames.iter().map(table).collect()
            }
        };
        Ok(Planner { tables, in_parts: matches!(self.source, Source::Traces(_)) })
    }
}
