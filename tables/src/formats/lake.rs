//! A lake: a directory of Parquet files, one table each, partitioned by trace.
//!
//! `lake/resources/trace=0123456789abcdef/resources.parquet`. Files are written beside their
//! places and renamed when all are whole, so readers of `lake/resources/*/*.parquet` never see a part of one, several writers
//! do not disturb each other, and writing a trace again replaces what it gave before. Tables of records are read and
//! written a row group at a time.

use super::ParquetFile;
use crate::error::TableError;
use crate::tables::{TABLES, Table};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use taut_analyze::Analysis;
use taut_analyze::formats::{trace_id, trace_keys};
use taut_console::outcome::Failure;
use taut_console::output::{Folders, Kind, Output, Outputs};

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LakeFile {
    /// The table in it.
    pub table: &'static str,
    /// Its rows.
    pub rows: usize,
    /// Where it lies.
    pub path: PathBuf,
}

/// Writes all tables of a trace into the lake at `folder`, which is made if it is not there: all of them, or none.
///
/// # Errors
/// A table cannot be made, or a file cannot be written, or may not be replaced, as `outputs` say.
pub fn write_lake(analysis: &Analysis, folder: &Path, outputs: &mut Outputs) -> Result<Vec<LakeFile>, Failure> {
    let place = |table: &'static Table| {
        let trace = format!("trace={}", trace_id(analysis.trace()));
        (table, folder.join(table.name).join(trace).join(format!("{}.parquet", table.name)))
    };
    let places: Vec<(&'static Table, PathBuf)> = TABLES.iter().map(place).collect();
    let mut folders = Folders::default();
    let mut opened = Vec::with_capacity(places.len());
    for (table, path) in places {
        let above = path.parent().unwrap_or(folder);
        folders.make(above).map_err(|error| Failure::io(error).context(above.display().to_string()))?;
        let output = outputs.open(&path, Kind::Parquet)?;
        opened.push((table, path, output));
    }
    let mut written = Vec::with_capacity(opened.len());
    for (table, path, mut output) in opened {
        let rows = write_table(analysis, table, &mut output).map_err(failed)?;
        written.push((LakeFile { table: table.name, rows, path }, output));
    }
    folders.keep();
    let finished = written.into_iter().map(|(file, output)| output.finish().map(|_| file));
    finished.collect()
}

fn write_table(analysis: &Analysis, table: &Table, output: &mut Output) -> Result<usize, TableError> {
    let mut parquet = ParquetFile::new(output, trace_keys(analysis.trace()));
    table.parts(analysis, None, &Ok, &mut |part| {
        parquet.push(part)?;
        Ok(ControlFlow::Continue(()))
    })?;
    parquet.finish()
}

fn failed(error: TableError) -> Failure {
    match error {
        TableError::Io(_) => Failure::io(error),
        error => Failure::input(error),
    }
}
