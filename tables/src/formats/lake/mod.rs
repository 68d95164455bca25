//! A lake: a directory of Parquet files, one table each, partitioned by trace.
//!
//! `lake/resources/trace=0123456789abcdef/resources.parquet`. What follows from other columns is left out, and made again by
//! whoever reads: see `view`. Files are written beside their
//! places and renamed when all are whole, so readers of `lake/resources/*/*.parquet` never see a part of one, and several
//! writers do not disturb each other. The file of the table `traces` comes last and goes first: a trace that has it is there
//! with all its tables, whenever a writer was killed. Tables of records are read and written a row group at a time.

mod entry;
mod made;
mod others;
mod reading;
mod removal;
mod view;
mod writing;

use super::Footer;
pub use crate::lake_error::LakeError;
use entry::Entry;
pub use entry::Told;
pub(crate) use entry::layout;
pub(crate) use reading::LakeTable;
pub use reading::ReadLake;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use taut_analyze::Analysis;
use taut_analyze::formats::trace_id;
use taut_console::outcome::Failure;
use taut_console::output::{Folders, Kind, Outputs};
use taut_traces::Trace;
use writing::Writing;

/// The table that says which traces are there.
const TRACES: &str = "traces";

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LakeFile {
    /// The table in it, or `other_events`.
    pub table: &'static str,
    /// Its rows.
    pub rows: usize,
    /// Where it lies.
    pub path: PathBuf,
}

/// A lake that is written to.
#[derive(Debug)]
pub struct Lake {
    folder: PathBuf,
    /// What is there with all its tables, by id.
    entries: BTreeMap<String, Entry>,
}

impl Lake {
    /// The lake at `folder`, which need not be there. What another writer was killed over while it took a trace away is taken away.
    ///
    /// # Errors
    /// The folder of the traces cannot be read.
    pub fn at(folder: &Path) -> Result<Lake, Failure> {
        let mut lake = Lake { folder: folder.to_owned(), entries: BTreeMap::new() };
        let traces = folder.join(TRACES);
        let failed = |error| Failure::io(error).context(traces.display().to_string());
        let found = match std::fs::read_dir(&traces) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(lake),
            found => found.map_err(failed)?,
        };
        for found in found {
            let name = found.map_err(failed)?.file_name();
            let Some(id) = name.to_str().and_then(|name| name.strip_prefix("trace=")) else { continue };
            removal::remove_rest(folder, id).map_err(failed)?;
            if let Some(entry) = Entry::read(&lake.place(TRACES, id)) {
                lake.entries.insert(id.to_owned(), entry);
            }
        }
        Ok(lake)
    }

    fn place(&self, table: &str, id: &str) -> PathBuf {
        place(&self.folder, table, id)
    }

    /// Whether the trace is there, whole, with the tables of this build and with these tags, if any are told. A file that is lost or
    /// is not what was written is written again.
    pub fn has(&self, trace: &Trace, told: &Told) -> bool {
        let id = trace_id(trace);
        let is_sound = |file: PathBuf| File::open(file).and_then(|file| Footer::of(&file)).ok() == Some(Footer::Sound);
        let has_all = || view::files().all(|file| is_sound(self.place(file, &id)));
        self.entries.get(&id).is_some_and(|entry| entry.is_of(trace, told)) && has_all()
    }

    /// Writes all tables of a trace, in place of what is there of this recording: all of them, or none.
    ///
    /// # Errors
    /// A table cannot be made, or a file cannot be written, or may not be replaced, as `outputs` say.
    pub fn write(&mut self, analysis: &Analysis, told: &Told, outputs: &mut Outputs) -> Result<Vec<LakeFile>, Failure> {
        let id = trace_id(analysis.trace());
        let mut folders = Folders::default();
        let mut opened = Vec::new();
        for file in view::files() {
            let path = self.place(file, &id);
            let above = path.parent().unwrap_or(&self.folder);
            folders.make(above).map_err(|error| Failure::io(error).context(above.display().to_string()))?;
            let output = outputs.open(&path, Kind::Parquet)?;
            opened.push((file, path, output));
        }
        let written = Writing { analysis, told, joined: Mutex::default() }.all(opened)?;
        let mark = self.place(TRACES, &id);
        removal::gone(std::fs::remove_file(&mark))
            .and_then(|()| removal::stays(&self.folder, &id))
            .and_then(|()| removal::remove_former(&self.folder, &id))
            .map_err(|error| Failure::io(error).context(mark.display().to_string()))?;
        folders.keep();
        let finished: Result<Vec<LakeFile>, Failure> =
            written.into_iter().map(|(file, output)| output.finish().map(|_| file)).collect();
        let files = finished?;
        self.replace(id, Entry::of(analysis, told))?;
        Ok(files)
    }

    /// Takes away what is there of the same recording from when it held something else.
    fn replace(&mut self, id: String, entry: Entry) -> Result<(), Failure> {
        let of_same =
            |(other, known): (&String, &Entry)| (*other != id && entry.replaces(known)).then(|| other.clone());
        for other in self.entries.iter().filter_map(of_same).collect::<Vec<_>>() {
            let failed = |error| Failure::io(error).context(self.place(TRACES, &other).display().to_string());
            removal::remove(&self.folder, &other).map_err(failed)?;
            self.entries.remove(&other);
        }
        self.entries.insert(id, entry);
        Ok(())
    }
}

/// Where a trace's table lies.
fn place(folder: &Path, table: &str, id: &str) -> PathBuf {
    folder.join(table).join(format!("trace={id}")).join(format!("{table}.parquet"))
}
