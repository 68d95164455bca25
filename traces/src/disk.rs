//! The file system as a recording sees it: nothing stands between them, but what a test puts there to have it fail.

use crate::map::Piece;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a recording asks of its file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiskCall {
    /// Make a file or a folder.
    Create,
    /// Take some bytes.
    Write,
    /// Bring a file to disk.
    Sync,
    /// Give a file its name.
    Rename,
    /// Remove a file.
    Remove,
    /// Map a part of a file.
    Map,
}

/// Is told of each call, of the file's path, and how many bytes are to be written; says how many may be, or what goes wrong.
type Gate = dyn Fn(DiskCall, &Path, usize) -> io::Result<usize> + Send + Sync;

/// The file system of a recording, by default as it is.
#[derive(Clone, Default)]
pub struct Disk(Option<Arc<Gate>>);

impl Disk {
    /// A file system that `gate` stands before: it is told of each call before it is made, with the file's path and the
    /// number of bytes that are to be written, and says how many of them may be, or why the call fails.
    pub fn behind(gate: impl Fn(DiskCall, &Path, usize) -> io::Result<usize> + Send + Sync + 'static) -> Disk {
        Disk(Some(Arc::new(gate)))
    }

    fn ask(&self, call: DiskCall, path: &Path, bytes: usize) -> io::Result<usize> {
        self.0.as_ref().map_or(Ok(bytes), |gate| Ok(gate(call, path, bytes)?.min(bytes)))
    }

    /// An empty file; what is there is lost.
    pub(crate) fn create(&self, path: &Path) -> io::Result<DiskFile> {
        self.ask(DiskCall::Create, path, 0)?;
        Ok(self.file(File::create(path)?, path))
    }

    /// A file that is not there yet.
    pub(crate) fn create_new(&self, path: &Path) -> io::Result<DiskFile> {
        self.ask(DiskCall::Create, path, 0)?;
        Ok(self.file(File::create_new(path)?, path))
    }

    /// A folder.
    pub(crate) fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.ask(DiskCall::Create, path, 0)?;
        std::fs::create_dir(path)
    }

    /// Gives a file another name.
    pub(crate) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.ask(DiskCall::Rename, to, 0)?;
        std::fs::rename(from, to)
    }

    /// Removes a file.
    pub(crate) fn remove(&self, path: &Path) -> io::Result<()> {
        self.ask(DiskCall::Remove, path, 0)?;
        std::fs::remove_file(path)
    }

    /// An open file on this disk, which is told as `path`.
    pub(crate) fn file(&self, file: File, path: &Path) -> DiskFile {
        DiskFile { file, path: path.to_owned(), disk: self.clone() }
    }
}

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Disk(behind a gate)" } else { "Disk" })
    }
}

/// The same file system, behind the same gate.
impl PartialEq for Disk {
    fn eq(&self, other: &Disk) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        }
    }
}

impl Eq for Disk {}

/// An open file that is written.
#[derive(Debug)]
pub(crate) struct DiskFile {
    file: File,
    path: PathBuf,
    disk: Disk,
}

impl DiskFile {
    /// The file system it lies in.
    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Another handle of the file, with the same position.
    pub fn try_clone(&self) -> io::Result<DiskFile> {
        Ok(self.disk.file(self.file.try_clone()?, &self.path))
    }

    /// Brings the file to disk.
    pub fn sync_all(&self) -> io::Result<()> {
        self.disk.ask(DiskCall::Sync, &self.path, 0)?;
        self.file.sync_all()
    }

    /// Brings its bytes to disk.
    pub fn sync_data(&self) -> io::Result<()> {
        self.disk.ask(DiskCall::Sync, &self.path, 0)?;
        self.file.sync_data()
    }

    /// A part of it as memory.
    pub fn map(&self, offset: u64, bytes: usize) -> io::Result<Piece> {
        self.disk.ask(DiskCall::Map, &self.path, 0)?;
        Piece::of_file(&self.file, offset, bytes)
    }
}

impl Write for &DiskFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = self.disk.ask(DiskCall::Write, &self.path, bytes.len())?;
        (&self.file).write(&bytes[..taken])
    }

    fn flush(&mut self) -> io::Result<()> {
        (&self.file).flush()
    }
}

impl Write for DiskFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&*self).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self).flush()
    }
}

impl Read for &DiskFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        (&self.file).read(bytes)
    }
}

impl Seek for &DiskFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        (&self.file).seek(to)
    }
}
