//! Table cache: computed tables in the user's cache directory, valid while their trace file is unchanged.

use crate::error::TableError;
use crate::hash::hashed;
use crate::parquet::{Packing, ParquetFile, StoredTable, layout};
use crate::tables::{AnyTable, Map, TABLES, Take};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use taut_analyze::Analysis;
use taut_analyze::export::trace_id;
use taut_console::cache::{Cache, CacheFile, FileState};

/// Metadata key under which a cache file stores the key of its source.
const SOURCE_KEY: &str = "tautline.source";

/// Cached tables of one trace.
#[derive(Debug, Clone)]
pub struct CachedTables {
    cache: Cache,
    /// The trace's file, and its state when the trace was opened.
    file: PathBuf,
    file_state: FileState,
    /// Key of the tables' source: recording, trace file, table layout and program.
    key: String,
}

impl CachedTables {
    /// Tables of a trace that was opened after its file was `file_state`. `None` for a trace that may still change, has no
    /// recording identity, or is damaged.
    pub fn new(cache: Cache, file: &Path, file_state: FileState, analysis: &Analysis) -> Option<CachedTables> {
        let trace = analysis.trace();
        let recording = trace.header().identity.id.as_str();
        let is_finished = trace.summary().complete && trace.recovery().is_none();
        let is_sound = trace.damage().is_empty() && trace.unknown_blocks().is_empty();
        let is_one = !recording.is_empty() && is_finished && is_sound;
        // If the file was replaced while it was opened, `file_state` and the trace may be of different files.
        if !is_one || FileState::from_path(file)? != file_state {
            return None;
        }
        let since = |time: std::time::SystemTime| time.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        // Other builds of the same version may compute other tables, so the program file is part of the key.
        let program = std::env::current_exe().ok().and_then(|program| FileState::from_path(&program))?;
        let key = format!(
            "recording {recording} trace {} bytes {} written {} layout {} program {} {}",
            trace_id(trace),
            file_state.bytes,
            since(file_state.modified).as_nanos(),
            layout(),
            program.bytes,
            since(program.modified).as_nanos(),
        );
        Some(CachedTables { cache, file: file.to_owned(), file_state, key })
    }

    fn group(&self) -> String {
        format!("{:016x}", hashed(&self.key))
    }

    /// Source key of a table's cache file.
    fn source_key(&self, table: &str) -> String {
        format!("{} table {table}", self.key)
    }

    /// Reads the named columns in chunks, as [`AnyTable::selected_parts`]: from the cache if possible, otherwise computed
    /// and cached.
    ///
    /// # Errors
    /// The table cannot be computed from this trace, or `map` or `take` failed.
    pub(crate) fn parts(
        &self,
        table: &AnyTable,
        analysis: &Analysis,
        wanted: &[String],
        map: &Map<'_>,
        take: &mut Take<'_>,
    ) -> Result<(), TableError> {
        let name = table.full_name();
        if let Some(stored) = self.find(&name, wanted) {
            return stored.parts(wanted, map, take);
        }
        let Some(file) = self.begin(&name) else {
            return table.selected_parts(analysis, Some(wanted), None, map, take);
        };
        let mut cache_writer = Some(file);
        let mut ended = false;
        let all: Vec<String> = table.columns_of(analysis).into_iter().map(|column| column.name).collect();
        table.selected_parts(analysis, Some(&all), None, &Ok, &mut |part| {
            let own = part.select(wanted.iter().map(String::as_str))?;
            if cache_writer.as_mut().is_some_and(|file| file.push(part).is_err()) {
                // The disk is full, or the table exceeds the cache's size: the query goes on without caching.
                cache_writer = None;
            }
            let flow = take(map(own)?)?;
            ended = flow.is_break();
            Ok(flow)
        })?;
        // A table in one piece is complete even if `take` broke.
        let is_all = !ended || !table.is_in_parts();
        let is_sound =
            analysis.damage_met().is_empty() && FileState::from_path(&self.file).as_ref() == Some(&self.file_state);
        if let Some(file) = cache_writer.filter(|_| is_all && is_sound) {
            // A failure to cache the table does not affect the query.
            let _ = file.finish_into().map(|file| file.map(CacheFile::commit));
        }
        Ok(())
    }

    /// Path of a Parquet file with the answer to a query, for another program: from the cache if possible, otherwise
    /// `write` writes it, with the given metadata. `None` if the file cannot be cached.
    ///
    /// Two processes that create one file each write their own, and the last one that is complete replaces the other.
    ///
    /// # Errors
    /// `write` failed for another reason than its output.
    pub fn answer<E>(
        &self,
        name: &str,
        analysis: &Analysis,
        write: impl FnOnce(&mut CacheFile, Vec<(String, String)>) -> Result<(), E>,
    ) -> Result<Option<PathBuf>, E> {
        let (group, file_name) = (self.group(), format!("answer.{name}"));
        let key = self.source_key(&file_name);
        let is_it = |file| {
            StoredTable::open(file).is_some_and(|stored| stored.key(SOURCE_KEY) == Some(&key) && stored.is_sound())
        };
        if self.cache.find(&group, &file_name).is_some_and(is_it) {
            return Ok(self.cache.path_of(&group, &file_name));
        }
        self.cache.remove_invalid(&group, &file_name);
        let Ok(mut file) = self.cache.begin(&group, &file_name) else { return Ok(None) };
        write(&mut file, vec![(SOURCE_KEY.to_owned(), key)])?;
        let is_sound =
            analysis.damage_met().is_empty() && FileState::from_path(&self.file).as_ref() == Some(&self.file_state);
        if !is_sound || file.commit().is_err() {
            return Ok(None);
        }
        Ok(self.cache.path_of(&group, &file_name))
    }

    /// Computes and caches every table that is cacheable, except those of single calls and marks, unless it is cached
    /// already.
    ///
    /// # Errors
    /// A table cannot be computed from this trace.
    pub fn make_all(&self, analysis: &Analysis) -> Result<(), TableError> {
        for table in TABLES.iter().filter(|table| table.of_classes().is_empty()) {
            let first: Vec<String> = table.columns.iter().take(1).map(|column| column.name.to_owned()).collect();
            let fixed_table = AnyTable::Fixed(table);
            self.parts(&fixed_table, analysis, &first, &Ok, &mut |_| Ok(ControlFlow::Continue(())))?;
        }
        Ok(())
    }

    /// Finds a cached table; a file that is not valid is removed.
    fn find(&self, name: &str, wanted: &[String]) -> Option<StoredTable> {
        let file = self.cache.find(&self.group(), name)?;
        let has = |stored: &StoredTable, wanted: &String| stored.columns().iter().any(|column| column.name == *wanted);
        let is_it = |stored: &StoredTable| {
            stored.key(SOURCE_KEY) == Some(&self.source_key(name))
                && wanted.iter().all(|wanted| has(stored, wanted))
                && stored.are_sound(wanted)
        };
        let found = StoredTable::open(file).filter(is_it);
        if found.is_none() {
            self.cache.remove_invalid(&self.group(), name);
        }
        found
    }

    fn begin(&self, name: &str) -> Option<ParquetFile<CacheFile>> {
        let file = self.cache.begin(&self.group(), name).ok()?;
        let keys = vec![(SOURCE_KEY.to_owned(), self.source_key(name))];
        Some(ParquetFile::packed(file, keys, Packing::Quick))
    }
}
