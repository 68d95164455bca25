//! A table of either kind: one of the fixed list, or the table of a call or mark.

use super::parts::{Map, Take};
use super::{ClassReader, Classes, EventTable, SelectedClasses, Table, TableColumn};
use crate::error::TableError;
use polars::prelude::DataFrame;
use taut_analyze::Analysis;

/// A table that can be queried.
#[derive(Debug, Clone)]
pub(crate) enum AnyTable {
    /// One of the fixed list [`TABLES`](super::TABLES).
    Fixed(&'static Table),
    /// The table of a call or mark.
    Event(EventTable),
}

impl AnyTable {
    /// Columns for a trace; empty if the trace does not have the call or mark.
    pub fn columns_of(&self, analysis: &Analysis) -> Vec<TableColumn> {
        match self {
            AnyTable::Fixed(table) => table.columns_of(analysis),
            AnyTable::Event(table) => table.columns(&analysis.trace().header().schema),
        }
    }

    /// Unique name of the table.
    pub fn full_name(&self) -> String {
        match self {
            AnyTable::Fixed(table) => table.name.to_owned(),
            AnyTable::Event(table) => table.full_name(),
        }
    }

    /// True if the table is computed from records in chunks; otherwise it comes in one piece.
    pub fn is_in_parts(&self) -> bool {
        match self {
            AnyTable::Fixed(table) => table.is_in_parts(),
            AnyTable::Event(_) => true,
        }
    }

    /// Reads the table as [`Table::selected_parts`] does.
    pub fn selected_parts(
        &self,
        analysis: &Analysis,
        wanted: Option<&[String]>,
        selection: Option<SelectedClasses<'_>>,
        map: &Map<'_>,
        take: &mut Take<'_>,
    ) -> Result<(), TableError> {
        match self {
            AnyTable::Fixed(table) => table.selected_parts(analysis, wanted, selection, map, take),
            AnyTable::Event(table) => table.parts(analysis, wanted, map, take),
        }
    }

    /// Class columns, as [`Table::of_classes`].
    pub fn of_classes(&self) -> Vec<&'static str> {
        match self {
            AnyTable::Fixed(table) => table.of_classes(),
            AnyTable::Event(_) => Vec::new(),
        }
    }

    /// Reader of record columns class by class, as [`Table::class_aggregate`].
    pub fn class_aggregate(&self) -> Option<ClassReader> {
        match self {
            AnyTable::Fixed(table) => table.class_aggregate(),
            AnyTable::Event(_) => None,
        }
    }

    /// Class columns of a trace, as [`Table::classes`].
    pub fn classes(&self, analysis: &Analysis, classes: &Classes, wanted: &[String]) -> Result<DataFrame, TableError> {
        match self {
            AnyTable::Fixed(table) => table.classes(analysis, classes, wanted),
            AnyTable::Event(_) => Ok(DataFrame::empty()),
        }
    }
}
