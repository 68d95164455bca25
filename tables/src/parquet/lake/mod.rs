//! A lake: a directory of Parquet files, one per table and trace, partitioned by trace.
//!
//! Paths are `lake/resources/trace=0123456789abcdef/resources.parquet`. Columns that follow from others are not stored;
//! the reader derives them (see `view`). Files are written next to their final paths and renamed once all are complete,
//! so readers of `lake/resources/*/*.parquet` never see a partial file, and concurrent writers do not disturb each
//! other. The file of the table `traces` is renamed last and removed first: a trace that has it is complete, whenever a
//! writer was killed. Tables of records are read and written one row group at a time.

mod derived;
mod entry;
mod others;
mod reader;
mod removal;
mod view;
mod writer;

pub use crate::lake_error::LakeError;
use entry::Entry;
pub use entry::TraceSource;
pub(crate) use entry::layout;
pub(crate) use reader::LakeTable;
pub use reader::ReadLake;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use taut_analyze::Analysis;
use taut_analyze::export::trace_id;
use taut_console::outcome::Failure;
use taut_console::output::{Folders, Kind, Outputs};
use taut_console::parquet_footer::Footer;
use taut_traces::{Trace, open_regular};
use writer::{Opened, TraceExport};

/// Table whose file marks a trace as complete.
const TRACES: &str = "traces";

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LakeFile {
    /// Table in the file, or `other_events`.
    pub table: &'static str,
    pub rows: usize,
    pub path: PathBuf,
}

/// A lake open for writing.
#[derive(Debug)]
pub struct Lake {
    folder: PathBuf,
    /// Complete traces, by id.
    entries: BTreeMap<String, Entry>,
}

impl Lake {
    /// Opens the lake at `folder`, which need not exist, and completes the removal of traces that a killed writer had
    /// begun to remove.
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

    /// True if the lake holds the complete trace with the tables of this build, and with these tags if any are given. A
    /// missing or damaged file makes the trace incomplete, so that it is written again.
    pub fn has(&self, trace: &Trace, source: &TraceSource) -> bool {
        let id = trace_id(trace);
        let is_sound = |file: PathBuf| {
            open_regular(file).and_then(|file| Footer::verify(&file)).is_ok_and(|footer| footer.is_sound())
        };
        let has_all = || view::files().all(|file| is_sound(self.place(file, &id)));
        self.entries.get(&id).is_some_and(|entry| entry.is_of(trace, source)) && has_all()
    }

    /// Writes all tables of a trace, replacing those of the same recording: all of them, or none.
    ///
    /// # Errors
    /// A table cannot be computed, a file cannot be written, or `outputs` does not allow replacing it.
    pub fn write(
        &mut self,
        analysis: &Analysis,
        source: &TraceSource,
        outputs: &mut Outputs,
    ) -> Result<Vec<LakeFile>, Failure> {
        let id = trace_id(analysis.trace());
        let mut folders = Folders::default();
        let mut opened = Vec::new();
        for file in view::files() {
            let path = self.place(file, &id);
            let above = path.parent().unwrap_or(&self.folder);
            folders.make(above).map_err(|error| Failure::io(error).context(above.display().to_string()))?;
            let output = outputs.open_inside(&path, Kind::Parquet)?;
            opened.push(Opened { table: file, path, output });
        }
        let written = TraceExport { analysis, source, joined: Mutex::default() }.all(opened)?;
        // The order matters if this process is killed: without its mark the trace counts as absent, so a mix of old and
        // new files is never read as one trace.
        let mark = self.place(TRACES, &id);
        removal::remove_file(&mark)
            .and_then(|()| removal::cancel_removal(&self.folder, &id))
            .and_then(|()| removal::remove_obsolete(&self.folder, &id))
            .map_err(|error| Failure::io(error).context(mark.display().to_string()))?;
        folders.make_permanent();
        let finished: Result<Vec<LakeFile>, Failure> =
            written.into_iter().map(|(file, output)| output.finish().map(|_| file)).collect();
        let files = finished?;
        self.replace(id, Entry::new(analysis, source))?;
        Ok(files)
    }

    /// Removes entries of earlier states of the same recording.
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

/// Path of a trace's table.
fn place(folder: &Path, table: &str, id: &str) -> PathBuf {
    folder.join(table).join(format!("trace={id}")).join(format!("{table}.parquet"))
}
