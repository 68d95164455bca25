//! File system calls of a recording, with a hook that lets tests inject failures.

use crate::live::file_lock;
use crate::live::map::SlotMemory;
use crate::live::replace_file::replace_file;
use crate::live::side_file::{FileId, no_follow};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Kind of a file system call of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiskCall {
    /// Create a file or a folder.
    Create,
    /// Write bytes.
    Write,
    /// Sync a file to disk.
    Sync,
    /// Rename or link a file.
    Rename,
    /// Remove a file.
    Remove,
    /// Map a range of a file.
    Map,
    /// List the files of a folder.
    List,
    /// Truncate a file.
    Truncate,
    /// Punch a hole into a file.
    Punch,
}

/// Hook called before each call, with the file's path and the number of bytes to write; returns how many may be
/// written, or an error.
type Gate = dyn Fn(DiskCall, &Path, usize) -> io::Result<usize> + Send + Sync;

/// File system of a recording; without a hook by default.
#[derive(Clone, Default)]
pub struct Disk(Option<Arc<Gate>>);

impl Disk {
    /// Creates a file system whose calls pass through `gate`. The hook receives each call before it is made, with the
    /// file's path and the number of bytes to write; it returns the number of bytes that may be written, or the error
    /// of the call.
    pub fn with_gate(gate: impl Fn(DiskCall, &Path, usize) -> io::Result<usize> + Send + Sync + 'static) -> Disk {
        Disk(Some(Arc::new(gate)))
    }

    fn pass_gate(&self, call: DiskCall, path: &Path, bytes: usize) -> io::Result<usize> {
        self.0.as_ref().map_or(Ok(bytes), |gate| Ok(gate(call, path, bytes)?.min(bytes)))
    }

    /// Creates an empty file, truncating an existing one.
    pub(crate) fn create(&self, path: &Path) -> io::Result<DiskFile> {
        self.pass_gate(DiskCall::Create, path, 0)?;
        Ok(self.file(File::create(path)?, path))
    }

    /// Creates a file that must not exist, with permissions `mode` reduced by the process's umask. The hook receives
    /// `name`, the path known to the user.
    pub(crate) fn create_new(&self, path: &Path, name: &Path, mode: u32) -> io::Result<DiskFile> {
        self.pass_gate(DiskCall::Create, name, 0)?;
        Ok(self.file(new_options(mode).create_new(true).open(path)?, name))
    }

    /// Creates a locked side file that must not exist, with these bytes, accessible to this user only.
    ///
    /// On Linux the file gets its name after it is locked and the bytes are written, so that neither another process
    /// nor a crash of this one leaves it incomplete under its name. Elsewhere, and on file systems without `O_TMPFILE`,
    /// it has the name from its creation on.
    pub(crate) fn create_side_file(&self, path: &Path, bytes: &[u8]) -> io::Result<DiskFile> {
        self.pass_gate(DiskCall::Create, path, 0)?;
        if let Some(file) = nameless(path) {
            let file = self.file(file, path);
            file.begin(bytes)?;
            self.pass_gate(DiskCall::Rename, path, 0)?;
            match link(&file.file, path) {
                Ok(()) => return Ok(file),
                // An existing file is an error. Any other failure, such as a missing `/proc`, falls back to a named
                // file.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(error),
                Err(_) => {}
            }
        }
        let file = self.file(new_options(SIDE_FILE_MODE).create_new(true).open(path)?, path);
        match file.begin(bytes) {
            Ok(()) => Ok(file),
            Err(error) => {
                let id = file.id();
                // Closed first, because an open file cannot be removed on every system.
                drop(file);
                let _ = id.map(|id| self.remove_same(path, id));
                Err(error)
            }
        }
    }

    /// Creates a folder that must not exist, accessible to this user only.
    pub(crate) fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.pass_gate(DiskCall::Create, path, 0)?;
        #[cfg(unix)]
        return std::os::unix::fs::DirBuilderExt::mode(&mut std::fs::DirBuilder::new(), 0o700).create(path);
        #[cfg(not(unix))]
        std::fs::create_dir(path)
    }

    /// Paths of the entries of a folder.
    pub(crate) fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        self.pass_gate(DiskCall::List, folder, 0)?;
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
    }

    /// Renames a file, replacing an existing one at `to`.
    pub(crate) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.pass_gate(DiskCall::Rename, to, 0)?;
        replace_file(from, to)
    }

    /// Renames a file; fails if `to` exists.
    pub(crate) fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.pass_gate(DiskCall::Rename, to, 0)?;
        // Unlike `rename`, `hard_link` fails if the target exists.
        match std::fs::hard_link(from, to) {
            Ok(()) => std::fs::remove_file(from),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(error),
            // On a file system without hard links, an exclusively created file reserves the name first.
            Err(_) => {
                new_options(SIDE_FILE_MODE).create_new(true).open(to)?;
                std::fs::rename(from, to)
            }
        }
    }

    /// Removes a file if it still has the identity `id`; another file under the same name is left in place.
    pub(crate) fn remove_same(&self, path: &Path, id: FileId) -> io::Result<()> {
        self.pass_gate(DiskCall::Remove, path, 0)?;
        if id.is_at(path)? { std::fs::remove_file(path) } else { Ok(()) }
    }

    /// Removes an empty folder; a link to a folder is left in place.
    pub(crate) fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.pass_gate(DiskCall::Remove, path, 0)?;
        std::fs::remove_dir(path)
    }

    /// Wraps an open file; the hook receives `path`.
    pub(crate) fn file(&self, file: File, path: &Path) -> DiskFile {
        DiskFile { file, path: path.to_owned(), disk: self.clone() }
    }
}

/// Permissions of traces, before the umask.
pub(crate) const TRACE_MODE: u32 = 0o666;

/// Permissions of side files: they hold events in clear and are written by other processes of this user only.
pub(crate) const SIDE_FILE_MODE: u32 = 0o600;

/// Options to open a file for reading and writing without following links, with these permissions if it is created.
fn new_options(mode: u32) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    no_follow(&mut options);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    options
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn punch_hole(file: &File, offset: u64, bytes: u64) -> io::Result<()> {
    use nix::fcntl::{FallocateFlags, fallocate};
    let number = |number: u64| nix::libc::off_t::try_from(number).map_err(|_| io::Error::from(ErrorKind::InvalidInput));
    let flags = FallocateFlags::FALLOC_FL_PUNCH_HOLE | FallocateFlags::FALLOC_FL_KEEP_SIZE;
    fallocate(file, flags, number(offset)?, number(bytes)?).map_err(io::Error::from)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn punch_hole(_: &File, _: u64, _: u64) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Unnamed file (`O_TMPFILE`) in the folder of `path`; `None` if the file system does not support it.
#[cfg(target_os = "linux")]
fn nameless(path: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut options = OpenOptions::new();
    options.read(true).write(true).custom_flags(nix::libc::O_TMPFILE).mode(SIDE_FILE_MODE);
    options.open(folder).ok()
}

#[cfg(not(target_os = "linux"))]
fn nameless(_: &Path) -> Option<File> {
    None
}

/// Gives an unnamed file its name; fails if the name is taken.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use nix::fcntl::{AT_FDCWD, AtFlags};
    use std::os::fd::AsRawFd;
    let open = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    nix::unistd::linkat(AT_FDCWD, &open, AT_FDCWD, path, AtFlags::AT_SYMLINK_FOLLOW).map_err(io::Error::from)
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Disk(with a gate)" } else { "Disk" })
    }
}

/// Equality: both have the same hook, or none.
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

/// Open file of a recording.
#[derive(Debug)]
pub(crate) struct DiskFile {
    file: File,
    path: PathBuf,
    disk: Disk,
}

impl DiskFile {
    /// File system of the file.
    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Identity of the file; its path may name another file later.
    pub fn id(&self) -> io::Result<FileId> {
        FileId::from_file(&self.file)
    }

    /// Sets the permissions of the file.
    pub fn set_permissions(&self, permissions: std::fs::Permissions) -> io::Result<()> {
        self.file.set_permissions(permissions)
    }

    /// Locks the file, where file locks are supported, and writes its first bytes.
    fn begin(&self, bytes: &[u8]) -> io::Result<()> {
        // Cannot block: no other process knows the file yet.
        file_lock::exclusive(&self.file)?;
        (&mut &*self).write_all(bytes)
    }

    /// Duplicates the handle; both share one file position.
    pub fn try_clone(&self) -> io::Result<DiskFile> {
        Ok(self.disk.file(self.file.try_clone()?, &self.path))
    }

    /// Truncates the file.
    pub fn truncate(&self, bytes: u64) -> io::Result<()> {
        self.disk.pass_gate(DiskCall::Truncate, &self.path, 0)?;
        self.file.set_len(bytes)
    }

    /// Punches a hole into the file, whose bytes read as zeros afterwards. Memory mapped there must not be accessed any
    /// more.
    pub fn punch_hole(&self, offset: u64, bytes: u64) -> io::Result<()> {
        self.disk.pass_gate(DiskCall::Punch, &self.path, 0)?;
        punch_hole(&self.file, offset, bytes)
    }

    /// Syncs data and metadata of the file to disk.
    pub fn sync_all(&self) -> io::Result<()> {
        self.disk.pass_gate(DiskCall::Sync, &self.path, 0)?;
        self.file.sync_all()
    }

    /// Syncs the data of the file to disk.
    pub fn sync_data(&self) -> io::Result<()> {
        self.disk.pass_gate(DiskCall::Sync, &self.path, 0)?;
        self.file.sync_data()
    }

    /// Maps a range of the file.
    pub fn map(&self, offset: u64, bytes: usize) -> io::Result<SlotMemory> {
        self.disk.pass_gate(DiskCall::Map, &self.path, 0)?;
        SlotMemory::map_file(&self.file, offset, bytes)
    }
}

impl Write for &DiskFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = self.disk.pass_gate(DiskCall::Write, &self.path, bytes.len())?;
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
