//! Tables: a trace as polars frames.
//!
//! Each table is one line of [`TABLES`]. Names of tables and columns are stable; units come last. Times are given as
//! stamps, in ticks of the trace's clock, and as nanoseconds since the trace's first stamp. A table gives the columns
//! it is asked for and reads no others. Tables of records come in parts, a few blocks of the trace at a time; the others are
//! as large as what they are made of, and come in one.

mod accesses;
mod any_table;
mod calls;
mod causes;
mod classes;
mod column;
mod ddi_calls;
mod decisions;
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
mod phases;
mod placements;
mod resources;
mod tasks;
mod traces;
mod variants;
mod wide;

pub(crate) use any_table::AnyTable;
pub(crate) use classes::{CLASS, Classes, PLACE, RECORDS};
pub use column::{ColumnDoc, ColumnKind, TableColumn};

use crate::error::TableError;
pub use event_table::EventTable;
use frame::Frame;
pub(crate) use parts::{Parts, gathered};
use polars::prelude::DataFrame;
use std::ops::ControlFlow;
use taut_analyze::Analysis;
use taut_analyze::background::Background;
use taut_analyze::render::suggestion;
use taut_analyze::world::World;
use taut_schemas::Layer;

/// A table that can be made of any trace.
#[derive(Debug)]
pub struct Table {
    /// Name.
    pub name: &'static str,
    /// What one row is.
    pub description: &'static str,
    /// The columns that it has of every trace.
    pub columns: &'static [ColumnDoc],
    /// The calls whose result code, as the trace's own schema table has it, is a column too; and in the lake all of their
    /// fields are.
    pub fields_of: Option<Layer>,
    /// Makes the wanted columns.
    pub(crate) make: Make,
}

/// What a table is made of, and by what.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Make {
    /// Of the records, a part at a time, at least one.
    InParts(fn(&Analysis, &mut Parts<'_>) -> Result<(), TableError>),
    /// Of the records, as [`InParts`](Make::InParts); of their classes the columns that follow from these; and the others class
    /// by class.
    OfClasses {
        make: fn(&Analysis, &mut Parts<'_>) -> Result<(), TableError>,
        classes: fn(&Analysis, &Classes, &[String]) -> Result<DataFrame, TableError>,
        by_class: ByClass,
    },
    /// Of all heaps and resources, in one.
    OfWorld(fn(&Analysis, &World, &mut Frame<'_>) -> Result<(), TableError>),
    /// Of all passes, tasks and draws, in one.
    OfBackground(fn(&Analysis, &Background, &mut Frame<'_>) -> Result<(), TableError>),
    /// Of the trace as a whole, in one.
    OfTrace(fn(&Analysis, &mut Frame<'_>) -> Result<(), TableError>),
}

/// What of the kept records of a trace does not follow from their classes, class by class: with the number of each record's class,
/// and its place in its block, if that is asked for. Each part goes through the function given; what comes of them is told together.
pub(crate) type ByClass = fn(
    &Analysis,
    (&Classes, Option<&[bool]>),
    bool,
    &(dyn Fn(DataFrame) -> Result<DataFrame, TableError> + Sync),
) -> Result<Vec<DataFrame>, TableError>;

/// Every table.
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
    decisions::TABLE,
    figures::TABLE,
    traces::TABLE,
];

/// The table of this name.
///
/// # Errors
/// There is none.
pub fn table(name: &str) -> Result<&'static Table, TableError> {
    TABLES.iter().find(|table| table.name == name).ok_or_else(|| {
        let names = TABLES.iter().map(|table| table.name);
        TableError::Table { found: name.to_owned(), known: suggestion(name, names) }
    })
}

impl Table {
    /// Its columns for a trace, in order.
    pub fn columns_of(&self, analysis: &Analysis) -> Vec<TableColumn> {
        let mut columns: Vec<TableColumn> = self.columns.iter().map(TableColumn::from).collect();
        if let Some(layer) = self.fields_of {
            let result_code = wide::WideField::result_code(analysis, layer, self.columns);
            columns.extend(result_code.iter().map(TableColumn::from));
        }
        columns
    }

    /// These, and those that only the lake has.
    fn all_columns_of(&self, analysis: &Analysis) -> Vec<TableColumn> {
        let mut columns: Vec<TableColumn> = self.columns.iter().map(TableColumn::from).collect();
        if let Some(layer) = self.fields_of {
            columns.extend(wide::WideField::all(analysis, layer, self.columns).iter().map(TableColumn::from));
        }
        columns
    }

    /// The columns that its file in a lake has of a trace: of calls the fields of those that have records there.
    pub(crate) fn lake_columns_of(&self, analysis: &Analysis) -> Vec<TableColumn> {
        let mut columns: Vec<TableColumn> = self.columns.iter().map(TableColumn::from).collect();
        if let Some(layer) = self.fields_of {
            columns.extend(wide::WideField::recorded(analysis, layer, self.columns).iter().map(TableColumn::from));
        }
        columns
    }

    /// Its frame, of the wanted columns only, in its own order; of all, if none are named.
    ///
    /// # Errors
    /// It cannot be made of this trace.
    pub fn frame(&self, analysis: &Analysis, wanted: Option<&[String]>) -> Result<DataFrame, TableError> {
        gathered(None, |take| self.parts(analysis, wanted, &Ok, take))
    }

    /// The same a part at a time, at least one: each goes through `map`, maybe several at once, and then in order to
    /// `take`, until that has had enough.
    ///
    /// # Errors
    /// It cannot be made of this trace, or `map` or `take` failed.
    pub fn parts(
        &self,
        analysis: &Analysis,
        wanted: Option<&[String]>,
        map: &(dyn Fn(DataFrame) -> Result<DataFrame, TableError> + Sync),
        take: &mut (dyn FnMut(DataFrame) -> Result<ControlFlow<()>, TableError> + Send),
    ) -> Result<(), TableError> {
        self.kept_parts(analysis, wanted, None, map, take)
    }

    /// As [`parts`](Self::parts), of the classes of records that are kept.
    pub(crate) fn kept_parts(
        &self,
        analysis: &Analysis,
        wanted: Option<&[String]>,
        kept: Option<(&Classes, &[bool])>,
        map: &(dyn Fn(DataFrame) -> Result<DataFrame, TableError> + Sync),
        take: &mut (dyn FnMut(DataFrame) -> Result<ControlFlow<()>, TableError> + Send),
    ) -> Result<(), TableError> {
        let columns = self.all_columns_of(analysis);
        let map = |part: DataFrame| map(column::as_said(part, &columns)?);
        let mut parts = Parts { wanted, kept, map: &map, take };
        let mut frame = parts.frame();
        match self.make {
            Make::InParts(make) | Make::OfClasses { make, .. } => return make(analysis, &mut parts),
            Make::OfWorld(make) => make(analysis, analysis.world()?, &mut frame)?,
            Make::OfBackground(make) => make(analysis, analysis.background()?, &mut frame)?,
            Make::OfTrace(make) => make(analysis, &mut frame)?,
        }
        parts.give(frame).map(|_| ())
    }

    /// Whether it is made of records, a part at a time.
    pub(crate) fn is_in_parts(&self) -> bool {
        matches!(self.make, Make::InParts(_) | Make::OfClasses { .. })
    }

    /// The columns that are the same in every class of its records; none if it is not made of records one by one.
    pub(crate) fn of_classes(&self) -> Vec<&'static str> {
        if matches!(self.make, Make::OfClasses { .. }) { events::of_classes() } else { Vec::new() }
    }

    /// The other columns class by class; none if it has no classes.
    pub(crate) fn by_class(&self) -> Option<ByClass> {
        match self.make {
            Make::OfClasses { by_class, .. } => Some(by_class),
            _ => None,
        }
    }

    /// Some of these columns, a row for each class.
    ///
    /// # Errors
    /// They do not make a frame.
    pub(crate) fn classes(
        &self,
        analysis: &Analysis,
        classes: &Classes,
        wanted: &[String],
    ) -> Result<DataFrame, TableError> {
        match self.make {
            Make::OfClasses { classes: make, .. } => {
                column::as_said(make(analysis, classes, wanted)?, &self.columns_of(analysis))
            }
            _ => Ok(DataFrame::empty()),
        }
    }
}
