//! Reading a lake: the tables of all complete traces.

use super::entry::Entry;
use super::view::View;
use super::{TRACES, place};
use crate::error::TableError;
use crate::lake_error::LakeError;
use crate::parquet::StoredTable;
use crate::tables::{ColumnKind, Map, TableColumn, Take};
use polars::prelude::{DataFrame, IntoColumn, NamedFrom, Series};
use polars_io::parquet::read::ParallelStrategy;
use rayon::prelude::*;
use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use taut_console::cache::FileState;
use taut_traces::open_regular;

/// Column with a trace's id, which is stored in the folders' names only.
const TRACE: &str = "trace";

/// Number of traces whose columns are merged for a listing.
const SHOWN_TRACES: usize = 16;

/// Number of row groups read in parallel. Bounds the memory that they take.
const GROUPS_AT_A_TIME: usize = 32;

/// A lake open for reading.
#[derive(Debug)]
pub struct ReadLake {
    folder: PathBuf,
    /// Ids of the complete traces.
    ids: Vec<String>,
    /// Ids of the traces that were exported with damage.
    damaged: Vec<String>,
}

impl ReadLake {
    /// Opens the lake at `folder`. Traces that a killed export left incomplete are skipped.
    ///
    /// # Errors
    /// The folder is not a lake, has no trace, or has one whose tables are of another build.
    pub fn open(folder: &Path) -> Result<ReadLake, LakeError> {
        let folder = folder.to_owned();
        let failed = |error: std::io::Error| LakeError::Folder { folder: folder.clone(), why: error.to_string() };
        let found = match std::fs::read_dir(folder.join(TRACES)) {
            Err(_) if folder.is_dir() => return Err(LakeError::NoLake { folder }),
            found => found.map_err(failed)?,
        };
        let mut ids = Vec::new();
        for found in found {
            let name = found.map_err(failed)?.file_name();
            ids.extend(name.to_str().and_then(|name| name.strip_prefix("trace=")).map(ToOwned::to_owned));
        }
        ids.sort_unstable();
        let read = |id: &String| {
            let mark = place(&folder, TRACES, id);
            match Entry::read(&mark) {
                Some(entry) => Ok(Some((id.clone(), entry))),
                None if mark.exists() => Err(LakeError::Damaged { file: mark }),
                None => Ok(None),
            }
        };
        let entries: Result<Vec<Option<(String, Entry)>>, LakeError> = ids.par_iter().map(read).collect();
        let entries: Vec<(String, Entry)> = entries?.into_iter().flatten().collect();
        if entries.is_empty() {
            return Err(LakeError::Empty { folder });
        }
        let others: Vec<&String> =
            entries.iter().filter(|(_, entry)| !entry.is_of_this_build()).map(|(id, _)| id).collect();
        if let [first, ..] = others.as_slice() {
            let (traces, of, first) = (others.len() as u64, entries.len() as u64, (*first).clone());
            return Err(LakeError::Version { folder, traces, of, first });
        }
        let damaged = entries.iter().filter(|(_, entry)| !entry.is_sound()).map(|(id, _)| id.clone()).collect();
        Ok(ReadLake { folder, ids: entries.into_iter().map(|(id, _)| id).collect(), damaged })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Ids of the traces, in order.
    pub fn traces(&self) -> &[String] {
        &self.ids
    }

    /// Ids of the traces that could not be read completely when they were exported.
    pub fn damaged(&self) -> &[String] {
        &self.damaged
    }

    /// Opens a table over all traces.
    ///
    /// # Errors
    /// A file is missing or damaged.
    pub(crate) fn table(&self, name: &'static str) -> Result<LakeTable, LakeError> {
        self.table_of(name, &self.ids)
    }

    /// Columns of a table as the first traces have them, which is enough for a listing.
    pub(crate) fn shown_columns(&self, name: &'static str) -> Vec<TableColumn> {
        let few = &self.ids[..self.ids.len().min(SHOWN_TRACES)];
        self.table_of(name, few).map(|table| table.columns).unwrap_or_default()
    }

    fn table_of(&self, name: &'static str, ids: &[String]) -> Result<LakeTable, LakeError> {
        let views = View::all_of(name);
        let files = ids.par_iter().flat_map_iter(|id| views.iter().map(move |view| (id, view)));
        let files = files.map(|(id, view)| TableFile::open(place(&self.folder, view.file, id), id, name, *view));
        LakeTable::open(files.collect::<Result<Vec<TableFile>, LakeError>>()?)
    }
}

/// Stored rows of one trace's table.
#[derive(Debug)]
struct TableFile {
    id: String,
    path: PathBuf,
    file_state: FileState,
    view: View,
    columns: Arc<[TableColumn]>,
    groups: Vec<Range<usize>>,
    /// Result of the checksum verification, which is done once, on first use.
    is_sound: OnceLock<bool>,
}

impl TableFile {
    fn open(path: PathBuf, id: &str, table: &str, view: View) -> Result<TableFile, LakeError> {
        let file_state = FileState::from_path(&path);
        let (Some(file_state), Ok(file)) = (file_state, open_regular(&path)) else {
            return Err(LakeError::Lost { file: path });
        };
        let Some(stored) = StoredTable::open(file) else { return Err(LakeError::Damaged { file: path }) };
        let (columns, groups) = (view.columns(table, stored.columns()).into(), stored.groups());
        Ok(TableFile { id: id.to_owned(), path, file_state, view, columns, groups, is_sound: OnceLock::new() })
    }

    /// Reads the named columns, as far as the file has them, of a range of rows; adds the trace's id if it is wanted.
    fn read(&self, wanted: &[String], rows: &Range<usize>) -> Result<DataFrame, TableError> {
        let changed = || LakeError::Changed { file: self.path.clone() };
        let damaged = || LakeError::Damaged { file: self.path.clone() };
        let has = |name: &&String| self.columns.iter().any(|column| column.name == **name);
        let own: Vec<String> = wanted.iter().filter(has).cloned().collect();
        let mut part = DataFrame::new(rows.len(), Vec::new())?;
        if !own.is_empty() || self.view.is_of_some() {
            let file = open_regular(&self.path).map_err(|_| changed())?;
            let stored = StoredTable::open(file).ok_or_else(damaged)?;
            // The file may have been replaced since the lake was opened.
            if FileState::from_path(&self.path).as_ref() != Some(&self.file_state) || stored.groups() != self.groups {
                return Err(changed().into());
            }
            if !*self.is_sound.get_or_init(|| stored.is_sound()) {
                return Err(damaged().into());
            }
            let needed = self.view.needed(&own, stored.columns());
            let file = match needed.as_slice() {
                [] => DataFrame::new(rows.len(), Vec::new())?,
                needed => stored.read(needed, rows, ParallelStrategy::None)?,
            };
            part = self.view.make(file, &own)?;
        }
        if wanted.iter().any(|name| name == TRACE) {
            part.with_column(Series::new(TRACE.into(), vec![self.id.as_str(); part.height()]).into_column())?;
        }
        Ok(part)
    }
}

/// A table over all traces of a lake.
#[derive(Debug)]
pub(crate) struct LakeTable {
    files: Vec<TableFile>,
    columns: Vec<TableColumn>,
}

impl LakeTable {
    /// Combines files into a table; columns of the same name must have the same type.
    fn open(mut files: Vec<TableFile>) -> Result<LakeTable, LakeError> {
        let mut columns = vec![TableColumn::new(TRACE, ColumnKind::Text, "Id of the row's trace.")];
        let mut known: HashSet<String> = columns.iter().map(|column| column.name.clone()).collect();
        let mut before: Option<Arc<[TableColumn]>> = None;
        for file in &mut files {
            // Most files have equal columns: sharing one list saves memory and the comparison by name.
            if let Some(before) = before.as_ref().filter(|before| **before == file.columns) {
                file.columns = before.clone();
                continue;
            }
            for column in file.columns.iter() {
                if known.insert(column.name.clone()) {
                    columns.push(column.clone());
                } else if columns.iter().any(|known| known.name == column.name && known != column) {
                    return Err(LakeError::Damaged { file: file.path.clone() });
                }
            }
            before = Some(file.columns.clone());
        }
        Ok(LakeTable { files, columns })
    }

    /// Columns over all traces.
    pub fn columns(&self) -> &[TableColumn] {
        &self.columns
    }

    /// Reads the named columns one row group at a time, in the order of the traces. Each chunk goes through `map`,
    /// possibly several at once, and then in order to `take`, until `take` breaks.
    ///
    /// # Errors
    /// A file is damaged, or `map` or `take` failed.
    pub fn parts(&self, wanted: &[String], map: &Map<'_>, take: &mut Take<'_>) -> Result<(), TableError> {
        let groups: Vec<(&TableFile, &Range<usize>)> =
            self.files.iter().flat_map(|file| file.groups.iter().map(move |rows| (file, rows))).collect();
        for some in groups.chunks(GROUPS_AT_A_TIME) {
            let results = some.par_iter().map(|(file, rows)| map(file.read(wanted, rows)?));
            let results: Vec<Result<DataFrame, TableError>> = results.collect();
            for part in results {
                if take(part?)?.is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
