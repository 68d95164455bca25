//! Runs of bundled workloads, with and without the recorder.

use crate::BenchError;
use crate::scratch::{scratch, to_scratch};
use std::collections::BTreeMap;
use std::fs::File;
use std::time::Instant;
use taut_capture::{Adapters, Clock, Session};
use taut_runtime::Settings;
use taut_traces::WriteSummary;
use taut_workloads::{self as workloads, Parameters, WORKLOADS, Workload};

/// A workload with its parameters and drivers.
pub struct Bundled {
    pub workload: &'static Workload,
    pub parameters: Parameters,
    pub adapters: Adapters,
}

/// A recorded run.
pub struct RecordedRun {
    pub file: File,
    /// Wall-clock time of the run.
    pub ns: u64,
    pub written: WriteSummary,
}

impl Bundled {
    /// Finds a workload of the table, under the driver that it is made for.
    ///
    /// # Errors
    /// The workload has no such parameter, or the build lacks the workload or its driver.
    pub fn new(name: &'static str, assignments: &[(&str, String)]) -> Result<Bundled, BenchError> {
        let found = WORKLOADS.iter().find(|workload| workload.name == name);
        let workload = found.ok_or(BenchError::MissingWorkload(name))?;
        let assignments: BTreeMap<String, String> =
            assignments.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        let parameters = Parameters::new(workload.parameters, assignments)?;
        let adapters = Adapters::named(workload.driver).ok_or(BenchError::MissingDriver)?;
        Ok(Bundled { workload, parameters, adapters })
    }

    /// Runs the workload and records it into an unnamed temporary file.
    ///
    /// # Errors
    /// The workload fails, or the trace cannot be written.
    pub fn recorded(&self) -> Result<RecordedRun, BenchError> {
        let file = scratch()?;
        let start = Instant::now();
        let name = self.workload.name;
        let header = taut_traces::Workload { name: name.to_owned(), parameters: self.parameters.values() };
        let session = Session::record(to_scratch(&file), &self.adapters, Settings::default(), header, Clock::best())?;
        workloads::run(name, &session, &self.parameters)?;
        let written = session.finish()?;
        Ok(RecordedRun { file, ns: start.elapsed().as_nanos() as u64, written })
    }

    /// Runs the workload without the recorder. Returns the wall-clock time in nanoseconds.
    ///
    /// # Errors
    /// The workload fails.
    pub fn unrecorded(&self) -> Result<u64, BenchError> {
        let start = Instant::now();
        let session = Session::unrecorded(&self.adapters, Settings::default(), Clock::best());
        workloads::run(self.workload.name, &session, &self.parameters)?;
        session.end()?;
        Ok(start.elapsed().as_nanos() as u64)
    }
}
