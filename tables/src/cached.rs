//! Tables that were made before: kept in the user's cache, and read from there while their trace is what it was.

use crate::error::TableError;
use crate::formats::{Packing, ParquetFile, StoredTable, layout};
use crate::hash::hashed;
use crate::tables::{AnyTable, TABLES};
use polars::prelude::DataFrame;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use taut_analyze::Analysis;
use taut_analyze::formats::trace_id;
use taut_console::cache::{Cache, CacheFile, Seen};

/// The key under which a file says what it was made of.
const MADE_OF: &str = "tautline.made_of";

/// The tables of one trace that a cache has, or will have.
#[derive(Debug, Clone)]
pub struct CachedTables {
    cache: Cache,
    /// The trace's file, and how that was when the trace was opened.
    file: PathBuf,
    seen: Seen,
    /// What its tables are made of.
    key: String,
}

impl CachedTables {
    /// Those of a trace that was opened after its file was `seen`; none of one that may still change, that says of no recording
    /// which it is, or that has damage.
    pub fn of(cache: Cache, file: &Path, seen: Seen, analysis: &Analysis) -> Option<CachedTables> {
        let trace = analysis.trace();
        let recording = trace.header().identity.id.as_str();
        let is_finished = trace.summary().complete && trace.recovery().is_none();
        let is_sound = trace.damage().is_empty() && trace.unknown_blocks().is_empty();
        let is_one = !recording.is_empty() && is_finished && is_sound;
        // A file that was replaced while it was opened is not known.
        if !is_one || Seen::of(file)? != seen {
            return None;
        }
        let since = |time: std::time::SystemTime| time.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        // Of the same version others may be built that make other tables.
        let program = std::env::current_exe().ok().and_then(|program| Seen::of(&program))?;
        let key = format!(
            "recording {recording} trace {} bytes {} written {} layout {} program {} {}",
            trace_id(trace),
            seen.bytes,
            since(seen.modified).as_nanos(),
            layout(),
            program.bytes,
            since(program.modified).as_nanos(),
        );
        Some(CachedTables { cache, file: file.to_owned(), seen, key })
    }

    fn group(&self) -> String {
        format!("{:016x}", hashed(&self.key))
    }

    /// What a table's file says that it was made of.
    fn made_of(&self, table: &str) -> String {
        format!("{} table {table}", self.key)
    }

    /// The columns named, in parts, as [`AnyTable::kept_parts`]: read if they were made before, else made and kept.
    ///
    /// # Errors
    /// The table cannot be made of this trace, or `map` or `take` failed.
    pub(crate) fn parts(
        &self,
        table: &AnyTable,
        analysis: &Analysis,
        wanted: &[String],
        map: &(dyn Fn(DataFrame) -> Result<DataFrame, TableError> + Sync),
        take: &mut (dyn FnMut(DataFrame) -> Result<ControlFlow<()>, TableError> + Send),
    ) -> Result<(), TableError> {
        let name = table.full_name();
        if let Some(stored) = self.find(&name, wanted) {
            return stored.parts(wanted, map, take);
        }
        let Some(file) = self.begin(&name) else { return table.kept_parts(analysis, Some(wanted), None, map, take) };
        let mut keeping = Some(file);
        let mut ended = false;
        let all: Vec<String> = table.columns_of(analysis).into_iter().map(|column| column.name).collect();
        table.kept_parts(analysis, Some(&all), None, &Ok, &mut |part| {
            let own = part.select(wanted.iter().map(String::as_str))?;
            if keeping.as_mut().is_some_and(|file| file.push(part).is_err()) {
                // A full disk, or more than is kept at all.
                keeping = None;
            }
            let flow = take(map(own)?)?;
            ended = flow.is_break();
            Ok(flow)
        })?;
        // Of a table in one part there is no more.
        let is_all = !ended || !table.is_in_parts();
        let is_sound = analysis.damage_met().is_empty() && Seen::of(&self.file).as_ref() == Some(&self.seen);
        if let Some(file) = keeping.filter(|_| is_all && is_sound) {
            let _ = file.finish_into().map(|file| file.map(CacheFile::keep));
        }
        Ok(())
    }

    /// Makes every table that is kept and is not of one call or mark alone, as far as it was not made before.
    ///
    /// # Errors
    /// One cannot be made of this trace.
    pub fn make_all(&self, analysis: &Analysis) -> Result<(), TableError> {
        for table in TABLES.iter().filter(|table| table.of_classes().is_empty()) {
            let first: Vec<String> = table.columns.iter().take(1).map(|column| column.name.to_owned()).collect();
            let made = AnyTable::Made(table);
            self.parts(&made, analysis, &first, &Ok, &mut |_| Ok(ControlFlow::Continue(())))?;
        }
        Ok(())
    }

    /// A table that was made before.
    fn find(&self, name: &str, wanted: &[String]) -> Option<StoredTable> {
        let file = self.cache.find(&self.group(), name)?;
        let has = |stored: &StoredTable, wanted: &String| stored.columns().iter().any(|column| column.name == *wanted);
        let is_it = |stored: &StoredTable| {
            stored.key(MADE_OF) == Some(&self.made_of(name))
                && wanted.iter().all(|wanted| has(stored, wanted))
                && stored.are_sound(wanted)
        };
        let found = StoredTable::of(file).filter(is_it);
        if found.is_none() {
            self.cache.forget(&self.group(), name);
        }
        found
    }

    fn begin(&self, name: &str) -> Option<ParquetFile<CacheFile>> {
        let file = self.cache.begin(&self.group(), name).ok()?;
        let keys = vec![(MADE_OF.to_owned(), self.made_of(name))];
        Some(ParquetFile::packed(file, keys, Packing::Quick))
    }
}
