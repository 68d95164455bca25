//! Translation of SQL text into a polars plan.
//!
//! Only constructs known to have the same meaning as in DuckDB are accepted; everything else is an error with a
//! position.

mod aggregates;
mod branches;
mod casts;
mod expression;
mod expression_limits;
mod functions;
mod grouping;
mod join_size;
mod joins;
mod junction;
mod kind;
mod letter_case;
mod lists;
mod literal;
mod operators;
mod pattern;
mod queries;
mod scope;
mod select;
mod size;
mod statement;
mod subqueries;
mod windows;

pub(super) use expression_limits::Levels;
pub(super) use kind::Kind;
pub(super) use scope::Relation;

/// Names of all functions: scalar, aggregate, window.
pub(crate) const FUNCTIONS: [&[&str]; 3] = [functions::ROW_FUNCTIONS, aggregates::NAMES, windows::ONLY];

use super::depth::shallow;
use super::pushdown::{Applied, pushdown};
use super::{ListedTable, QueryError};
use polars::prelude::{DataFrame, IntoColumn, LazyFrame, Series};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Result of looking up a table name.
pub(super) enum Found {
    None,
    One(Box<Relation>),
    /// Full names of the matching tables of several providers.
    Several(Vec<String>),
}

/// Source of the tables that queries can name.
pub(super) trait Tables: Send + Sync {
    /// All tables with their columns.
    fn listed(&self) -> Vec<ListedTable>;
    /// Sets the flag that cancels reading.
    fn end_by(&mut self, ended: Arc<AtomicBool>);
    /// Finds the table `PROVIDER.NAME` or `NAME`.
    ///
    /// # Errors
    /// The table cannot be read.
    fn find(&self, provider: Option<&str>, name: &str) -> Result<Found, QueryError>;

    /// Shortest unambiguous names of the tables that pass a filter.
    fn names(&self, filter: fn(&ListedTable) -> bool) -> Vec<String> {
        self.listed().into_iter().filter(filter).map(|table| table.name).collect()
    }
}

/// Query planner over a set of tables.
pub(super) struct Planner<'a> {
    pub tables: &'a dyn Tables,
    /// True if plans are rewritten to read tables in parts.
    pub is_pushed_down: bool,
    /// Rewrites of the plans of subqueries, if the query is explained: then nothing is executed, and each has one row
    /// of nulls.
    pub explained: Option<RefCell<Vec<Applied>>>,
    pub expressions: Levels,
    /// Memory that the query may take, in bytes; `None` without a limit.
    pub memory: Option<u64>,
}

impl Planner<'_> {
    /// Executes a plan and returns its rows.
    ///
    /// # Errors
    /// A number does not fit, the plan is too large, or a trace cannot be read.
    pub fn collect(&self, frame: LazyFrame) -> Result<DataFrame, QueryError> {
        size::check(&frame.logical_plan)?;
        let (mut frame, applied) = self.pushed_down(frame);
        if let Some(explained) = &self.explained {
            explained.borrow_mut().extend(applied);
            let schema = frame.collect_schema().map_err(|error| QueryError::from_polars(&error))?;
            let nulls = schema.iter().map(|(name, kind)| Series::full_null(name.clone(), 1, kind).into_column());
            return DataFrame::new(1, nulls.collect()).map_err(|error| QueryError::from_polars(&error));
        }
        frame.collect().map_err(|error| QueryError::from_polars(&error))
    }

    /// The plan that is executed, and the rewrites that made it.
    pub fn pushed_down(&self, frame: LazyFrame) -> (LazyFrame, Vec<Applied>) {
        let plan = shallow(&frame.logical_plan);
        let (plan, applied) = if self.is_pushed_down { pushdown(&plan) } else { (plan, Vec::new()) };
        (LazyFrame::from(plan), applied)
    }
}
