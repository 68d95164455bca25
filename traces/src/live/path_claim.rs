//! Exclusive right to record at a path: held by the process that created the trace's sidecar and has its lock.
//!
//! A sidecar is created exclusively, locked and with its first page before it has its name. One that is there is replaced only if
//! it proves to be a recording's at this path: see [`leftovers`](crate::live::leftovers).

use crate::format::error::WriteError;
use crate::format::path_in_use::PathInUse;
use crate::live::disk::{Disk, DiskFile};
use crate::live::file_lock::{self, LockResult};
use crate::live::leftovers::{Leftovers, SideFileState};
use crate::live::pending_sidecars::PendingSidecars;
use crate::live::regular_file::open_regular;
use crate::live::side_file::{FileId, SideFileError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) use crate::live::leftovers::is_alive;
pub(crate) use crate::live::side_file::sidecar_path;

/// Number of attempts, 1 ms apart, while another process is creating, removing or reading the sidecar.
const ATTEMPTS: usize = 10;

/// Exclusive right to record at a path. Dropped before the recording begins, it changes nothing.
#[derive(Debug)]
pub struct PathClaim {
    /// Path of the trace.
    target: PathBuf,
    /// Path of the trace as shown in errors.
    pub(crate) name: PathBuf,
    replace: bool,
    /// Files of an earlier recording, to be removed when this one begins.
    left: Option<Leftovers>,
}

impl PathClaim {
    /// Claims `target`, which errors call `name`, for a recording. The files of an earlier recording are given up if
    /// `replace` is true.
    ///
    /// # Errors
    /// The path is being recorded; an unfinished recording is there and `replace` is false; a file that is not the
    /// recorder's has the name of a side file; or the folder cannot be read.
    pub fn new(target: &Path, name: &Path, replace: bool) -> Result<PathClaim, WriteError> {
        let left = available(target, name, replace).map_err(|error| named(error, target, name))?;
        Ok(PathClaim { target: target.to_owned(), name: name.to_owned(), replace, left })
    }

    /// Path of the trace.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Creates the sidecar of the trace with key `key`, whose first bytes are `bytes`.
    ///
    /// # Errors
    /// Another process claimed the path meanwhile, or the sidecar cannot be created.
    pub(crate) fn begin(
        mut self,
        key: u32,
        bytes: &[u8],
        disk: &Disk,
    ) -> Result<(DiskFile, PathBuf, FileId), WriteError> {
        let path = sidecar_path(&self.target);
        let failed =
            |source| WriteError::Output { path: Some(path.clone()), bytes_written: 0, source, lost: Vec::new() };
        // An attempt may lose a race against a process that creates or removes the sidecar.
        for _ in 0..ATTEMPTS {
            if let Some(left) = self.left.take() {
                left.remove(disk).map_err(failed)?;
            }
            // Locked across creation: a process that ends at this point either has not created the file or finds it in
            // the list.
            let mut pending = PendingSidecars::lock();
            match disk.create_side_file(&path, bytes) {
                Ok(file) => {
                    let id = file.id().map_err(failed)?;
                    pending.add(&path, id, key);
                    return Ok((file, path, id));
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    drop(pending);
                    let left = available(&self.target, &self.name, self.replace);
                    self.left = left.map_err(|error| named(error, &self.target, &self.name))?;
                }
                Err(error) => return Err(failed(error)),
            }
        }
        Err(failed(ErrorKind::ResourceBusy.into()))
    }

    /// Removes the side files next to the trace at `target`, which is complete.
    ///
    /// # Errors
    /// A side file cannot be removed.
    pub fn clear(target: &Path) -> io::Result<()> {
        Leftovers::find(target)?.map_or(Ok(()), |left| left.remove(&Disk::default()))
    }

    /// Recording that occupies the path `target`, if any.
    pub fn holder(target: &Path) -> Option<PathInUse> {
        match Leftovers::presence(target) {
            Ok(SideFileState::BeingRecorded(process)) => Some(PathInUse::BeingRecorded(process)),
            Ok(SideFileState::Left { process: Some(process), is_needed: true, .. }) => {
                Some(PathInUse::Orphaned(process))
            }
            Ok(_) => None,
            // Files of another user cannot be opened for writing, but may be readable.
            Err(_) => {
                let file = open_regular(sidecar_path(target)).ok()?;
                (file_lock::shared(&file) == LockResult::Held).then_some(PathInUse::BeingRecorded(None))
            }
        }
    }
}

/// Replaces the side file's path in the error with one that begins as the user named the trace.
fn named(error: WriteError, target: &Path, name: &Path) -> WriteError {
    match error {
        WriteError::SideFile { path, found } => {
            let (shown, target) = (path.to_string_lossy(), target.to_string_lossy());
            let named = shown.strip_prefix(&*target).map(|end| PathBuf::from(format!("{}{end}", name.display())));
            WriteError::SideFile { path: named.unwrap_or_else(|| path.clone()), found }
        }
        error => error,
    }
}

/// Files of an earlier recording at a path that is available for recording.
fn available(target: &Path, name: &Path, replace: bool) -> Result<Option<Leftovers>, WriteError> {
    let path_in_use = |by| WriteError::PathInUse { path: name.to_owned(), by };
    let mut last = SideFileState::None;
    for attempt in 0..ATTEMPTS {
        if attempt > 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        last = Leftovers::presence(target)?;
        match last {
            SideFileState::None => return Ok(None),
            SideFileState::Left { process: Some(process), is_needed: true, .. } if !replace => {
                return Err(path_in_use(PathInUse::Orphaned(process)));
            }
            SideFileState::Left { process: None, is_needed: true, .. } if !replace => {
                return Err(path_in_use(PathInUse::Unfinished));
            }
            SideFileState::Left { leftovers, .. } => return Ok(Some(leftovers)),
            // Readers hold the lock briefly, and a new file has no page for a moment.
            SideFileState::BeingRecorded(_) | SideFileState::Changing | SideFileState::Empty => {}
        }
    }
    match last {
        SideFileState::BeingRecorded(process) => Err(path_in_use(PathInUse::BeingRecorded(process))),
        SideFileState::Empty => Err(SideFileError::foreign(&sidecar_path(target), "an empty file").into()),
        _ => Err(path_in_use(PathInUse::BeingRecorded(None))),
    }
}
