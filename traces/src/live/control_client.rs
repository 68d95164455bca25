//! Client side of the control channel: sends requests to an active recording of any process through its sidecar.

use crate::format::file_head;
use crate::format::parse::run;
use crate::live::control_page::{ControlPage, PAGE_BYTES};
use crate::live::file_lock::{self, LockResult};
use crate::live::map::FileBytes;
use crate::live::path_claim::{is_alive, sidecar_path};
use crate::live::regular_file::open_regular;
use crate::live::request::{ANSWER_AT, Answer, Command, MAX_ANSWER_BYTES, REQUEST_AT, REQUEST_BYTES, Request};
use crate::live::side_file::{SideFileError, open_side_file};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Interval at which the answer is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Error of a request to a recording.
#[derive(Debug, Error)]
pub enum ControlError {
    /// No process records at the path.
    #[error("{} is not being recorded", .0.display())]
    NotRecorded(PathBuf),
    /// The recording process has ended without ending the recording.
    #[error("process {process}, which recorded {}, is gone: taut recover makes the trace whole", .path.display())]
    Gone { path: PathBuf, process: u32 },
    /// The process is alive but did not answer in time.
    #[error("process {process}, which records {}, did not answer within {waited:?}", .path.display())]
    Silent {
        path: PathBuf,
        process: u32,
        /// Time waited for the answer.
        waited: Duration,
    },
    /// The process refused the request.
    #[error("process {process}: {reason}")]
    Refused { process: u32, reason: String },
    /// The sidecar cannot be read or written.
    #[error("{}: {source}", .path.display())]
    Io { path: PathBuf, source: io::Error },
}

/// Client of an active recording.
#[derive(Debug)]
pub struct ControlClient {
    file: File,
    /// Path of the trace, as named by the user.
    path: PathBuf,
    sidecar: PathBuf,
    process: u32,
}

impl ControlClient {
    /// Opens the control channel of the recording of the trace at `path`.
    ///
    /// # Errors
    /// No process records there, or the sidecar cannot be used.
    pub fn open(path: &Path) -> Result<ControlClient, ControlError> {
        let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let sidecar = sidecar_path(&target);
        // Requests are written into this file, so neither a link nor another user's file is accepted.
        let mut file = match open_side_file(&sidecar, true) {
            Ok(Some(file)) => file,
            Ok(None) => return Err(ControlError::NotRecorded(path.to_owned())),
            Err(SideFileError::Io(path, source)) => return Err(ControlError::Io { path, source }),
            Err(SideFileError::Foreign(path, found)) => {
                let expected = format!("expected the sidecar of a recording of this user, found {found}");
                return Err(ControlError::Io { path, source: io::Error::new(io::ErrorKind::InvalidInput, expected) });
            }
        };
        let mut page = Vec::new();
        let read = Read::by_ref(&mut file).take(PAGE_BYTES).read_to_end(&mut page);
        read.map_err(|source| ControlError::Io { path: sidecar.clone(), source })?;
        let control_page = run(0, "sidecar", &page, ControlPage::parse);
        // The sidecar of another trace at this path is of no recording of this one.
        let control_page = control_page.ok().filter(|control_page| key(&target) == Some(control_page.key));
        let process = control_page.ok_or_else(|| ControlError::NotRecorded(path.to_owned()))?.process;
        Ok(ControlClient { file, path: path.to_owned(), sidecar, process })
    }

    /// Number of the recording process.
    pub fn process(&self) -> u32 {
        self.process
    }

    /// Sends a command and waits for the answer.
    ///
    /// # Errors
    /// No answer within `patience`, or the command was refused.
    pub fn request(&mut self, command: Command, patience: Duration) -> Result<String, ControlError> {
        let begun = Instant::now();
        let mut sent_ticket = None;
        loop {
            // Checked before the answer is read, because the answer may be the last thing that a process writes.
            let is_recording = self.is_recording();
            let (request, answer) = self.read_page().map_err(|source| self.failed(source))?;
            let answered = answer.as_ref().map(|answer| answer.ticket);
            match sent_ticket {
                Some(ticket) if answered == Some(ticket) => {
                    let text = answer.map_or(Ok(String::new()), |answer| answer.text);
                    return text.map_err(|reason| ControlError::Refused { process: self.process, reason });
                }
                // Another client overwrote this request; it has to be sent again.
                Some(ticket) if request != Some(ticket) => sent_ticket = None,
                Some(_) => {}
                // The pending request of another client is answered first.
                // Without a recording that holds the sidecar's lock, readers recover from the sidecar, so no request is
                // written to it.
                None if is_recording && (request.is_none() || request == answered) => {
                    sent_ticket = Some(self.write(command).map_err(|source| self.failed(source))?);
                }
                None => {}
            }
            if !is_recording {
                let (path, process) = (self.path.clone(), self.process);
                let has_ended = !self.sidecar.exists();
                return Err(if has_ended {
                    ControlError::NotRecorded(path)
                } else {
                    ControlError::Gone { path, process }
                });
            }
            if begun.elapsed() > patience {
                let (path, process) = (self.path.clone(), self.process);
                return Err(ControlError::Silent { path, process, waited: patience });
            }
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    fn failed(&self, source: io::Error) -> ControlError {
        ControlError::Io { path: self.sidecar.clone(), source }
    }

    /// Ticket of the current request, and the current answer.
    fn read_page(&mut self) -> io::Result<(Option<u64>, Option<Answer>)> {
        let request = self.read(REQUEST_AT, REQUEST_BYTES)?;
        let answer = self.read(ANSWER_AT, MAX_ANSWER_BYTES)?;
        let request = run(REQUEST_AT, "request", &request, Request::parse).ok();
        Ok((request.map(|request| request.ticket), run(ANSWER_AT, "answer", &answer, Answer::parse).ok()))
    }

    fn read(&mut self, at: u64, bytes: usize) -> io::Result<Vec<u8>> {
        let mut found = Vec::with_capacity(bytes);
        self.file.seek(SeekFrom::Start(at))?;
        Read::by_ref(&mut self.file).take(bytes as u64).read_to_end(&mut found)?;
        Ok(found)
    }

    fn write(&mut self, command: Command) -> io::Result<u64> {
        let mut ticket = [0; 8];
        getrandom::fill(&mut ticket).map_err(|_| io::Error::other("the system has no random numbers"))?;
        // 0 is not a valid ticket.
        let ticket = u64::from_le_bytes(ticket).max(1);
        self.file.seek(SeekFrom::Start(REQUEST_AT))?;
        // A recorder that reads a partially written request rejects its checksum.
        self.file.write_all(&Request::write(ticket, command))?;
        Ok(ticket)
    }

    /// True if the recording is active: the recorder holds the file's lock.
    fn is_recording(&self) -> bool {
        match file_lock::shared(&self.file) {
            LockResult::Held => true,
            LockResult::Acquired => file_lock::release(&self.file).is_err(),
            LockResult::Unknown => is_alive(self.process),
        }
    }
}

/// Key of the trace at `path`, if there is one of this version.
fn key(path: &Path) -> Option<u32> {
    let file = open_regular(path).and_then(|file| FileBytes::map(&file)).ok()?;
    file_head::key(&file)
}
