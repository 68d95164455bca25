//! A lake that is asked: the tables of all traces that are there whole.

use super::entry::Entry;
use super::view::View;
use super::{TRACES, place};
use crate::error::TableError;
use crate::formats::StoredTable;
use crate::lake_error::LakeError;
use crate::tables::{ColumnKind, TableColumn};
use polars::prelude::{DataFrame, IntoColumn, NamedFrom, Series};
use polars_io::parquet::read::ParallelStrategy;
use rayon::prelude::*;
use std::collections::HashSet;
use std::fs::File;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use taut_console::cache::Seen;

/// The column with a trace's id, which stands in no file but in the folders' names.
const TRACE: &str = "trace";

/// Traces that are looked at to list columns.
const SHOWN_TRACES: usize = 16;

/// Row groups that are read side by side.
const GROUPS_AT_A_TIME: usize = 32;

/// A lake that is asked.
#[derive(Debug)]
pub struct ReadLake {
    folder: PathBuf,
    /// Ids of the traces that are there with all their tables.
    ids: Vec<String>,
    /// Those of them of which something could not be read.
    damaged: Vec<String>,
}

impl ReadLake {
    /// The lake at `folder`. What a killed export left of a trace is not there.
    ///
    /// # Errors
    /// It is no lake, has no trace, or one whose tables are another build's.
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

    /// Where it lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Ids of its traces, in order.
    pub fn traces(&self) -> &[String] {
        &self.ids
    }

    /// The traces of which something could not be read when they were exported.
    pub fn damaged(&self) -> &[String] {
        &self.damaged
    }

    /// A table of all traces.
    ///
    /// # Errors
    /// A file is lost or damaged.
    pub(crate) fn table(&self, name: &'static str) -> Result<LakeTable, LakeError> {
        self.table_of(name, &self.ids)
    }

    /// The columns of a table, as the first traces have it: enough to tell somebody what there is.
    pub(crate) fn shown_columns(&self, name: &'static str) -> Vec<TableColumn> {
        let few = &self.ids[..self.ids.len().min(SHOWN_TRACES)];
        self.table_of(name, few).map(|table| table.columns).unwrap_or_default()
    }

    fn table_of(&self, name: &'static str, ids: &[String]) -> Result<LakeTable, LakeError> {
        let views = View::all_of(name);
        let files = ids.par_iter().flat_map_iter(|id| views.iter().map(move |view| (id, view)));
        let files = files.map(|(id, view)| TableFile::of(place(&self.folder, view.file, id), id, (name, *view)));
        LakeTable::of(files.collect::<Result<Vec<TableFile>, LakeError>>()?)
    }
}

/// A table of one trace, or some of its rows.
#[derive(Debug)]
struct TableFile {
    id: String,
    path: PathBuf,
    seen: Seen,
    view: View,
    columns: Arc<[TableColumn]>,
    groups: Vec<Range<usize>>,
    /// Whether its bytes are those that were written, once somebody has looked.
    is_sound: OnceLock<bool>,
}

impl TableFile {
    fn of(path: PathBuf, id: &str, (table, view): (&str, View)) -> Result<TableFile, LakeError> {
        let seen = Seen::of(&path);
        let (Some(seen), Ok(file)) = (seen, File::open(&path)) else { return Err(LakeError::Lost { file: path }) };
        let Some(stored) = StoredTable::of(file) else { return Err(LakeError::Damaged { file: path }) };
        let (columns, groups) = (view.columns(table, stored.columns()).into(), stored.groups());
        Ok(TableFile { id: id.to_owned(), path, seen, view, columns, groups, is_sound: OnceLock::new() })
    }

    /// The columns named of some rows, as far as the file has them, and the trace's id.
    fn read(&self, wanted: &[String], rows: &Range<usize>) -> Result<DataFrame, TableError> {
        let changed = || LakeError::Changed { file: self.path.clone() };
        let damaged = || LakeError::Damaged { file: self.path.clone() };
        let has = |name: &&String| self.columns.iter().any(|column| column.name == **name);
        let own: Vec<String> = wanted.iter().filter(has).cloned().collect();
        let mut part = DataFrame::new(rows.len(), Vec::new())?;
        if !own.is_empty() || self.view.is_of_some() {
            let file = File::open(&self.path).map_err(|_| changed())?;
            let stored = StoredTable::of(file).ok_or_else(damaged)?;
            if Seen::of(&self.path).as_ref() != Some(&self.seen) || stored.groups() != self.groups {
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

/// A table of all traces of a lake.
#[derive(Debug)]
pub(crate) struct LakeTable {
    files: Vec<TableFile>,
    columns: Vec<TableColumn>,
}

impl LakeTable {
    /// That of these files, which have the same types where they have columns of the same name.
    fn of(mut files: Vec<TableFile>) -> Result<LakeTable, LakeError> {
        let mut columns = vec![TableColumn::new(TRACE, ColumnKind::Text, "The trace the row is of.")];
        let mut known: HashSet<String> = columns.iter().map(|column| column.name.clone()).collect();
        let mut before: Option<Arc<[TableColumn]>> = None;
        for file in &mut files {
            // Most have the same.
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

    /// Its columns, of all traces.
    pub fn columns(&self) -> &[TableColumn] {
        &self.columns
    }

    /// The columns named, a row group at a time, in the order of the traces: each goes through `map`, maybe several at once, and
    /// then in order to `take`, until that has had enough.
    ///
    /// # Errors
    /// A file is damaged, or `map` or `take` failed.
    pub fn parts(
        &self,
        wanted: &[String],
        map: &(dyn Fn(DataFrame) -> Result<DataFrame, TableError> + Sync),
        take: &mut (dyn FnMut(DataFrame) -> Result<ControlFlow<()>, TableError> + Send),
    ) -> Result<(), TableError> {
        let groups: Vec<(&TableFile, &Range<usize>)> =
            self.files.iter().flat_map(|file| file.groups.iter().map(move |rows| (file, rows))).collect();
        for some in groups.chunks(GROUPS_AT_A_TIME) {
            let made = some.par_iter().map(|(file, rows)| map(file.read(wanted, rows)?));
            let made: Vec<Result<DataFrame, TableError>> = made.collect();
            for part in made {
                if take(part?)?.is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
