//! Asks a recording under way, of whichever process.

use crate::claim::{is_alive, sidecar_path};
use crate::control::{Control, PAGE_BYTES};
use crate::file_lock::{self, Asked};
use crate::parse::run;
use crate::request::{ANSWER_AT, Answer, Command, MOST_ANSWER_BYTES, REQUEST_AT, REQUEST_BYTES, Request};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use thiserror::Error;

/// How often it looks for the answer.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum ControlError {
    /// Nobody records there.
    #[error("{} is not being recorded", .0.display())]
    NotRecorded(PathBuf),
    /// Who recorded there does not live any more.
    #[error("process {process}, which recorded {}, is gone: taut recover makes the trace whole", .path.display())]
    Gone {
        /// The trace.
        path: PathBuf,
        /// Number of the process.
        process: u32,
    },
    /// It lives, and does not answer.
    #[error("process {process}, which records {}, did not answer within {waited:?}", .path.display())]
    Silent {
        /// The trace.
        path: PathBuf,
        /// Number of the process.
        process: u32,
        /// How long it was waited for.
        waited: Duration,
    },
    /// It answers that it does not do so.
    #[error("process {process}: {reason}")]
    Refused {
        /// Number of the process.
        process: u32,
        /// Why.
        reason: String,
    },
    /// The sidecar cannot be read or written.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The sidecar.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// A recording under way that can be asked.
#[derive(Debug)]
pub struct Controller {
    file: File,
    /// The trace, as it was named.
    path: PathBuf,
    sidecar: PathBuf,
    process: u32,
}

impl Controller {
    /// The one that records the trace at `path`.
    ///
    /// # Errors
    /// Nobody does.
    pub fn open(path: &Path) -> Result<Controller, ControlError> {
        let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let sidecar = sidecar_path(&target);
        let mut file = match OpenOptions::new().read(true).write(true).open(&sidecar) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(ControlError::NotRecorded(path.to_owned()));
            }
            Err(source) => return Err(ControlError::Io { path: sidecar, source }),
        };
        let mut page = Vec::new();
        let read = Read::by_ref(&mut file).take(PAGE_BYTES).read_to_end(&mut page);
        read.map_err(|source| ControlError::Io { path: sidecar.clone(), source })?;
        let control = run(0, "sidecar", &page, Control::parse);
        let process = control.map_err(|_| ControlError::NotRecorded(path.to_owned()))?.process;
        Ok(Controller { file, path: path.to_owned(), sidecar, process })
    }

    /// Number of the process that records.
    pub fn process(&self) -> u32 {
        self.process
    }

    /// Asks, and waits for the answer.
    ///
    /// # Errors
    /// There is none within `patience`, or it is no.
    pub fn ask(&mut self, command: Command, patience: Duration) -> Result<String, ControlError> {
        let begun = Instant::now();
        let mut asked = None;
        loop {
            // Before the answer is looked for: it may come as the last thing that a process does.
            let is_recording = self.is_recording();
            let (request, answer) = self.look().map_err(|source| self.failed(source))?;
            let answered = answer.as_ref().map(|answer| answer.ticket);
            match asked {
                Some(ticket) if answered == Some(ticket) => {
                    let text = answer.map_or(Ok(String::new()), |answer| answer.text);
                    return text.map_err(|reason| ControlError::Refused { process: self.process, reason });
                }
                // Somebody else asked at the same time, and this request is not there any more.
                Some(ticket) if request != Some(ticket) => asked = None,
                Some(_) => {}
                // What somebody else asked is answered first.
                None if request.is_none() || request == answered => {
                    asked = Some(self.write(command).map_err(|source| self.failed(source))?);
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
            std::thread::sleep(LOOK_EVERY);
        }
    }

    fn failed(&self, source: io::Error) -> ControlError {
        ControlError::Io { path: self.sidecar.clone(), source }
    }

    /// The ticket of the request that is there, and the answer.
    fn look(&mut self) -> io::Result<(Option<u64>, Option<Answer>)> {
        let request = self.read(REQUEST_AT, REQUEST_BYTES)?;
        let answer = self.read(ANSWER_AT, MOST_ANSWER_BYTES)?;
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
        let ticket = u64::from_le_bytes(ticket).max(1);
        self.file.seek(SeekFrom::Start(REQUEST_AT))?;
        self.file.write_all(&Request::write(ticket, command))?;
        Ok(ticket)
    }

    /// Whoever records holds the lock.
    fn is_recording(&self) -> bool {
        match file_lock::shared(&self.file) {
            Asked::Held => true,
            Asked::Got => self.file.unlock().is_err(),
            Asked::Unknown => is_alive(self.process),
        }
    }
}
