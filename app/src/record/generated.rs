//! Recording of a bundled workload.

use super::{Calls, Steps, Summary};
use crate::Error;
use taut_capture::Session;
use taut_traces::Workload;
use taut_workloads::{self as workloads, Parameters, WorkloadError};

/// A bundled workload with its parameters.
pub(super) struct Generated {
    pub name: &'static str,
    pub parameters: Parameters,
}

impl Calls for Generated {
    fn workload(&self) -> Workload {
        Workload { name: self.name.to_owned(), parameters: self.parameters.values() }
    }

    fn steps(&self) -> Steps {
        match workloads::steps(self.name, &self.parameters) {
            Some(workloads::Steps::Exactly(total)) => Steps { total, name: "recording steps" },
            Some(workloads::Steps::UpTo(total)) => Steps { total, name: "recording steps, at most" },
            None => Steps { total: 0, name: "recording" },
        }
    }

    fn run(&self, session: &Session) -> Result<Summary, WorkloadError> {
        workloads::run(self.name, session, &self.parameters).map(|()| Summary::Generated)
    }

    fn error(&self, error: WorkloadError) -> Error {
        Error::workload(error, Error::usage)
    }
}
