//! Cache of files that can be recomputed, in the user's cache directory. If there is no cache, or it cannot be written,
//! the caller recomputes: failures here are not errors. Only files that are proven to be tables of `taut` are removed
//! or replaced.

mod file_state;
mod folder;
mod proof;

pub use file_state::FileState;

use crate::own_file::open_own;
use crate::unfinished::Unfinished;
use folder::{create_folder, is_group, is_unfinished, remove_folder};
use serde_json::{Value, json};
use std::fs::{DirEntry, File};
use std::io::{BufWriter, Error, ErrorKind, Result as IoResult, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Maximum size of all files together, in bytes; beyond it the least recently used are removed.
pub const MAX_BYTES: u64 = 2 << 30;

/// Extension of the cache's files.
const EXTENSION: &str = "table";

/// Size of the write buffer, in bytes.
const BUFFER_BYTES: usize = 1 << 16;

/// Age from which an unfinished file is attributed to a killed process and removed.
const UNFINISHED_MAX_AGE: Duration = Duration::from_secs(3600);

/// A cache directory with files in groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache {
    folder: PathBuf,
    max_bytes: u64,
}

/// Contents of a cache.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CacheContents {
    /// Number of tables.
    pub files: u64,
    /// Number of groups that they are in.
    pub groups: u64,
    /// Size of the tables and of unfinished ones.
    pub bytes: u64,
    /// Paths in the folder that are no tables of this user's `taut`. They are never removed.
    pub foreign: Vec<PathBuf>,
}

impl CacheContents {
    /// The contents of `cache` as JSON; of those that were removed if `is_cleared`.
    pub fn json(&self, cache: &Cache, is_cleared: bool) -> Value {
        let foreign: Vec<String> = self.foreign.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        json!({
            "folder": cache.folder.to_string_lossy(), "tables": self.files, "traces": self.groups, "bytes": self.bytes,
            "max_bytes": cache.max_bytes, "cleared": is_cleared, "foreign": foreign,
        })
    }
}

/// JSON of a user without a cache.
pub fn no_cache_json() -> Value {
    json!({"folder": null, "tables": 0, "traces": 0, "bytes": 0, "foreign": []})
}

/// A file whose path and name match the cache's scheme.
struct Found {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
    is_whole: bool,
}

impl Found {
    /// True if the content proves that `taut` wrote the file.
    fn is_proven(&self) -> bool {
        if self.is_whole { proof::is_whole_table(&self.path) } else { proof::is_unfinished_table(&self.path) }
    }
}

/// Entries of the cache's folder.
#[derive(Default)]
struct Listing {
    found: Vec<Found>,
    /// The groups' folders.
    groups: Vec<PathBuf>,
    foreign: Vec<PathBuf>,
}

impl Cache {
    /// Opens the user's cache: `$TAUT_CACHE` (empty for none), or `taut` in the system's directory for user caches.
    pub fn for_user() -> Option<Cache> {
        let of = |name: &str| std::env::var_os(name).map(PathBuf::from);
        let full = |name: &str| of(name).filter(|folder| folder.is_absolute());
        let folder = match of("TAUT_CACHE") {
            Some(folder) if folder.as_os_str().is_empty() => return None,
            Some(folder) => folder,
            None => {
                let at_home = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
                let home = || Some(full("HOME")?.join(at_home));
                full("XDG_CACHE_HOME").or_else(|| full("LOCALAPPDATA")).or_else(home)?.join("taut")
            }
        };
        Some(Cache::at(folder, MAX_BYTES))
    }

    /// Creates a cache in a folder, which need not exist.
    pub fn at(folder: PathBuf, max_bytes: u64) -> Cache {
        Cache { folder, max_bytes }
    }

    /// The cache's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Maximum size of all its files.
    pub fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    /// Opens a file of a group, if it exists, and marks it as used. Links, pipes and other users' files are skipped.
    pub fn find(&self, group: &str, name: &str) -> Option<File> {
        let file = open_own(&self.existing_path(group, name)?).ok()?;
        // The owner of a file may set its times through a handle that is open for reading.
        let _ = file.set_modified(SystemTime::now());
        Some(file)
    }

    /// Path of a file of a group, if the file exists, for another program that reads it.
    pub fn path_of(&self, group: &str, name: &str) -> Option<PathBuf> {
        self.find(group, name)?;
        self.existing_path(group, name)
    }

    /// Removes an unusable file, if it is a table or the remains of one.
    pub fn remove_invalid(&self, group: &str, name: &str) {
        if let Some(path) = self.existing_path(group, name).filter(|path| proof::is_remnant_of_table(path)) {
            let _ = std::fs::remove_file(path);
        }
    }

    /// Creates a file of a group; it becomes visible on [`commit`](CacheFile::commit).
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn begin(&self, group: &str, name: &str) -> IoResult<CacheFile> {
        let path = self.path(group, name).ok_or(ErrorKind::InvalidInput)?;
        let folder = create_folder(&self.folder, group)?;
        let (file, unfinished) = Unfinished::create_in(&folder, None)?;
        Ok(CacheFile {
            file: BufWriter::with_capacity(BUFFER_BYTES, file),
            unfinished,
            path,
            cache: self.clone(),
            bytes: 0,
        })
    }

    /// Lists the tables in the cache, and foreign paths in its folder.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn contents(&self) -> IoResult<CacheContents> {
        let Listing { found, mut foreign, .. } = self.listing()?;
        let (own, others): (Vec<Found>, Vec<Found>) = found.into_iter().partition(Found::is_proven);
        foreign.extend(others.into_iter().map(|file| file.path));
        Ok(contents(&own, foreign))
    }

    /// Removes all tables, and the folders that were created for them; returns what was removed, and the foreign paths
    /// that remain.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn clear(&self) -> IoResult<CacheContents> {
        let Listing { found, groups, mut foreign } = self.listing()?;
        let (own, others): (Vec<Found>, Vec<Found>) = found.into_iter().partition(Found::is_proven);
        for file in &own {
            remove(file)?;
        }
        foreign.extend(others.into_iter().map(|file| file.path));
        if folder::is_tagged(&self.folder) {
            // Also those that an earlier clearing emptied and could not remove.
            groups.iter().try_for_each(|group| folder::remove_empty(group))?;
        }
        remove_folder(&self.folder)?;
        Ok(contents(&own, foreign))
    }

    /// Removes the least recently used files until the rest is within the limit, and old unfinished files.
    fn trim(&self, newest: &Path) -> IoResult<()> {
        let mut found = self.listing()?.found;
        found.sort_by_key(|file| file.used);
        let mut bytes: u64 = found.iter().map(|file| file.bytes).sum();
        for file in found.iter().filter(|file| file.path != newest) {
            let is_left = !file.is_whole && file.used.elapsed().is_ok_and(|age| age > UNFINISHED_MAX_AGE);
            if is_left || (file.is_whole && bytes > self.max_bytes) {
                if file.is_proven() {
                    // Another process may remove the same file.
                    let _ = remove(file);
                }
                // Foreign files count as removed, or they would crowd out all tables.
                bytes -= file.bytes;
            }
        }
        Ok(())
    }

    /// Path of a file, if its group's folder exists. The folder must not be a link, which could lead to a folder of
    /// other files.
    fn existing_path(&self, group: &str, name: &str) -> Option<PathBuf> {
        let is_folder = |path: &Path| std::fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
        self.path(group, name).filter(|path| path.parent().is_some_and(is_folder))
    }

    fn path(&self, group: &str, name: &str) -> Option<PathBuf> {
        let is_plain = |letter: u8| letter.is_ascii_alphanumeric() || b"_.".contains(&letter);
        let is_name = !name.is_empty() && name.len() <= 100 && !name.starts_with('.') && name.bytes().all(is_plain);
        (is_group(group) && is_name).then(|| self.folder.join(group).join(format!("{name}.{EXTENSION}")))
    }

    /// Lists the files whose path and name match the cache's scheme, and everything else in its folder. Links are not
    /// followed.
    fn listing(&self) -> IoResult<Listing> {
        let mut listing = Listing::default();
        let entries = match std::fs::read_dir(&self.folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(listing),
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            // The type of an entry is that of a link itself, not of its target.
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if name.to_str().is_some_and(is_group) && is_folder {
                listing.add_group(entry.path())?;
            } else if name != folder::TAG_NAME {
                listing.foreign.push(entry.path());
            }
        }
        listing.foreign.sort();
        Ok(listing)
    }
}

impl Listing {
    /// Adds the files of a group. A folder that another process removes meanwhile is left out.
    fn add_group(&mut self, folder: PathBuf) -> IoResult<()> {
        let files = match std::fs::read_dir(&folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            files => files?,
        };
        for file in files {
            self.add(&file?);
        }
        self.groups.push(folder);
        Ok(())
    }

    fn add(&mut self, entry: &DirEntry) {
        let path = entry.path();
        let metadata = std::fs::symlink_metadata(&path).ok().filter(std::fs::Metadata::is_file);
        let is_whole = path.extension().is_some_and(|extension| extension == EXTENSION);
        let is_named = is_whole || entry.file_name().to_str().is_some_and(is_unfinished);
        match metadata.filter(|_| is_named) {
            Some(metadata) => {
                let used = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                self.found.push(Found { path, bytes: metadata.len(), used, is_whole });
            }
            None => self.foreign.push(path),
        }
    }
}

fn contents(own: &[Found], foreign: Vec<PathBuf>) -> CacheContents {
    let whole = || own.iter().filter(|file| file.is_whole);
    let mut groups: Vec<&Path> = whole().filter_map(|file| file.path.parent()).collect();
    groups.sort_unstable();
    groups.dedup();
    CacheContents {
        files: whole().count() as u64,
        groups: groups.len() as u64,
        bytes: own.iter().map(|file| file.bytes).sum(),
        foreign,
    }
}

fn remove(file: &Found) -> IoResult<()> {
    match std::fs::remove_file(&file.path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    // The group's folder remains if it has other files: removing it then fails.
    file.path.parent().map_or(Ok(()), folder::remove_empty)
}

/// A cache file being written. Dropped before [`commit`](CacheFile::commit), it leaves nothing.
pub struct CacheFile {
    file: BufWriter<File>,
    unfinished: Unfinished,
    path: PathBuf,
    cache: Cache,
    bytes: u64,
}

impl CacheFile {
    /// Moves the complete file to its path, replacing only a table.
    ///
    /// # Errors
    /// The file cannot be moved, or its path holds a file that is not a table.
    pub fn commit(self) -> IoResult<()> {
        let CacheFile { file, unfinished, path, cache, .. } = self;
        drop(file.into_inner().map_err(|error| error.into_error())?);
        if std::fs::symlink_metadata(&path).is_ok() && !proof::is_remnant_of_table(&path) {
            return Err(Error::from(ErrorKind::AlreadyExists));
        }
        unfinished.put(&path)?;
        cache.trim(&path)
    }
}

impl Write for CacheFile {
    fn write(&mut self, bytes: &[u8]) -> IoResult<usize> {
        if self.bytes + bytes.len() as u64 > self.cache.max_bytes {
            return Err(Error::other("larger than the whole cache may be"));
        }
        let written = self.file.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> IoResult<()> {
        self.file.flush()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
