//! A table of either sort: one of the fixed list, or that of a call or mark.

use super::{ByClass, Classes, EventTable, Table, TableColumn};
use crate::error::TableError;
use polars::prelude::DataFrame;
use std::ops::ControlFlow;
use taut_analyze::Analysis;

/// A table that can be asked.
#[derive(Debug, Clone)]
pub(crate) enum AnyTable {
    /// One of [`TABLES`](super::TABLES).
    Made(&'static Table),
    /// That of a call or mark.
    OfEvent(EventTable),
}

impl AnyTable {
    /// Its columns for a trace; none if the trace does not know it.
    pub fn columns_of(&self, analysis: &Analysis) -> Vec<TableColumn> {
        match self {
            AnyTable::Made(table) => table.columns_of(analysis),
            AnyTable::OfEvent(table) => table.columns(&analysis.trace().header().schema),
        }
    }

    /// Its name, which no other has.
    pub fn full_name(&self) -> String {
        match self {
            AnyTable::Made(table) => table.name.to_owned(),
            AnyTable::OfEvent(table) => table.full_name(),
        }
    }

    /// Whether it is made of records, a part at a time; else it comes in one part.
    pub fn is_in_parts(&self) -> bool {
        match self {
            AnyTable::Made(table) => table.is_in_parts(),
            AnyTable::OfEvent(_) => true,
        }
    }

    /// As [`Table::kept_parts`].
    pub fn kept_parts(
        &self,
        analysis: &Analysis,
        wanted: Option<&[String]>,
        kept: Option<(&Classes, &[bool])>,
        map: &(dyn Fn(DataFrame) -> Result<DataFrame, TableError> + Sync),
        take: &mut (dyn FnMut(DataFrame) -> Result<ControlFlow<()>, TableError> + Send),
    ) -> Result<(), TableError> {
        match self {
            AnyTable::Made(table) => table.kept_parts(analysis, wanted, kept, map, take),
            AnyTable::OfEvent(table) => table.parts(analysis, wanted, map, take),
        }
    }

    /// As [`Table::of_classes`].
    pub fn of_classes(&self) -> Vec<&'static str> {
        match self {
            AnyTable::Made(table) => table.of_classes(),
            AnyTable::OfEvent(_) => Vec::new(),
        }
    }

    /// As [`Table::by_class`].
    pub fn by_class(&self) -> Option<ByClass> {
        match self {
            AnyTable::Made(table) => table.by_class(),
            AnyTable::OfEvent(_) => None,
        }
    }

    /// As [`Table::classes`].
    pub fn classes(&self, analysis: &Analysis, classes: &Classes, wanted: &[String]) -> Result<DataFrame, TableError> {
        match self {
            AnyTable::Made(table) => table.classes(analysis, classes, wanted),
            AnyTable::OfEvent(_) => Ok(DataFrame::empty()),
        }
    }
}
