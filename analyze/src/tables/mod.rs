//! Tables: a trace as polars frames.
//!
//! Each table is one line of [`TABLES`]. Names of tables and columns are stable; units come last. Times are given as
//! stamps, in ticks of the trace's clock, and as durations in nanoseconds.

mod calls;
mod ddi_calls;
mod events;
mod frame;
mod heaps;
mod messages;
mod placements;
mod resources;
mod wide;

use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use polars::prelude::DataFrame;

/// A table that can be made of any trace.
#[derive(Debug)]
pub struct Table {
    /// Name.
    pub name: &'static str,
    /// What one row is.
    pub description: &'static str,
    /// Makes the frame.
    pub(crate) make: fn(&Analysis<'_>) -> Result<DataFrame, AnalyzeError>,
}

/// Every table.
pub const TABLES: &[Table] = &[
    events::TABLE,
    calls::TABLE,
    ddi_calls::TABLE,
    resources::TABLE,
    heaps::TABLE,
    placements::TABLE,
    messages::TABLE,
];
