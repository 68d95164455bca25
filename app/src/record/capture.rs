//! Recording of the calls of a capture: of GFXReconstruct while it is read, of GPGMM after that.

use super::{Calls, Ended, Steps, Summary};
use crate::Error;
use crate::progress::CountingReader;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use taut_capture::{Session, Stop};
use taut_traces::Workload;
use taut_workloads::WorkloadError;
use taut_workloads::call_log::LogError;
use taut_workloads::gfxrecon::{self, CaptureReader};
use taut_workloads::gpgmm::{self, GpgmmTrace};

/// File of a capture.
pub(super) struct CaptureSource {
    pub path: PathBuf,
    pub format: CaptureFormat,
}

/// Format of a capture.
#[derive(Debug, Clone, Copy)]
pub(super) enum CaptureFormat {
    Gfxrecon,
    Gpgmm,
}

/// Capture whose calls were not made yet.
enum OpenedCapture {
    Gfxrecon(Box<CaptureReader>),
    Gpgmm(Box<GpgmmTrace>),
}

/// A capture that was opened.
pub(super) struct CaptureCalls {
    /// File name.
    name: String,
    format: &'static str,
    /// `None` once the calls were made.
    capture: Mutex<Option<OpenedCapture>>,
    total_bytes: u64,
    read_bytes: Arc<AtomicU64>,
    /// Rows that could not be read, in words.
    fault: Mutex<Option<String>>,
}

impl CaptureSource {
    /// Opens the capture and reads up to its first call.
    pub fn read(self) -> Result<CaptureCalls, Error> {
        let origin = self.path.display().to_string();
        let open = |source| log_error(LogError::Open { origin: origin.clone(), source });
        let file = File::open(&self.path).map_err(open)?;
        let total_bytes = file.metadata().map_or(0, |metadata| metadata.len());
        let (file, read_bytes) = CountingReader::new(file);
        let (format, capture) = match self.format {
            CaptureFormat::Gfxrecon => {
                let reader = CaptureReader::new(file, origin.clone()).map_err(log_error)?;
                ("gfxrecon-convert", OpenedCapture::Gfxrecon(Box::new(reader)))
            }
            CaptureFormat::Gpgmm => {
                ("GPGMM", OpenedCapture::Gpgmm(Box::new(GpgmmTrace::new(file, origin.clone()).map_err(log_error)?)))
            }
        };
        let name = self.path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let (capture, fault) = (Mutex::new(Some(capture)), Mutex::default());
        Ok(CaptureCalls { name, format, capture, total_bytes, read_bytes, fault })
    }
}

fn log_error(error: LogError) -> Error {
    if error.is_corruption() { Error::input(error) } else { Error::io(error) }
}

impl Calls for CaptureCalls {
    fn workload(&self) -> Workload {
        let parameters = BTreeMap::from([("format".to_owned(), Value::from(self.format))]);
        Workload { name: self.name.clone(), parameters }
    }

    fn steps(&self) -> Steps {
        Steps { total: self.total_bytes, name: "recording bytes of the capture" }
    }

    fn done(&self, _: &Stop) -> u64 {
        self.read_bytes.load(Ordering::Relaxed)
    }

    fn run(&self, session: &Session) -> Result<Summary, WorkloadError> {
        let capture = self.capture.lock().unwrap_or_else(PoisonError::into_inner).take();
        let summary = match capture {
            Some(OpenedCapture::Gfxrecon(reader)) => gfxrecon::run(*reader, session)?,
            Some(OpenedCapture::Gpgmm(trace)) => gpgmm::run(*trace, session)?,
            None => return Ok(Summary::Generated),
        };
        summary.log.differences.marks().for_each(|mark| session.mark(mark));
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = summary.counts.fault();
        Ok(Summary::Capture(Box::new(summary)))
    }

    fn error(&self, error: WorkloadError) -> Error {
        Error::io(error)
    }

    fn fault(&self) -> Option<String> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn ended(&self, stop: &Stop, result: Result<(), WorkloadError>) -> Result<Ended, Error> {
        match result {
            // A capture that is stopped ends without an error.
            Ok(()) if stop.was_noticed() => Ok(Ended::early(stop)),
            Ok(()) => Ok(Ended::Complete),
            Err(error) => Err(self.error(error)),
        }
    }
}
