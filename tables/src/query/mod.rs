//! SQL over the tables of one or several traces.

mod aggregate;
mod error;
mod in_parts;
mod output;
mod row_wise;
mod scan;
mod words;

pub use error::QueryError;
pub use output::{AnswerForm, AnswerWriter, QueryResult};

use crate::tables::{TABLES, TableColumn};
use in_parts::{PartScan, in_parts};
use polars::prelude::{DataFrame, LazyFrame};
use polars::sql::SQLContext;
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
    traces: Arc<[NamedTrace]>,
}

impl Query {
    /// The tables of these traces.
    pub fn new(traces: Vec<NamedTrace>) -> Query {
        Query { traces: traces.into() }
    }

    /// Names of the tables, each with its columns.
    pub fn tables(&self) -> Vec<(&'static str, Vec<TableColumn>)> {
        TABLES.iter().map(|table| (table.name, scan::columns(table, &self.traces))).collect()
    }

    /// Answers a question.
    ///
    /// # Errors
    /// It is no SQL, names a table or column that does not exist, or a trace cannot be read.
    pub fn run(&self, sql: &str) -> Result<QueryResult, QueryError> {
        let plan = in_parts(&self.plan(sql)?.logical_plan);
        let frame = LazyFrame::from(plan).collect().map_err(|error| self.explained(error, sql))?;
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
        let plan = self.plan(sql)?.logical_plan;
        match PartScan::of_rows(&plan) {
            Some(parts) => parts.each(None, &mut |part| Ok(take(part))).map_err(|error| self.explained(error, sql)),
            None => {
                let _ = take(self.run(sql)?.frame);
                Ok(())
            }
        }
    }

    /// How a question would be answered: the optimized plan, from the bottom up.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn explain(&self, sql: &str) -> Result<String, QueryError> {
        self.plan(sql)?.explain(true).map_err(|error| self.explained(error, sql))
    }

    fn plan(&self, sql: &str) -> Result<LazyFrame, QueryError> {
        let mut context = SQLContext::new();
        for table in TABLES {
            let scan = TableScan::new(table, self.traces.clone()).lazy().map_err(|error| self.explained(error, sql))?;
            context.register(table.name, scan);
        }
        context.execute(sql).map_err(|error| self.explained(error, sql))
    }

    fn explained(&self, error: polars::error::PolarsError, sql: &str) -> QueryError {
        QueryError::of(&error, sql, &self.tables())
    }
}
