//! Tables: a trace as polars frames.
//!
//! Each table is one line of [`TABLES`]. Names of tables and columns are stable; units come last. Times are stamps, in
//! ticks of the trace's clock, and nanoseconds since the trace's first stamp. A table computes the wanted columns and
//! reads nothing for the others. Tables of records are computed in chunks of a few blocks; the others are as large as
//! their source, and come in one piece.

mod accesses;
mod any_table;
mod calls;
mod causes;
mod classes;
mod column;
mod ddi_calls;
mod draws;
mod event_table;
mod events;
mod figures;
mod frame;
mod frames;
mod handles;
mod heaps;
mod memory;
mod messages;
mod owners;
mod parts;
mod passes;
mod path_selections;
mod phases;
mod placements;
mod presents;
mod resources;
mod tasks;
mod threads;
mod traces;
mod variants;
mod wide;

pub(crate) use any_table::AnyTable;
pub(crate) use classes::{CLASS, Classes, PLACE, RECORDS, SelectedClasses};
use column::TypeConversion;
pub use column::{ColumnDoc, ColumnKind, TableColumn};

use crate::error::TableError;
pub use event_table::EventTable;
use frame::Frame;
pub(crate) use parts::{Map, Parts, Take, gathered};
use polars::prelude::DataFrame;
use taut_analyze::Analysis;
use taut_analyze::background::Background;
use taut_analyze::memory::World;
use taut_analyze::render::suggestion;
use taut_schemas::Layer;

/// Definition of a table.
#[derive(Debug)]
pub struct Table {
    pub name: &'static str,
    /// Meaning of a row.
    pub description: &'static str,
    /// Columns for every trace.
    pub columns: &'static [ColumnDoc],
    /// Layer whose calls the table lists. The result code, as in the trace's own schema table, is then a column too; in
    /// a lake, all fields are.
    pub fields_of: Option<Layer>,
    /// Computes the wanted columns.
    pub(crate) make: Make,
}

/// Source of a table, and the function that computes it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Make {
    /// Records, in chunks, at least one.
    InParts(fn(&Analysis, &mut Parts<'_>) -> Result<(), TableError>),
    /// Records, as [`InParts`](Make::InParts); class columns can be computed from classes alone, and record columns
    /// class by class.
    OfClasses {
        make: fn(&Analysis, &mut Parts<'_>) -> Result<(), TableError>,
        classes: fn(&Analysis, &Classes, &[String]) -> Result<DataFrame, TableError>,
        class_aggregate: ClassReader,
    },
    /// All heaps and resources, in one piece.
    OfWorld(fn(&Analysis, &World, &mut Frame<'_>) -> Result<(), TableError>),
    /// All passes, tasks and draws, in one piece.
    OfBackground(fn(&Analysis, &Background, &mut Frame<'_>) -> Result<(), TableError>),
    /// The trace as a whole, in one piece.
    OfTrace(fn(&Analysis, &mut Frame<'_>) -> Result<(), TableError>),
}

/// Reads the record columns of selected classes: with the index of each record's class, and its index in its block if
/// the flag is set. Each chunk goes through the passed function, and all results are returned together.
pub(crate) type ClassReader = fn(&Analysis, SelectedClasses<'_>, bool, &Map<'_>) -> Result<Vec<DataFrame>, TableError>;

/// All tables. The lake writes them in this order; `traces` must be last, see `parquet::lake`.
pub const TABLES: &[Table] = &[
    events::TABLE,
    calls::TABLE,
    ddi_calls::TABLE,
    resources::TABLE,
    heaps::TABLE,
    placements::TABLE,
    memory::TABLE,
    phases::TABLE,
    causes::TABLE,
    owners::TABLE,
    messages::TABLE,
    passes::TABLE,
    tasks::TABLE,
    variants::TABLE,
    draws::TABLE,
    handles::TABLE,
    accesses::TABLE,
    frames::TABLE,
    path_selections::TABLE,
    presents::TABLE,
    threads::TABLE,
    figures::TABLE,
    traces::TABLE,
];

/// Finds a table by name.
///
/// # Errors
/// No table has this name.
pub fn table(name: &str) -> Result<&'static Table, TableError> {
    TABLES.iter().find(|table| table.name == name).ok_or_else(|| {
        let names = TABLES.iter().map(|table| table.name);
        TableError::Table { found: name.to_owned(), known: suggestion(name, names) }
    })
}

impl Table {
    /// Columns for a trace, in order.
    pub fn columns_of(&self, analysis: &Analysis) -> Vec<TableColumn> {
        let mut columns: Vec<TableColumn> = self.columns.iter().map(TableColumn::from).collect();
        if let Some(layer) = self.fields_of {
            let result_code = wide::WideField::result_code(analysis, layer, self.columns);
            columns.extend(result_code.iter().map(TableColumn::from));
        }
        columns
    }

    /// Columns for a trace, including those that only a lake has.
    fn all_columns_of(&self, analysis: &Analysis) -> Vec<TableColumn> {
        let mut columns: Vec<TableColumn> = self.columns.iter().map(TableColumn::from).collect();
        if let Some(layer) = self.fields_of {
            columns.extend(wide::WideField::all(analysis, layer, self.columns).iter().map(TableColumn::from));
        }
        columns
    }

    /// Columns of the table's file in a lake; for calls, the fields of those calls that have records in the trace.
    pub(crate) fn lake_columns_of(&self, analysis: &Analysis) -> Vec<TableColumn> {
        let mut columns: Vec<TableColumn> = self.columns.iter().map(TableColumn::from).collect();
        if let Some(layer) = self.fields_of {
            columns.extend(wide::WideField::recorded(analysis, layer, self.columns).iter().map(TableColumn::from));
        }
        columns
    }

    /// Computes the table with the wanted columns, or with all, in the table's order.
    ///
    /// # Errors
    /// The table cannot be computed from this trace.
    pub fn frame(&self, analysis: &Analysis, wanted: Option<&[String]>) -> Result<DataFrame, TableError> {
        gathered(None, |take| self.parts(analysis, wanted, &Ok, take))
    }

    /// Computes the table in chunks, at least one. Each goes through `map`, possibly several at once, and then in order
    /// to `take`, until `take` breaks.
    ///
    /// # Errors
    /// The table cannot be computed from this trace, or `map` or `take` failed.
    pub fn parts(
        &self,
        analysis: &Analysis,
        wanted: Option<&[String]>,
        map: &Map<'_>,
        take: &mut Take<'_>,
    ) -> Result<(), TableError> {
        self.selected_parts(analysis, wanted, None, map, take)
    }

    /// As [`parts`](Self::parts), limited to selected classes of records.
    pub(crate) fn selected_parts(
        &self,
        analysis: &Analysis,
        wanted: Option<&[String]>,
        selection: Option<SelectedClasses<'_>>,
        map: &Map<'_>,
        take: &mut Take<'_>,
    ) -> Result<(), TableError> {
        let columns = self.all_columns_of(analysis);
        let conversion = TypeConversion::new(self.name, &columns);
        let map = |part: DataFrame| map(conversion.part(part)?);
        let mut parts = Parts { wanted, selection, map: &map, take };
        let mut frame = parts.frame();
        match self.make {
            Make::InParts(make) | Make::OfClasses { make, .. } => return make(analysis, &mut parts),
            Make::OfWorld(make) => make(analysis, analysis.world()?, &mut frame)?,
            Make::OfBackground(make) => make(analysis, analysis.background()?, &mut frame)?,
            Make::OfTrace(make) => make(analysis, &mut frame)?,
        }
        parts.give(frame).map(|_| ())
    }

    /// True if the table is computed from records in chunks.
    pub(crate) fn is_in_parts(&self) -> bool {
        matches!(self.make, Make::InParts(_) | Make::OfClasses { .. })
    }

    /// Names of the class columns; empty if the table is not computed from single records.
    pub(crate) fn of_classes(&self) -> Vec<&'static str> {
        if matches!(self.make, Make::OfClasses { .. }) { events::of_classes() } else { Vec::new() }
    }

    /// Reader of the record columns class by class; `None` if the table has no classes.
    pub(crate) fn class_aggregate(&self) -> Option<ClassReader> {
        match self.make {
            Make::OfClasses { class_aggregate, .. } => Some(class_aggregate),
            _ => None,
        }
    }

    /// Computes class columns, one row per class.
    ///
    /// # Errors
    /// The columns do not make a frame.
    pub(crate) fn classes(
        &self,
        analysis: &Analysis,
        classes: &Classes,
        wanted: &[String],
    ) -> Result<DataFrame, TableError> {
        match self.make {
            Make::OfClasses { classes: make, .. } => {
                TypeConversion::new(self.name, &self.columns_of(analysis)).part(make(analysis, classes, wanted)?)
            }
            _ => Ok(DataFrame::empty()),
        }
    }
}
