//! Tables: a trace as polars frames.
//!
//! Each table is one line of [`TABLES`]. Names of tables and columns are stable; units come last. Times are given as
//! stamps, in ticks of the trace's clock, and as nanoseconds since the trace's first stamp. A table gives the columns
//! it is asked for and reads no others.

mod calls;
mod column;
mod ddi_calls;
mod draws;
mod events;
mod frame;
mod heaps;
mod memory;
mod messages;
mod passes;
mod phases;
mod placements;
mod resources;
mod tasks;
mod wide;

pub use column::{ColumnDoc, ColumnKind, TableColumn};

use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use frame::Frame;
use polars::prelude::DataFrame;
use taut_schemas::{Layer, nearest};

/// A table that can be made of any trace.
#[derive(Debug)]
pub struct Table {
    /// Name.
    pub name: &'static str,
    /// What one row is.
    pub description: &'static str,
    /// The columns that it has of every trace.
    pub columns: &'static [ColumnDoc],
    /// The calls whose fields, as the trace's own schema table has them, are columns too.
    pub fields_of: Option<Layer>,
    /// Makes the wanted columns.
    pub(crate) make: fn(&Analysis, &mut Frame<'_>) -> Result<(), AnalyzeError>,
}

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
    messages::TABLE,
    passes::TABLE,
    tasks::TABLE,
    draws::TABLE,
];

/// The table of this name.
///
/// # Errors
/// There is none.
pub fn table(name: &str) -> Result<&'static Table, AnalyzeError> {
    TABLES.iter().find(|table| table.name == name).ok_or_else(|| {
        let names = || TABLES.iter().map(|table| table.name);
        let known = match nearest(name, names()) {
            Some(other) => format!("did you mean `{other}`?"),
            None => format!("expected one of {}", names().collect::<Vec<_>>().join(", ")),
        };
        AnalyzeError::Table { found: name.to_owned(), known }
    })
}

impl Table {
    /// Its columns for a trace, in order.
    pub fn columns_of(&self, analysis: &Analysis) -> Vec<TableColumn> {
        let mut columns: Vec<TableColumn> = self.columns.iter().map(TableColumn::from).collect();
        if let Some(layer) = self.fields_of {
            columns.extend(wide::WideField::all(analysis, layer, self.columns).iter().map(TableColumn::from));
        }
        columns
    }

    /// Its frame, of the wanted columns only, in its own order; of all, if none are named.
    ///
    /// # Errors
    /// It cannot be made of this trace.
    pub fn frame(&self, analysis: &Analysis, wanted: Option<&[String]>) -> Result<DataFrame, AnalyzeError> {
        let mut frame = Frame::new(wanted);
        (self.make)(analysis, &mut frame)?;
        frame.finish()
    }
}
