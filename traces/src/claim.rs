//! Who may record at a path: whoever holds the lock of the sidecar beside it.

use crate::control::{Control, PAGE_BYTES};
use crate::error::WriteError;
use crate::file_head;
use crate::file_lock::{self, Asked};
use crate::footer::TRAILER_BYTES;
use crate::occupied::Occupied;
use crate::parse::run;
use crate::segment::{remove_segments, segments_folder};
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where the sidecar of a trace lies.
pub(crate) fn sidecar_path(trace: &Path) -> PathBuf {
    let mut name = OsString::from(trace.as_os_str());
    name.push(".live");
    PathBuf::from(name)
}

/// Times that a sidecar is looked for again which another process removed meanwhile.
const ATTEMPTS: usize = 100;

/// Times that a locked one is looked at again, a millisecond apart.
const PATIENCE: usize = 10;

/// The right to record at a path: its sidecar, locked and empty. Dropped before a recording begins, it leaves nothing behind.
#[derive(Debug)]
pub struct Claim {
    pub(crate) file: File,
    pub(crate) path: PathBuf,
    /// What errors call the trace.
    pub(crate) name: PathBuf,
    /// It is a recording's by now, which removes it itself.
    pub(crate) is_used: bool,
}

impl Claim {
    /// Locks `target`, which errors call `name`, for a recording. What another left behind there is given up where `replace`
    /// says so.
    ///
    /// # Errors
    /// It is being recorded, or a recording was left there behind; or the sidecar cannot be made.
    pub fn new(target: &Path, name: &Path, replace: bool) -> Result<Claim, WriteError> {
        let path = sidecar_path(target);
        let failed =
            |source| WriteError::Output { path: Some(path.clone()), bytes_written: 0, source, lost: Vec::new() };
        for attempt in 0..ATTEMPTS {
            let file = open(&path).map_err(failed)?;
            match lock(&file).map_err(failed)? {
                Some(()) => {}
                // Who only reads holds it for a moment.
                None if attempt < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(1));
                    continue;
                }
                None => return Err(occupied(name, Occupied::BeingRecorded(control(&file).map(|page| page.process)))),
            }
            if !is_at(&file, &path).map_err(failed)? {
                continue;
            }
            if let Some(left) = left_behind(&file, target).filter(|_| !replace) {
                return Err(occupied(name, left));
            }
            file.set_len(0).map_err(failed)?;
            remove_segments(&segments_folder(&path));
            return Ok(Claim { file, path, name: name.to_owned(), is_used: false });
        }
        Err(failed(ErrorKind::ResourceBusy.into()))
    }

    /// Removes what a recording left beside `target`, which is another trace by now, or a whole one.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn clear(target: &Path) -> io::Result<()> {
        let path = sidecar_path(target);
        let Ok(file) = File::open(&path) else { return Ok(()) };
        if control(&file).is_none() || lock(&file)?.is_none() || !is_at(&file, &path)? {
            return Ok(());
        }
        remove_segments(&segments_folder(&path));
        std::fs::remove_file(path)
    }

    /// Who has the path `target`, if anybody.
    pub fn holder(target: &Path) -> Option<Occupied> {
        let file = File::open(sidecar_path(target)).ok()?;
        let process = control(&file).map(|page| page.process);
        match file_lock::shared(&file) {
            Asked::Held => Some(Occupied::BeingRecorded(process)),
            Asked::Unknown if process.is_some_and(is_alive) => Some(Occupied::BeingRecorded(process)),
            Asked::Got | Asked::Unknown => left_behind(&file, target),
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if !self.is_used {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn occupied(name: &Path, by: Occupied) -> WriteError {
    WriteError::Occupied { path: name.to_owned(), by }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// Locks a file; `None` if another has. A file system without locks has none to respect.
fn lock(file: &File) -> io::Result<Option<()>> {
    Ok(match file_lock::exclusive(file)? {
        Asked::Got => Some(()),
        Asked::Held => None,
        Asked::Unknown => (!control(file).is_some_and(|page| is_alive(page.process))).then_some(()),
    })
}

/// Whether a process is there, where the system tells: for file systems that know no locks.
pub(crate) fn is_alive(process: u32) -> bool {
    Path::new("/proc/self").exists() && Path::new("/proc").join(process.to_string()).exists()
}

/// Whether the file is still the one at the path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let open = file.metadata()?;
    match std::fs::metadata(path) {
        Ok(there) => Ok((there.dev(), there.ino()) == (open.dev(), open.ino())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// An open file cannot be removed here.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

fn control(mut file: &File) -> Option<Control> {
    use std::io::{Seek, SeekFrom};
    let mut page = Vec::new();
    file.seek(SeekFrom::Start(0)).ok()?;
    file.take(PAGE_BYTES).read_to_end(&mut page).ok()?;
    run(0, "sidecar", &page, Control::parse).ok()
}

/// The recording that did not end, if the sidecar is of one.
fn left_behind(sidecar: &File, target: &Path) -> Option<Occupied> {
    let page = control(sidecar)?;
    let file = crate::map::FileBytes::open(target).ok()?;
    let whole =
        file.len().checked_sub(TRAILER_BYTES).is_some_and(|at| crate::footer::parse_trailer(&file[at..]).is_ok());
    (file_head::key(&file) == Some(page.key) && !whole).then_some(Occupied::LeftBehind(page.process))
}
