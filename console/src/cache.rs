//! Files of work that can be done again, kept beside the user's other caches. Whoever has none, or cannot write it, does the
//! work again: nothing here is an error to them.

use crate::unfinished::Unfinished;
use std::fs::{DirBuilder, File};
use std::io::{BufWriter, Error, ErrorKind, Result as IoResult, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What all files take together, before the oldest go.
pub const MOST_BYTES: u64 = 2 << 30;

/// The ending of its files: nothing else is ever taken away.
const ENDING: &str = "table";

/// Bytes that are collected before they are written.
const BUFFER_BYTES: usize = 1 << 16;

/// An unfinished file that is older was left by a process that was killed.
const LEFT_BEHIND: Duration = Duration::from_secs(3600);

/// A folder of files, in groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache {
    folder: PathBuf,
    most_bytes: u64,
}

/// What a cache holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Held {
    /// Its files.
    pub files: u64,
    /// The groups that they are in.
    pub groups: u64,
    /// What they take.
    pub bytes: u64,
}

/// A file that was found.
struct Found {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
    is_whole: bool,
}

impl Cache {
    /// The user's: `$TAUT_CACHE`, which may be empty for none, or `taut` where the system has users' caches.
    pub fn of_user() -> Option<Cache> {
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
        Some(Cache::at(folder, MOST_BYTES))
    }

    /// The one in a folder, which need not be there.
    pub fn at(folder: PathBuf, most_bytes: u64) -> Cache {
        Cache { folder, most_bytes }
    }

    /// Where it lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What it may take.
    pub fn most_bytes(&self) -> u64 {
        self.most_bytes
    }

    /// A file of a group, if it is there; it is now the last used.
    pub fn find(&self, group: &str, name: &str) -> Option<File> {
        let path = self.path(group, name)?;
        let file = File::open(&path).ok()?;
        // Only what may be written can be touched, and a cache that may not be written loses nothing.
        let _ = File::options().append(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        Some(file)
    }

    /// Takes a file away that is of no use.
    pub fn forget(&self, group: &str, name: &str) {
        if let Some(path) = self.path(group, name) {
            let _ = std::fs::remove_file(path);
        }
    }

    /// A new file of a group, which is there once it is [kept](CacheFile::keep).
    ///
    /// # Errors
    /// It cannot be written.
    pub fn begin(&self, group: &str, name: &str) -> IoResult<CacheFile> {
        let path = self.path(group, name).ok_or(ErrorKind::InvalidInput)?;
        let folder = self.folder.join(group);
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        // What is in a trace is nobody else's business.
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&folder)?;
        let (file, unfinished) = Unfinished::beside(&folder, None)?;
        Ok(CacheFile {
            file: BufWriter::with_capacity(BUFFER_BYTES, file),
            unfinished,
            path,
            cache: self.clone(),
            bytes: 0,
        })
    }

    /// What is there.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn held(&self) -> IoResult<Held> {
        Ok(held(&self.found()?))
    }

    /// Takes everything away, and says what that was.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn clear(&self) -> IoResult<Held> {
        let found = self.found()?;
        for file in &found {
            remove(file)?;
        }
        let _ = std::fs::remove_dir(&self.folder);
        Ok(held(&found))
    }

    /// Takes the oldest away until the rest is small enough, and what was left unfinished.
    fn trim(&self, newest: &Path) -> IoResult<()> {
        let mut found = self.found()?;
        found.sort_by_key(|file| file.used);
        let mut bytes: u64 = found.iter().map(|file| file.bytes).sum();
        for file in found.iter().filter(|file| file.path != newest) {
            let is_left = !file.is_whole && file.used.elapsed().is_ok_and(|age| age > LEFT_BEHIND);
            if is_left || (file.is_whole && bytes > self.most_bytes) {
                // Another process may be over the same.
                let _ = remove(file);
                bytes -= file.bytes;
            }
        }
        Ok(())
    }

    fn path(&self, group: &str, name: &str) -> Option<PathBuf> {
        let is_plain = |text: &str| {
            let is_plain = |letter: u8| letter.is_ascii_alphanumeric() || b"_.".contains(&letter);
            !text.is_empty() && text.len() <= 100 && !text.starts_with('.') && text.bytes().all(is_plain)
        };
        (is_plain(group) && is_plain(name)).then(|| self.folder.join(group).join(format!("{name}.{ENDING}")))
    }

    fn found(&self) -> IoResult<Vec<Found>> {
        let mut found = Vec::new();
        let groups = match std::fs::read_dir(&self.folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(found),
            groups => groups?,
        };
        for group in groups {
            // What goes meanwhile is not there.
            let files = std::fs::read_dir(group?.path()).into_iter().flatten().flatten();
            found.extend(files.filter_map(|file| {
                let (path, metadata) = (file.path(), file.metadata().ok()?);
                let name = file.file_name();
                let is_whole = path.extension().is_some_and(|ending| ending == ENDING);
                let is_unfinished = name.to_str().is_some_and(|name| name.starts_with(".taut-"));
                let used = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                let is_own = metadata.is_file() && (is_whole || is_unfinished);
                is_own.then_some(Found { path, bytes: metadata.len(), used, is_whole })
            }));
        }
        Ok(found)
    }
}

fn held(found: &[Found]) -> Held {
    let whole = || found.iter().filter(|file| file.is_whole);
    let mut groups: Vec<&Path> = whole().filter_map(|file| file.path.parent()).collect();
    groups.sort_unstable();
    groups.dedup();
    Held {
        files: whole().count() as u64,
        groups: groups.len() as u64,
        bytes: found.iter().map(|file| file.bytes).sum(),
    }
}

fn remove(file: &Found) -> IoResult<()> {
    match std::fs::remove_file(&file.path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    // Where other files lie in it, it stays.
    let _ = file.path.parent().map(std::fs::remove_dir);
    Ok(())
}

/// A file of a cache in the making. Dropped before it is kept, it leaves nothing behind.
pub struct CacheFile {
    file: BufWriter<File>,
    unfinished: Unfinished,
    path: PathBuf,
    cache: Cache,
    bytes: u64,
}

impl CacheFile {
    /// Puts the file in its place. Whoever finds it finds it whole.
    ///
    /// # Errors
    /// It cannot be put there.
    pub fn keep(self) -> IoResult<()> {
        let CacheFile { file, unfinished, path, cache, .. } = self;
        drop(file.into_inner().map_err(|error| error.into_error())?);
        unfinished.put(&path)?;
        cache.trim(&path)
    }
}

impl Write for CacheFile {
    fn write(&mut self, bytes: &[u8]) -> IoResult<usize> {
        if self.bytes + bytes.len() as u64 > self.cache.most_bytes {
            return Err(Error::other("larger than all that is kept"));
        }
        let written = self.file.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> IoResult<()> {
        self.file.flush()
    }
}

/// A file on a disk as it was seen: where that differs, it is another, or was written to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Its size.
    pub bytes: u64,
    /// When it was written to last.
    pub modified: SystemTime,
    #[cfg(unix)]
    place: (u64, u64),
}

impl Seen {
    /// The file at a path; none where there is none, or something else than a file.
    pub fn of(path: &Path) -> Option<Seen> {
        let metadata = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
        Some(Seen {
            bytes: metadata.len(),
            modified: metadata.modified().ok()?,
            #[cfg(unix)]
            place: {
                use std::os::unix::fs::MetadataExt;
                (metadata.dev(), metadata.ino())
            },
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::io::Read;

    fn put(cache: &Cache, group: &str, name: &str, bytes: usize) {
        let mut file = cache.begin(group, name).unwrap();
        file.write_all(&vec![7; bytes]).unwrap();
        file.keep().unwrap();
    }

    fn read(cache: &Cache, group: &str, name: &str) -> Option<usize> {
        let mut bytes = Vec::new();
        cache.find(group, name)?.read_to_end(&mut bytes).unwrap();
        Some(bytes.len())
    }

    #[test]
    fn the_oldest_go_when_all_take_too_much() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("a/cache"), 1000);
        assert_eq!(cache.held().unwrap(), Held::default());
        put(&cache, "one", "heaps", 400);
        put(&cache, "one", "calls", 500);
        let long_ago = SystemTime::now() - Duration::from_secs(100);
        let of = |name: &str| File::options().append(true).open(cache.path("one", name).unwrap()).unwrap();
        of("heaps").set_modified(long_ago).unwrap();
        of("calls").set_modified(long_ago - Duration::from_secs(1)).unwrap();
        // What is read is used.
        assert_eq!(read(&cache, "one", "calls"), Some(500));
        put(&cache, "two", "heaps", 300);
        assert_eq!(read(&cache, "one", "heaps"), None);
        assert_eq!(cache.held().unwrap(), Held { files: 2, groups: 2, bytes: 800 });
        assert!(cache.begin("two", "large").unwrap().write_all(&[0; 1001]).is_err());
        assert_eq!(cache.clear().unwrap().files, 2);
        assert!(!cache.folder().exists());
    }

    #[test]
    fn nothing_but_its_own_files_is_taken_away() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().to_owned(), 1000);
        put(&cache, "one", "heaps", 10);
        std::fs::write(folder.path().join("one/letter.txt"), "Dear").unwrap();
        std::fs::write(folder.path().join("letter.table"), "Dear").unwrap();
        let unfinished = folder.path().join("one/.taut-x.part");
        std::fs::write(&unfinished, "half").unwrap();
        put(&cache, "one", "calls", 10);
        assert!(unfinished.exists(), "somebody may be writing it");
        let long_ago = SystemTime::now() - 2 * LEFT_BEHIND;
        File::options().append(true).open(&unfinished).unwrap().set_modified(long_ago).unwrap();
        put(&cache, "one", "calls", 20);
        assert!(!unfinished.exists(), "it was left behind");
        cache.clear().unwrap();
        assert!(folder.path().join("one/letter.txt").exists() && folder.path().join("letter.table").exists());
    }

    #[test]
    fn a_file_that_is_not_kept_is_not_there_and_hostile_names_have_none() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("cache"), 1000);
        cache.begin("one", "heaps").unwrap().write_all(b"half").unwrap();
        assert!(cache.find("one", "heaps").is_none());
        assert_eq!(cache.held().unwrap(), Held::default());
        for name in ["", "../heaps", ".heaps", "a/b", "a\\b", "a\0", &"a".repeat(101)] {
            assert!(cache.begin("one", name).is_err() && cache.find(name, "heaps").is_none(), "{name:?}");
        }
    }
}
