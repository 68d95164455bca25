//! An analysis: a trace, and what has been made of it so far.

use crate::columns;
use crate::error::AnalyzeError;
use crate::head::Head;
use crate::reports::{REPORTS, Report};
use crate::tables::TABLES;
use crate::world::{Turn, World};
use polars::prelude::DataFrame;
use std::sync::OnceLock;
use taut_traces::Trace;

/// A trace under analysis: its world, and tables, which are made when they are asked for, once each.
#[derive(Debug)]
pub struct Analysis<'a> {
    trace: &'a Trace,
    head: Head,
    world: World,
    tables: [OnceLock<DataFrame>; TABLES.len()],
}

impl<'a> Analysis<'a> {
    /// An analysis of an open trace. Reads the trace's creations and releases.
    ///
    /// # Errors
    /// The trace's schema table lacks a field that creations need. Damage is no error: see [`Head::damage`].
    pub fn new(trace: &'a Trace) -> Result<Analysis<'a>, AnalyzeError> {
        let (world, damage) = columns::world(trace)?;
        let head = Head::of(trace, &damage);
        Ok(Analysis { trace, head, world, tables: [const { OnceLock::new() }; TABLES.len()] })
    }

    /// The trace.
    pub fn trace(&self) -> &'a Trace {
        self.trace
    }

    /// What was looked at, and what of it was lost.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Heaps, resources and their lifetimes.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The table of this name: see [`TABLES`].
    ///
    /// # Errors
    /// There is no such table, or it cannot be made of this trace.
    pub fn table(&self, name: &str) -> Result<&DataFrame, AnalyzeError> {
        let Some((table, cell)) = TABLES.iter().zip(&self.tables).find(|(table, _)| table.name == name) else {
            let known = TABLES.iter().map(|table| table.name).collect::<Vec<_>>().join(", ");
            return Err(AnalyzeError::Table { found: name.to_owned(), known });
        };
        if let Some(made) = cell.get() {
            return Ok(made);
        }
        let made = (table.make)(self)?;
        Ok(cell.get_or_init(|| made))
    }

    /// The reports that the trace holds something for.
    pub fn reports(&self) -> Vec<&'static dyn Report> {
        REPORTS.iter().copied().filter(|report| report.applies(self)).collect()
    }

    /// A span of the trace's clock in nanoseconds; `None` if the clock's frequency is not known.
    pub(crate) fn ticks_to_ns(&self, ticks: u64) -> Option<u64> {
        let ticks_per_second = u128::from(self.trace.header().world.clock.ticks_per_second);
        let ns = (u128::from(ticks) * 1_000_000_000).checked_div(ticks_per_second)?;
        Some(u64::try_from(ns).unwrap_or(u64::MAX))
    }

    /// Time of a stamp since the trace's first; `None` if the clock's frequency is not known.
    pub(crate) fn since_start_ns(&self, stamp: u64) -> Option<u64> {
        self.ticks_to_ns(stamp.saturating_sub(self.trace.summary().first_stamp?))
    }

    /// How long something lived; `None` if it was never released.
    pub(crate) fn lifetime_ns(&self, world: &World, created: Turn, released: Option<Turn>) -> Option<u64> {
        let (created, released) = (world.moment(created), world.moment(released?));
        self.ticks_to_ns(released.stamp.checked_sub(created.stamp)?)
    }
}
