//! From a question's text to a plan of polars.
//!
//! Only what is known to mean the same as in DuckDB is let through; all else is refused with a sentence and its place.

mod aggregates;
mod casts;
mod expression;
mod functions;
mod grouping;
mod joins;
mod kind;
mod letters;
mod literal;
mod nesting;
mod operators;
mod pattern;
mod questions;
mod refusal;
mod scope;
mod select;
mod statement;
mod subqueries;
mod windows;

pub(super) use kind::Kind;
pub(super) use scope::Relation;

/// Names of the functions that a question can use: of one row, of many, of windows.
pub(crate) const FUNCTIONS: [&[&str]; 3] = [functions::ROW_FUNCTIONS, aggregates::NAMES, windows::ONLY];

use super::in_parts::in_parts;
use super::{ListedTable, QueryError};
use polars::prelude::{DataFrame, LazyFrame};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a table's name may mean.
pub(super) enum Found {
    /// Nothing.
    None,
    One(Box<Relation>),
    /// Tables of several providers: their full names.
    Several(Vec<String>),
}

/// The tables that questions can be about.
pub(super) trait Tables: Send + Sync {
    /// The shortest names of all.
    fn names(&self) -> Vec<String>;
    /// Of these, those that every trace has.
    fn fixed(&self) -> Vec<String>;
    /// Of all, those that `SHOW TABLES` tells.
    fn shown(&self) -> Vec<String>;
    /// All, with their columns.
    fn listed(&self) -> Vec<ListedTable>;
    /// From now on they are read until this is set.
    fn end_by(&mut self, ended: Arc<AtomicBool>);
    /// The table `PROVIDER.NAME`, or `NAME`.
    ///
    /// # Errors
    /// It cannot be read.
    fn find(&self, provider: Option<&str>, name: &str) -> Result<Found, QueryError>;
}

/// Plans questions over tables.
pub(super) struct Planner<'a> {
    pub tables: &'a dyn Tables,
    /// Reads tables a part at a time.
    pub in_parts: bool,
}

impl Planner<'_> {
    /// The rows of a plan.
    ///
    /// # Errors
    /// A number does not fit, or a trace cannot be read.
    pub fn collect(&self, frame: LazyFrame) -> Result<DataFrame, QueryError> {
        let frame = if self.in_parts { LazyFrame::from(in_parts(&frame.logical_plan)) } else { frame };
        frame.collect().map_err(|error| QueryError::of(&error))
    }
}
