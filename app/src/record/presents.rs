//! Recording of real presents from a capture, and their comparison with the capture.

use super::{Calls, RecordWorld, Steps, Summary};
use crate::progress::watched;
use crate::{Error, Progress, Step};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use taut_capture::{Adapters, Session};
use taut_schemas::counted;
use taut_traces::Workload;
use taut_workloads::present_log::{
    self, DryRunSetup, PresentComparison, PresentLog, PresentLogError, PresentPlan, PresentReading,
};
use taut_workloads::{Parameters, WorkloadError};

/// A capture that was read.
pub(super) struct PresentSource {
    pub path: PathBuf,
    pub parameters: Parameters,
    pub reading: PresentReading,
}

/// Presents of a capture with their predicted outcomes.
pub(super) struct PresentCalls {
    path: PathBuf,
    parameters: Parameters,
    log: PresentLog,
    plan: PresentPlan,
    /// Comparison of the frames with the capture; `None` if a call failed that the presents depend on.
    predicted: Option<PresentComparison>,
    fault: Option<String>,
}

/// Reads a capture.
///
/// # Errors
/// The file cannot be read, is no capture of presents, or has no presents.
pub(super) fn read(path: &Path) -> Result<PresentReading, Error> {
    let reading = PresentLog::open(path).map_err(|error| match error {
        PresentLogError::Read { ref source, .. } => Error::reading(source.kind(), error),
        error => Error::input(error),
    })?;
    if reading.log.presents.is_empty() {
        let nothing = || format!("{}: the capture has no present", path.display());
        let why = reading.fault.map_or_else(nothing, |fault| fault.to_string());
        return Err(Error::input(std::io::Error::other(why)));
    }
    Ok(reading)
}

/// Drivers that present, for machines with one adapter and with several.
const PRESENTING_DRIVERS: [&str; 2] = ["dgpu", "igpu-tier3+dgpu"];

/// Checks that each driver has a kernel-mode driver: the replay of a capture starts every adapter of the machine.
///
/// # Errors
/// A driver has none.
pub(super) fn check_drivers(adapters: &Adapters) -> Result<(), Error> {
    let Some(profile) = adapters.profiles().find(|profile| profile.kernel.is_none()) else { return Ok(()) };
    let instead = PRESENTING_DRIVERS[usize::from(adapters.profiles().count() > 1)];
    Err(Error::usage(format_args!(
        "--driver {}: {} has no kernel-mode driver (table [kernel] of its profile), which presents need; use --driver \
         {instead}",
        adapters.names(),
        profile.name
    )))
}

impl PresentSource {
    /// Finds the outcome of every frame. It is found before the recording, because the trace ends with the comparison.
    pub fn prepare(self, world: &RecordWorld, progress: &dyn Progress) -> PresentCalls {
        let PresentSource { path, parameters, reading: PresentReading { log, left_out, fault } } = self;
        let plan = present_log::plan(&log, &parameters);
        let presented = AtomicU64::new(0);
        let step = Step {
            total: log.presents.len() as u64,
            name: "simulating presents",
            done: &|| presented.load(Ordering::Relaxed),
        };
        let setup = DryRunSetup {
            adapters: &world.adapters,
            settings: &world.settings,
            parameters: &parameters,
            presented: &presented,
        };
        let predicted = watched(progress, step, || present_log::predict(&log, &plan, setup)).ok();
        let fault = fault.map(|fault| format!("{fault}; {} left out", counted(left_out, "row")));
        PresentCalls { path, parameters, log, plan, predicted, fault }
    }
}

impl Calls for PresentCalls {
    fn workload(&self) -> Workload {
        let mut parameters = self.parameters.values();
        parameters.insert("presents".to_owned(), Value::from(self.log.presents.len()));
        let adapters = if self.log.names_adapters() { "HybridPresent" } else { "assumed" };
        parameters.insert("adapters".to_owned(), Value::from(adapters));
        let name = self.path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Workload { name, parameters }
    }

    fn steps(&self) -> Steps {
        Steps { total: self.log.presents.len() as u64, name: "recording presents" }
    }

    fn run(&self, session: &Session) -> Result<Summary, WorkloadError> {
        present_log::run(&self.log, &self.plan, session, &self.parameters)?;
        let marks = self.predicted.iter().flat_map(|compared| compared.marks.iter().cloned());
        marks.for_each(|mark| session.mark(mark));
        Ok(Summary::Presents(self.predicted.clone()))
    }

    fn error(&self, error: WorkloadError) -> Error {
        Error::workload(error, Error::input).context(self.path.display().to_string())
    }

    fn summary(&self) -> Summary {
        Summary::Presents(None)
    }

    fn fault(&self) -> Option<String> {
        self.fault.clone()
    }
}
