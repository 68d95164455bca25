//! Writing the files of one trace.

use super::entry::{Entry, TraceSource};
use super::others::Joined;
use super::view::{Clock, OTHER_EVENTS, View};
use super::{LakeFile, TRACES};
use crate::error::TableError;
use crate::parquet::ParquetFile;
use crate::tables::table;
use polars::prelude::{DataFrame, IntoColumn, NamedFrom, Series};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use taut_analyze::Analysis;
use taut_analyze::export::trace_keys;
use taut_console::outcome::Failure;
use taut_console::output::Output;
use taut_traces::Trace;

/// Number of files written in parallel. Each passes over the trace's blocks separately and holds chunks in memory.
const FILES_AT_A_TIME: usize = 2;

/// A file to be written.
pub(super) struct Opened {
    /// Table in the file, or `other_events`.
    pub table: &'static str,
    pub path: PathBuf,
    pub output: Output,
}

/// A written file, not yet renamed to its final path.
pub(super) type Filled = (LakeFile, Output);

/// State of writing one trace's files.
pub(super) struct TraceExport<'a> {
    pub analysis: &'a Analysis,
    pub source: &'a TraceSource,
    pub joined: Mutex<Joined>,
}

impl TraceExport<'_> {
    /// Writes all files and returns them in the same order.
    ///
    /// # Errors
    /// A table cannot be computed, or a file cannot be written.
    pub fn all(&self, opened: Vec<Opened>) -> Result<Vec<Filled>, Failure> {
        let is_last = |opened: &Opened| [OTHER_EVENTS, TRACES].contains(&opened.table);
        let (last, first): (Vec<Opened>, Vec<Opened>) = opened.into_iter().partition(is_last);
        let of = first.len();
        let waiting = Mutex::new(first.into_iter().enumerate().collect::<VecDeque<(usize, Opened)>>());
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let fill = || {
            let mut filled = Vec::new();
            while let Some((place, opened)) = next() {
                let one = self.one(opened);
                // One failure fails the whole trace, so the remaining files are not started.
                if one.is_err() {
                    waiting.lock().unwrap_or_else(PoisonError::into_inner).clear();
                }
                filled.push((place, one));
            }
            filled
        };
        // Own threads instead of rayon's pool: a pool thread that waits for a lazily computed input could be the one
        // that has to compute it.
        let mut filled = std::thread::scope(|scope| {
            let others: Vec<_> = (1..FILES_AT_A_TIME.min(of)).map(|_| scope.spawn(fill)).collect();
            let mut filled = fill();
            for other in others {
                filled.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            filled
        });
        filled.sort_by_key(|(place, _)| *place);
        // `other_events` and the damage flag depend on what the other files hold, so these two files are written last.
        let filled = filled.into_iter().map(|(_, one)| one);
        filled.chain(last.into_iter().map(|opened| self.one(opened))).collect()
    }

    fn one(&self, opened: Opened) -> Result<Filled, Failure> {
        let Opened { table, path, mut output } = opened;
        let rows = self.fill(table, &mut output).map_err(failed)?;
        Ok((LakeFile { table, rows, path }, output))
    }

    fn fill(&self, file: &'static str, output: &mut Output) -> Result<usize, TableError> {
        let (analysis, is_mark) = (self.analysis, file == TRACES);
        let mut keys = trace_keys(analysis.trace());
        if is_mark {
            // Written last: by now all damage of the trace has been met.
            keys.extend(Entry::new(analysis, self.source).keys());
        }
        let mut parquet = ParquetFile::new(output, keys);
        if file == OTHER_EVENTS {
            self.joined.lock().unwrap_or_else(PoisonError::into_inner).others(analysis, &mut |part| {
                parquet.push(part)?;
                Ok(ControlFlow::Continue(()))
            })?;
            return parquet.finish();
        }
        let table = table(file)?;
        let clock = clock(analysis.trace());
        for view in View::all_of(table.name) {
            let columns = view.to_write(table.lake_columns_of(analysis));
            table.parts(analysis, Some(&columns), &|part| Ok(view.stored(part, clock)?), &mut |part| {
                if table.fields_of.is_some() {
                    self.joined.lock().unwrap_or_else(PoisonError::into_inner).count(&part)?;
                }
                parquet.push(if is_mark { with_source(part, self.source)? } else { part })?;
                Ok(ControlFlow::Continue(()))
            })?;
        }
        parquet.finish()
    }
}

/// Clock of a trace.
fn clock(trace: &Trace) -> Clock {
    let first_stamp = trace.summary().first_stamp.and_then(|stamp| i64::try_from(stamp).ok());
    // A frequency that does not fit the column is stored as 0, unknown.
    let ticks_per_second = i64::try_from(trace.header().world.clock.ticks_per_second).unwrap_or_default();
    Clock { first_stamp, ticks_per_second }
}

/// Adds the columns that only the lake has to the row of a trace.
fn with_source(mut part: DataFrame, source: &TraceSource) -> Result<DataFrame, TableError> {
    let path = ("path".to_owned(), source.path.as_str());
    let tags = source.tags.iter().map(|(key, value)| (format!("tag_{key}"), value.as_str()));
    for (name, value) in std::iter::once(path).chain(tags) {
        part.with_column(Series::new(name.into(), [value]).into_column())?;
    }
    Ok(part)
}

fn failed(error: TableError) -> Failure {
    match error {
        TableError::Io(_) => Failure::io(error),
        error => Failure::input(error),
    }
}
