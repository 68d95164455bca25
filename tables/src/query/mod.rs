//! SQL over the tables of one or several traces.

mod aggregate;
mod by_class;
mod catalogue;
mod classes;
mod error;
mod flat;
mod in_parts;
mod limited;
mod output;
pub(crate) mod plan;
mod row_wise;
mod scan;
mod stamp_range;

pub use catalogue::ListedTable;
pub use error::QueryError;
pub use output::{AnswerForm, AnswerWriter, QueryResult};

use crate::CachedTables;
use crate::formats::ReadLake;
use catalogue::{FrameTables, LakeTables, TraceTables};
use in_parts::PartScan;
use limited::Limited;
use plan::{Planner, Tables};
use polars::prelude::DataFrame;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use taut_analyze::Analysis;

/// A trace and the name it goes by.
#[derive(Debug, Clone)]
pub struct NamedTrace {
    /// What the column `trace` says, where there are several.
    pub name: String,
    /// The trace.
    pub analysis: Arc<Analysis>,
    /// Where its tables are kept once they were made; none if they are made for every question.
    pub cached: Option<CachedTables>,
}

impl NamedTrace {
    /// A trace whose tables are made for every question.
    pub fn new(name: impl Into<String>, analysis: impl Into<Arc<Analysis>>) -> NamedTrace {
        NamedTrace { name: name.into(), analysis: analysis.into(), cached: None }
    }
}

/// Tables that can be asked. Each reads the columns that a question needs, when it is asked. Of several traces, a table
/// has the rows of all, one trace after the other, and a first column `trace` with the trace's name.
pub struct Query {
    tables: Box<dyn Tables>,
    /// They are read a part at a time.
    in_parts: bool,
}

impl Query {
    /// The tables of these traces.
    pub fn new(traces: Vec<NamedTrace>) -> Query {
        Query { tables: Box::new(TraceTables::new(traces.into())), in_parts: true }
    }

    /// The tables of a lake. Each has a first column `trace` with the trace's id.
    pub fn of_lake(lake: Arc<ReadLake>) -> Query {
        Query { tables: Box::new(LakeTables::new(lake)), in_parts: true }
    }

    /// Tables that are in memory already, under their names.
    pub fn of_frames(frames: Vec<(String, DataFrame)>) -> Query {
        Query { tables: Box::new(FrameTables(frames)), in_parts: false }
    }

    /// The same, until `ended` is set: what then reads a part of a table fails.
    #[must_use]
    pub fn ended_by(mut self, ended: Arc<AtomicBool>) -> Query {
        self.tables.end_by(ended);
        self
    }

    /// The tables that there are, with their columns.
    pub fn tables(&self) -> Vec<ListedTable> {
        self.tables.listed()
    }

    /// Answers a question.
    ///
    /// # Errors
    /// It is no SQL, names a table or column that does not exist, a number does not fit, or a trace cannot be read.
    pub fn run(&self, sql: &str) -> Result<QueryResult, QueryError> {
        let planner = self.planner();
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
        let planner = self.planner();
        let frame = planner.plan(sql)?.frame;
        let (mut limited, rows) = Limited::of(&frame.logical_plan);
        let mut some = |part: DataFrame| match take(limited.cut(part)) {
            ControlFlow::Continue(()) if !limited.is_over() => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        };
        match PartScan::of_rows(rows) {
            Some(parts) => parts.each(None, &mut |part| Ok(some(part))).map_err(|error| QueryError::of(&error)),
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
        self.planner().plan(sql)?.frame.explain(true).map_err(|error| QueryError::of(&error))
    }

    fn planner(&self) -> Planner<'_> {
        Planner { tables: self.tables.as_ref(), in_parts: self.in_parts }
    }
}
