//! SQL over the tables of one or several traces.

mod catalogue;
mod depth;
mod error;
mod leaf;
mod output;
mod parse;
pub(crate) mod plan;
mod plan_tree;
pub(crate) mod pushdown;
mod scan;

pub use catalogue::ListedTable;
pub use error::QueryError;
pub use output::{QueryResult, ResultFormat, ResultStyle, ResultWriter};

use crate::CachedTables;
use crate::parquet::ReadLake;
use catalogue::{FrameTables, LakeTables, TraceTables};
use plan::{Levels, Planner, Tables};
use polars::prelude::DataFrame;
use pushdown::{Applied, RowWindow};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use taut_analyze::Analysis;

/// Maximum size of a query text, in bytes. Lists of 1,000,000 numbers fit; the tokens of a larger text would take
/// gigabytes.
pub const MAX_TEXT_BYTES: u64 = 16 << 20;

/// A trace and its name.
#[derive(Debug, Clone)]
pub struct NamedTrace {
    /// Value of the column `trace`, when several traces are queried.
    pub name: String,
    pub analysis: Arc<Analysis>,
    /// Cache of the trace's tables; `None` if they are recomputed for every query.
    pub cached: Option<CachedTables>,
}

impl NamedTrace {
    /// A trace whose tables are recomputed for every query.
    pub fn new(name: impl Into<String>, analysis: impl Into<Arc<Analysis>>) -> NamedTrace {
        NamedTrace { name: name.into(), analysis: analysis.into(), cached: None }
    }

    /// The same trace, of which nothing is made yet.
    fn unanalyzed(&self) -> NamedTrace {
        NamedTrace { analysis: Arc::new(self.analysis.unanalyzed()), ..self.clone() }
    }
}

/// SQL queries over a set of tables. A table reads the columns that a query needs when the query runs. Over several
/// traces, a table holds the rows of all, one trace after the other, and a first column `trace` with the trace's name.
pub struct Query {
    tables: Box<dyn Tables>,
    /// True if plans are rewritten to read tables in parts.
    is_pushed_down: bool,
    /// Memory that a query may take, in bytes; `None` without a limit.
    memory: Option<u64>,
}

impl Query {
    /// Queries over the tables of traces.
    pub fn new(traces: Vec<NamedTrace>) -> Query {
        Query { tables: Box::new(TraceTables::new(traces.into())), is_pushed_down: true, memory: None }
    }

    /// Queries over the tables of a lake. Each table has a first column `trace` with the trace's id.
    pub fn from_lake(lake: Arc<ReadLake>) -> Query {
        Query { tables: Box::new(LakeTables::new(lake)), is_pushed_down: true, memory: None }
    }

    /// Queries over named in-memory tables.
    pub fn from_frames(frames: Vec<(String, DataFrame)>) -> Query {
        Query { tables: Box::new(FrameTables(frames)), is_pushed_down: false, memory: None }
    }

    /// Returns the query object with a cancellation flag: once `ended` is set, reading the next chunk of a table fails.
    #[must_use]
    pub fn ended_by(mut self, ended: Arc<AtomicBool>) -> Query {
        self.tables.end_by(ended);
        self
    }

    /// Returns the query object with the memory that a query may take: larger joins are refused before they start.
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> Query {
        Query { memory: Some(bytes), ..self }
    }

    /// Lists the tables with their columns.
    pub fn tables(&self) -> Vec<ListedTable> {
        self.tables.listed()
    }

    /// Runs a query.
    ///
    /// # Errors
    /// The text is not SQL, names a table or column that does not exist, a number does not fit, or a trace cannot be
    /// read.
    pub fn run(&self, sql: &str) -> Result<QueryResult, QueryError> {
        let planner = self.planner();
        let frame = planner.collect(planner.plan(sql)?.frame)?;
        Ok(QueryResult { frame })
    }

    /// Runs a query and passes its result to `take` in chunks (at least one) if the result is row-wise over a table,
    /// otherwise in one piece. Ends when `take` breaks.
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
        let plan = depth::shallow(&frame.logical_plan);
        let (mut window, rows) = RowWindow::from_plan(&plan);
        let mut some = |part: DataFrame| match take(window.cut(part)) {
            ControlFlow::Continue(()) if !window.is_over() => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        };
        match pushdown::rows(rows) {
            Some(parts) => {
                parts.each(None, &mut |part| Ok(some(part))).map_err(|error| QueryError::from_polars(&error))
            }
            None => {
                // There is a single chunk, so the result of `take` is not needed.
                let _ = take(planner.collect(frame)?);
                Ok(())
            }
        }
    }

    /// Describes how a query is executed, without reading data: each rewrite of its plan by name, with what it changed,
    /// one per line; then polars' optimized plan, from the bottom up. Subqueries within expressions have their rewrites
    /// listed, and are null in the plan.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn explain(&self, sql: &str) -> Result<String, QueryError> {
        let planner = Planner { explained: Some(RefCell::default()), ..self.planner() };
        let frame = planner.plan(sql)?.frame;
        let (frame, applied) = planner.pushed_down(frame);
        let of_subqueries = planner.explained.unwrap_or_default().take();
        let mut text = String::new();
        for Applied { rewrite, change } in of_subqueries.into_iter().chain(applied) {
            text += &format!("{rewrite}: {}\n", change());
        }
        let plan = frame.explain(true).map_err(|error| QueryError::from_polars(&error))?;
        Ok(text + &plan)
    }

    fn planner(&self) -> Planner<'_> {
        Planner {
            tables: self.tables.as_ref(),
            is_pushed_down: self.is_pushed_down,
            explained: None,
            expressions: Levels::default(),
            memory: self.memory,
        }
    }
}
