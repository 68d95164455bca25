//! How the files of one trace are filled.

use super::entry::{Entry, Told};
use super::others::Joined;
use super::view::{Clock, OTHER_EVENTS, View};
use super::{LakeFile, TRACES};
use crate::error::TableError;
use crate::formats::ParquetFile;
use crate::tables::table;
use polars::prelude::{DataFrame, IntoColumn, NamedFrom, Series};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use taut_analyze::Analysis;
use taut_analyze::formats::trace_keys;
use taut_console::outcome::Failure;
use taut_console::output::Output;
use taut_traces::Trace;

/// Files that are filled side by side: each goes through the trace's blocks on its own, and parts of each are in memory.
const FILES_AT_A_TIME: usize = 2;

/// A file to be filled: what it is of, and where.
pub(super) type Opened = (&'static str, PathBuf, Output);

/// A file that is full.
pub(super) type Filled = (LakeFile, Output);

/// The files of one trace in the making.
pub(super) struct Writing<'a> {
    pub analysis: &'a Analysis,
    pub told: &'a Told,
    pub joined: Mutex<Joined>,
}

impl Writing<'_> {
    /// Fills all files; gives them in the same order.
    ///
    /// # Errors
    /// A table cannot be made, or a file cannot be written.
    pub fn all(&self, opened: Vec<Opened>) -> Result<Vec<Filled>, Failure> {
        let is_last = |opened: &Opened| [OTHER_EVENTS, TRACES].contains(&opened.0);
        let (last, first): (Vec<Opened>, Vec<Opened>) = opened.into_iter().partition(is_last);
        let of = first.len();
        let waiting = Mutex::new(first.into_iter().enumerate().collect::<VecDeque<(usize, Opened)>>());
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let fill = || {
            let mut filled = Vec::new();
            while let Some((place, opened)) = next() {
                let one = self.one(opened);
                // What cannot be written once is not written at all.
                if one.is_err() {
                    waiting.lock().unwrap_or_else(PoisonError::into_inner).clear();
                }
                filled.push((place, one));
            }
            filled
        };
        // Not on the pool's own threads: these must not wait for what is made once, and which they have to make.
        let mut filled = std::thread::scope(|scope| {
            let others: Vec<_> = (1..FILES_AT_A_TIME.min(of)).map(|_| scope.spawn(fill)).collect();
            let mut filled = fill();
            for other in others {
                filled.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            filled
        });
        filled.sort_by_key(|(place, _)| *place);
        // The records that are in no call's file, and what could not be read, are known when the others are full.
        let filled = filled.into_iter().map(|(_, one)| one);
        filled.chain(last.into_iter().map(|opened| self.one(opened))).collect()
    }

    fn one(&self, (table, path, mut output): Opened) -> Result<Filled, Failure> {
        let rows = self.fill(table, &mut output).map_err(failed)?;
        Ok((LakeFile { table, rows, path }, output))
    }

    fn fill(&self, file: &'static str, output: &mut Output) -> Result<usize, TableError> {
        let (analysis, is_mark) = (self.analysis, file == TRACES);
        let mut keys = trace_keys(analysis.trace());
        if is_mark {
            // The last that is written: by now it is known what could not be read.
            keys.extend(Entry::of(analysis, self.told).keys());
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
                parquet.push(if is_mark { with_told(part, self.told)? } else { part })?;
                Ok(ControlFlow::Continue(()))
            })?;
        }
        parquet.finish()
    }
}

/// What a trace's times are reckoned by.
fn clock(trace: &Trace) -> Clock {
    let first_stamp = trace.summary().first_stamp.and_then(|stamp| i64::try_from(stamp).ok());
    let ticks_per_second = i64::try_from(trace.header().world.clock.ticks_per_second).unwrap_or_default();
    Clock { first_stamp, ticks_per_second }
}

/// The row of a trace with what only the lake is told.
fn with_told(mut part: DataFrame, told: &Told) -> Result<DataFrame, TableError> {
    let path = ("path".to_owned(), told.path.as_str());
    let tags = told.tags.iter().map(|(key, value)| (format!("tag_{key}"), value.as_str()));
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
