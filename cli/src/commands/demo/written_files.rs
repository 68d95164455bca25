//! Manifest of the files that `taut demo` wrote into a folder. It lets a later demo replace these files and no others.
//!
//! The manifest is a text: the line [`HEADER`], a line `SIZE CRC NAME` per file, and the CRC of all these lines. Sizes
//! are in bytes, decimal; a CRC is CRC-32C in eight hexadecimal digits.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use taut_console::open_own;
use taut_console::outcome::Failure;
use taut_traces::read_stream_limited;

/// File name of the manifest.
const MANIFEST_NAME: &str = ".taut-demo";

/// First line of the manifest.
const HEADER: &str = "files that taut demo wrote, with sizes and CRC-32C";

/// Max size of a manifest, in bytes. A demo writes four files, so the limit rejects other files.
const MAX_MANIFEST_BYTES: u64 = 1 << 14;

/// Size and CRC-32C of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
struct SizeAndCrc {
    bytes: u64,
    crc: u32,
}

/// Files that demos wrote into a folder.
pub struct WrittenFiles {
    folder: PathBuf,
    entries: BTreeMap<String, SizeAndCrc>,
}

impl WrittenFiles {
    /// Creates an empty manifest: no file of the folder counts as written by a demo.
    pub fn empty(folder: &Path) -> WrittenFiles {
        WrittenFiles { folder: folder.to_owned(), entries: BTreeMap::new() }
    }

    /// Reads the manifest of a folder. The result is empty if the folder has no manifest.
    ///
    /// # Errors
    /// The file with the manifest's name cannot be read, or is not an unchanged manifest.
    pub fn read(folder: &Path) -> Result<WrittenFiles, Failure> {
        let path = folder.join(MANIFEST_NAME);
        let mut files = WrittenFiles::empty(folder);
        if std::fs::symlink_metadata(&path).is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            return Ok(files);
        }
        // A file that cannot be read gives an empty text, which is no manifest.
        let file = open_own(&path);
        let bytes = file.and_then(|file| read_stream_limited(file, MAX_MANIFEST_BYTES)).unwrap_or_default();
        let text = String::from_utf8(bytes).unwrap_or_default();
        files.entries = parse(&text).ok_or_else(|| foreign_file(&path))?;
        Ok(files)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Checks that the file of this name does not exist, or is an unchanged file that `taut demo` wrote.
    ///
    /// # Errors
    /// The file was not written by a demo, or it was changed.
    pub fn check(&self, name: &str) -> Result<(), Failure> {
        let path = self.folder.join(name);
        if std::fs::symlink_metadata(&path).is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            return Ok(());
        }
        let is_unchanged =
            self.entries.get(name).is_some_and(|written| size_and_crc(&path).is_ok_and(|found| found == *written));
        if is_unchanged { Ok(()) } else { Err(foreign_file(&path)) }
    }

    /// Adds a file that the demo has just written, and writes the manifest. If that fails, the file is removed: without
    /// its entry, the next demo would take it for a file of the user.
    ///
    /// # Errors
    /// The file cannot be read, or the manifest cannot be written.
    pub fn add(&mut self, name: &str) -> Result<(), Failure> {
        let path = self.folder.join(name);
        let added = size_and_crc(&path)
            .map_err(|error| Failure::io(error).context(path.display().to_string()))
            .and_then(|written| {
                self.entries.insert(name.to_owned(), written);
                self.write()
            });
        if added.is_err() {
            // The first failure is reported, whether or not this succeeds.
            let _ = std::fs::remove_file(&path);
        }
        added
    }

    /// Writes the manifest to a temporary file and renames it, so that an interrupted write leaves the former one intact.
    fn write(&self) -> Result<(), Failure> {
        let manifest = self.folder.join(MANIFEST_NAME);
        let temporary = tempfile::Builder::new().prefix(".taut-").suffix(".part").tempfile_in(&self.folder);
        let written = temporary.and_then(|mut file| {
            file.write_all(self.to_text().as_bytes())?;
            file.persist(&manifest).map(drop).map_err(|persist| persist.error)
        });
        written.map_err(|error| Failure::io(std::io::Error::from(error.kind())).context(manifest.display().to_string()))
    }

    fn to_text(&self) -> String {
        let mut text = format!("{HEADER}\n");
        for (name, SizeAndCrc { bytes, crc }) in &self.entries {
            text += &format!("{bytes} {crc:08x} {name}\n");
        }
        let crc = crc32c::crc32c(text.as_bytes());
        text + &format!("{crc:08x}\n")
    }
}

/// Parses the text of a manifest. `None` if the text is not an unchanged manifest.
fn parse(text: &str) -> Option<BTreeMap<String, SizeAndCrc>> {
    let (lines, crc) = text.strip_suffix('\n')?.rsplit_once('\n')?;
    let crc_matches = u32::from_str_radix(crc, 16).ok()? == crc32c::crc32c(format!("{lines}\n").as_bytes());
    let mut lines = lines.lines();
    if !crc_matches || lines.next()? != HEADER {
        return None;
    }
    let entry = |line: &str| {
        let mut words = line.splitn(3, ' ');
        let bytes: u64 = words.next()?.parse().ok()?;
        let crc = u32::from_str_radix(words.next()?, 16).ok()?;
        Some((words.next()?.to_owned(), SizeAndCrc { bytes, crc }))
    };
    lines.map(entry).collect()
}

fn size_and_crc(path: &Path) -> std::io::Result<SizeAndCrc> {
    let mut file = open_own(path)?;
    let (mut found, mut buffer) = (SizeAndCrc { bytes: 0, crc: 0 }, vec![0; 1 << 16]);
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(found);
        }
        found.bytes += read as u64;
        found.crc = crc32c::crc32c_append(found.crc, &buffer[..read]);
    }
}

fn foreign_file(path: &Path) -> Failure {
    let path = path.display();
    Failure::usage(format_args!("{path}: expected an unchanged file that `taut demo` wrote; --force replaces the file"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_unchanged_files_of_a_demo_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let read = || WrittenFiles::read(folder.path());
        let mut files = read().unwrap();
        assert!(files.check("a.taut").is_ok());
        std::fs::write(at("a.taut"), "first").unwrap();
        assert!(files.check("a.taut").is_err());
        files.add("a.taut").unwrap();
        assert!(read().unwrap().check("a.taut").is_ok());
        std::fs::write(at("a.taut"), "other").unwrap();
        assert!(read().unwrap().check("a.taut").is_err());
        let manifest = std::fs::read_to_string(at(MANIFEST_NAME)).unwrap();
        std::fs::write(at(MANIFEST_NAME), manifest.replace("a.taut", "b.taut")).unwrap();
        assert!(read().is_err(), "a manifest that was changed");
        std::fs::write(at(MANIFEST_NAME), "not a manifest").unwrap();
        assert!(read().is_err());
    }

    #[test]
    fn a_file_whose_entry_cannot_be_written_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.taut"), "first").unwrap();
        std::fs::create_dir(folder.path().join(MANIFEST_NAME)).unwrap();
        let mut files = WrittenFiles::empty(folder.path());
        assert!(files.add("a.taut").is_err(), "a folder has the manifest's name");
        assert!(!folder.path().join("a.taut").exists());
        assert!(files.check("a.taut").is_ok());
    }
}
