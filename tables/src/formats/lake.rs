//! A lake: a directory of Parquet files, one table each, partitioned by trace.
//!
//! `lake/resources/trace=0123456789abcdef/resources.parquet`. A file is written under a temporary name beside its place
//! and renamed when it is whole, so readers of `lake/resources/*/*.parquet` never see a part of one, several writers do
//! not disturb each other, and writing a trace again replaces what it gave before. Tables of records are read and
//! written a row group at a time.

use super::ParquetFile;
use crate::error::TableError;
use crate::tables::{TABLES, Table};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use taut_analyze::Analysis;
use taut_analyze::formats::{trace_id, trace_keys};

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

/// Writes all tables of a trace into the lake at `folder`, which is made if it is not there.
///
/// # Errors
/// A table cannot be made, or a file cannot be written; the files before it are in place.
pub fn write_lake(analysis: &Analysis, folder: &Path) -> Result<Vec<LakeFile>, TableError> {
    TABLES.iter().map(|table| write_table(analysis, folder, table)).collect()
}

fn write_table(analysis: &Analysis, folder: &Path, table: &'static Table) -> Result<LakeFile, TableError> {
    let partition = folder.join(table.name).join(format!("trace={}", trace_id(analysis.trace())));
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| TableError::Write { path, source }
    };
    fs::create_dir_all(&partition).map_err(failed(&partition))?;
    let path = partition.join(format!("{}.parquet", table.name));
    let unfinished = Unfinished(partition.join(format!(".{}.{}.tmp", table.name, std::process::id())));
    let file = File::create(&unfinished.0).map_err(failed(&unfinished.0))?;
    let mut out = BufWriter::new(file);
    let mut parquet = ParquetFile::new(&mut out, trace_keys(analysis.trace()));
    table.parts(analysis, None, &Ok, &mut |part| {
        parquet.push(part)?;
        Ok(ControlFlow::Continue(()))
    })?;
    let rows = parquet.finish()?;
    out.flush().map_err(failed(&unfinished.0))?;
    out.get_ref().sync_all().map_err(failed(&unfinished.0))?;
    fs::rename(&unfinished.0, &path).map_err(failed(&path))?;
    Ok(LakeFile { table: table.name, rows, path })
}

/// A file that is not whole yet: it does not stay behind if writing fails.
struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        // Where it has been renamed there is nothing left to remove.
        let _ = fs::remove_file(&self.0);
    }
}
