//! Side files left next to a trace by an earlier recording: a sidecar and a folder of segments, recognised by their
//! content.
//!
//! They belong to the trace at their path if they have its key. A sidecar without slots holds no event: its recording
//! ended before its trace had a name, so the next recording at that path may remove it.

use crate::format::file_head;
use crate::format::footer::{TRAILER_BYTES, parse_trailer};
use crate::format::parse::run;
use crate::live::control_page::{ControlPage, PAGE_BYTES, slots};
use crate::live::disk::Disk;
use crate::live::file_lock::{self, LockResult};
use crate::live::map::FileBytes;
use crate::live::regular_file::open_regular;
use crate::live::segment::{SegmentHead, own_segments, remove_segments, segments_folder};
use crate::live::side_file::{FileId, SideFileError, open_side_file, sidecar_path};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Side files of a recording that has ended. The sidecar's lock is held.
#[derive(Debug)]
pub struct Leftovers {
    sidecar: Option<(File, FileId)>,
    path: PathBuf,
    /// Keys of the traces to which the files may belong.
    keys: Vec<u32>,
}

/// State of the side files next to a trace.
#[derive(Debug)]
pub(crate) enum SideFileState {
    /// No side files.
    None,
    /// The sidecar is locked by a process; its number, if the control page is readable.
    BeingRecorded(Option<u32>),
    /// A sidecar without a control page yet.
    Empty,
    /// A sidecar that disappeared during the check.
    Changing,
    /// Side files of a recording that has ended; `process` is `None` without a sidecar. `is_needed` is true if the
    /// trace has no end.
    Left { leftovers: Leftovers, process: Option<u32>, is_needed: bool },
}

/// The trace at a path.
struct Target {
    key: Option<u32>,
    is_whole: bool,
}

impl Target {
    fn read(path: &Path) -> Target {
        let Ok(file) = open_regular(path).and_then(|file| FileBytes::map(&file)) else {
            return Target { key: None, is_whole: false };
        };
        let trailer = file.len().checked_sub(TRAILER_BYTES).and_then(|at| file.get(at..));
        let is_whole = trailer.is_some_and(|trailer| parse_trailer(trailer).is_ok());
        Target { key: file_head::key(&file), is_whole }
    }
}

impl Leftovers {
    /// Finds the side files that belong to the trace at `target`; `None` if there are none or the recording is active.
    ///
    /// # Errors
    /// The folder or a side file cannot be read.
    pub fn find(target: &Path) -> io::Result<Option<Leftovers>> {
        match Leftovers::presence(target) {
            Ok(SideFileState::Left { leftovers, .. }) => Ok(Some(leftovers)),
            // Files that are not the recorder's are left as they are.
            Ok(_) | Err(SideFileError::Foreign(..)) => Ok(None),
            Err(SideFileError::Io(_, error)) => Err(error),
        }
    }

    /// Determines the state of the side files next to the trace at `target`.
    ///
    /// # Errors
    /// A side file cannot be read, or is not the recorder's.
    pub(crate) fn presence(target: &Path) -> Result<SideFileState, SideFileError> {
        let path = sidecar_path(target);
        let io = |error| SideFileError::Io(path.clone(), error);
        let trace = Target::read(target);
        let mut keys: Vec<u32> = trace.key.into_iter().collect();
        let Some(file) = open_side_file(&path, true)? else {
            let leftovers = Leftovers { sidecar: None, path, keys };
            return Ok(match leftovers.has_segments()? {
                true => SideFileState::Left { leftovers, process: None, is_needed: !trace.is_whole },
                false => SideFileState::None,
            });
        };
        let bytes = page(&file).map_err(io)?;
        let control_page = run(0, "sidecar", &bytes, ControlPage::parse).ok();
        if control_page.is_none() && !bytes.is_empty() {
            return Err(SideFileError::foreign(&path, "a file without the first page of one"));
        }
        let process = control_page.map(|page| page.process);
        let is_locked = match file_lock::exclusive(&file).map_err(io)? {
            LockResult::Acquired => false,
            LockResult::Held => true,
            // Without file locks, the existence of the process decides.
            LockResult::Unknown => process.is_some_and(is_alive),
        };
        if is_locked {
            return Ok(SideFileState::BeingRecorded(process));
        }
        let id = FileId::from_file(&file).map_err(io)?;
        if !id.is_at(&path).map_err(io)? {
            return Ok(SideFileState::Changing);
        }
        let Some(control_page) = control_page else { return Ok(SideFileState::Empty) };
        let is_of_trace = trace.key == Some(control_page.key);
        let is_without_slots = matches!(run(0, "sidecar", &bytes, slots), Ok(0));
        if !is_of_trace && !is_without_slots {
            return Err(SideFileError::foreign(
                &path,
                format!("that of another trace, by process {}", control_page.process),
            ));
        }
        keys.extend(Some(control_page.key).filter(|_| !is_of_trace));
        let leftovers = Leftovers { sidecar: Some((file, id)), path, keys };
        leftovers.has_segments()?;
        Ok(SideFileState::Left { leftovers, process, is_needed: is_of_trace && !trace.is_whole })
    }

    fn has_segments(&self) -> Result<bool, SideFileError> {
        let own = own_segments(&segments_folder(&self.path), &self.keys, &Disk::default())?;
        Ok(own.is_some_and(|own| !own.is_empty()))
    }

    /// Removes the side files.
    ///
    /// # Errors
    /// The sidecar cannot be removed.
    pub(crate) fn remove(self, disk: &Disk) -> io::Result<()> {
        remove_segments(&segments_folder(&self.path), &self.keys, disk);
        self.sidecar.map_or(Ok(()), |(_locked, id)| disk.remove_same(&self.path, id))
    }

    /// Removes the side files after the trace to which they belonged was completed or replaced.
    ///
    /// # Errors
    /// The sidecar cannot be removed.
    pub fn discard(self) -> io::Result<()> {
        self.remove(&Disk::default())
    }
}

/// Whether the file at `path` is a sidecar or a segment of a recording, of whichever trace: by its name and its first bytes.
pub fn is_side_file(path: &Path) -> bool {
    let has = |path: &Path, extension: &str| path.extension().is_some_and(|found| found == extension);
    let page = || open_regular(path).and_then(|file| page(&file)).unwrap_or_default();
    (has(path, "live") && run(0, "sidecar", &page(), ControlPage::parse).is_ok())
        || (path.parent().is_some_and(|folder| has(folder, "ring"))
            && run(0, "segment", &page(), SegmentHead::parse).is_ok())
}

/// True if a process exists, as far as `/proc` shows it; for file systems without locks.
pub(crate) fn is_alive(process: u32) -> bool {
    Path::new("/proc/self").exists() && Path::new("/proc").join(process.to_string()).exists()
}

fn page(mut file: &File) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(PAGE_BYTES).read_to_end(&mut page)?;
    Ok(page)
}
