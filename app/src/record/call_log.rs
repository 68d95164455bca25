//! Recording of the calls of a log.

use super::{Calls, Ended, RecordWorld, Steps, Summary};
use crate::progress::{CountingReader, watched};
use crate::{Error, Progress, Step};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use taut_capture::{Session, Stop};
use taut_schemas::counted;
use taut_traces::Workload;
use taut_workloads::WorkloadError;
use taut_workloads::call_log::{self, CallLog, LogError, Plan, Reading};

/// File of a log.
pub(super) struct LogSource {
    pub path: PathBuf,
}

/// A log that was read.
pub(super) struct LogCalls {
    /// File name.
    name: String,
    reading: Reading,
    plan: Plan,
    /// Number of lines played.
    played: AtomicU64,
}

impl LogSource {
    fn file_name(&self) -> String {
        self.path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }

    /// File name without its endings.
    pub fn stem(&self) -> String {
        self.file_name().trim_end_matches(".gz").trim_end_matches(".jsonl").to_owned()
    }

    /// Reads the log; progress is shown in bytes of the file.
    pub fn read(self, world: &RecordWorld, progress: &dyn Progress) -> Result<LogCalls, Error> {
        let origin = self.path.display().to_string();
        let open = |source| log_error(LogError::Open { origin: origin.clone(), source });
        let file = File::open(&self.path).map_err(open)?;
        let total = file.metadata().map_or(0, |metadata| metadata.len());
        let (file, read) = CountingReader::new(file);
        let step = Step { total, name: "reading bytes", done: &|| read.load(Ordering::Relaxed) };
        let reading = watched(progress, step, || CallLog::from_reader(file, origin.clone())).map_err(log_error)?;
        let driver = taut_runtime::driver(world.adapters.first());
        let plan = call_log::plan(&reading.log, &world.settings, &*driver);
        Ok(LogCalls { name: self.file_name(), reading, plan, played: AtomicU64::new(0) })
    }
}

fn log_error(error: LogError) -> Error {
    if error.is_corruption() { Error::input(error) } else { Error::io(error) }
}

impl Calls for LogCalls {
    fn workload(&self) -> Workload {
        let log = &self.reading.log;
        let parameters = BTreeMap::from([
            ("lines".to_owned(), Value::from(log.lines.len())),
            ("source".to_owned(), Value::from(log.header.source.clone())),
        ]);
        Workload { name: self.name.clone(), parameters }
    }

    fn steps(&self) -> Steps {
        Steps { total: self.reading.log.lines.len() as u64, name: "recording" }
    }

    fn done(&self, _: &Stop) -> u64 {
        self.played.load(Ordering::Relaxed)
    }

    fn run(&self, session: &Session) -> Result<Summary, WorkloadError> {
        let summary = call_log::run_counting(&self.reading.log, &self.plan, session, &self.played)?;
        summary.differences.marks().for_each(|mark| session.mark(mark));
        Ok(Summary::Log(summary))
    }

    fn error(&self, error: WorkloadError) -> Error {
        Error::io(error)
    }

    fn fault(&self) -> Option<String> {
        let error = self.reading.error.as_ref()?;
        let lines = counted(self.reading.log.lines.len() as u64, "line");
        Some(format!("{error}; the lines before it are recorded: {lines}"))
    }

    fn ended(&self, stop: &Stop, result: Result<(), WorkloadError>) -> Result<Ended, Error> {
        match result {
            // A log that is stopped ends without an error.
            Ok(()) if stop.was_noticed() => Ok(Ended::early(stop)),
            Ok(()) => Ok(Ended::Complete),
            Err(error) => Err(self.error(error)),
        }
    }
}
