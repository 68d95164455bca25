//! Recording of the contents of an allocator's dump as a snapshot.

use super::{Calls, Steps, Summary};
use crate::Error;
use std::path::PathBuf;
use taut_capture::Session;
use taut_traces::Workload;
use taut_workloads::WorkloadError;
use taut_workloads::memory_dump::{self, Dump, DumpError};

/// File of a dump.
pub(super) struct DumpSource {
    pub path: PathBuf,
}

/// A dump that was read.
pub(super) struct DumpCalls {
    path: PathBuf,
    dump: Dump,
}

impl DumpSource {
    /// Reads the dump.
    pub fn read(self) -> Result<DumpCalls, Error> {
        let dump = memory_dump::read(&self.path).map_err(|error| match error {
            DumpError::Read { ref source, .. } => Error::reading(source.kind(), error),
            error => Error::input(error),
        });
        Ok(DumpCalls { dump: dump?, path: self.path })
    }
}

impl DumpCalls {
    fn with_path(&self, note: &str) -> String {
        format!("{}: {note}", self.path.display())
    }
}

impl Calls for DumpCalls {
    fn workload(&self) -> Workload {
        Workload { name: self.dump.name.clone(), parameters: self.dump.facts() }
    }

    fn steps(&self) -> Steps {
        Steps { total: 0, name: "recording" }
    }

    fn run(&self, session: &Session) -> Result<Summary, WorkloadError> {
        memory_dump::run(&self.dump, session).map(|()| self.summary())
    }

    fn error(&self, error: WorkloadError) -> Error {
        Error::input(error)
    }

    fn summary(&self) -> Summary {
        Summary::Dump(self.dump.summary())
    }

    fn left_out(&self) -> Option<String> {
        let Dump { surroundings, .. } = &self.dump;
        surroundings.note().filter(|_| surroundings.more_dumps == 0).map(|note| self.with_path(&note))
    }

    fn fault(&self) -> Option<String> {
        let Dump { surroundings, .. } = &self.dump;
        surroundings.note().filter(|_| surroundings.more_dumps > 0).map(|note| self.with_path(&note))
    }
}
