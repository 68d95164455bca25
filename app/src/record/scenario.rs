//! Recording of the threads that a scenario file describes.

use super::{Calls, Steps, Summary};
use crate::Error;
use std::path::{Path, PathBuf};
use taut_capture::Session;
use taut_traces::Workload;
use taut_workloads::{self as workloads, ScenarioError, ScenarioFile, WorkloadError};

/// File of a scenario.
pub(super) struct ScenarioSource {
    pub path: PathBuf,
}

/// A scenario that was read.
pub(super) struct ScenarioCalls(ScenarioFile);

impl ScenarioSource {
    /// Reads the scenario.
    pub fn read(self) -> Result<ScenarioCalls, Error> {
        let scenario = ScenarioFile::read(&self.path).map_err(|error| match error {
            ScenarioError::Read { ref source, .. } => Error::reading(source.kind(), error),
            error => Error::input(error),
        });
        scenario.map(ScenarioCalls)
    }
}

impl Calls for ScenarioCalls {
    fn files(&self) -> Vec<&Path> {
        self.0.shader_files.iter().map(PathBuf::as_path).collect()
    }

    fn workload(&self) -> Workload {
        Workload { name: self.0.name.clone(), parameters: self.0.facts() }
    }

    fn steps(&self) -> Steps {
        let (workloads::Steps::Exactly(total) | workloads::Steps::UpTo(total)) = self.0.steps();
        Steps { total, name: "recording frames, at most" }
    }

    fn run(&self, session: &Session) -> Result<Summary, WorkloadError> {
        self.0.run(session).map(|()| Summary::Generated)
    }

    fn error(&self, error: WorkloadError) -> Error {
        Error::workload(error, Error::usage)
    }
}
