//! Options of a recording.

use crate::Error;
use crate::world::WorldOptions;
use std::collections::BTreeMap;
use taut_capture::Clock;
use taut_workloads::{Parameter, Parameters};

/// Options of a recording.
#[derive(Debug, Clone)]
pub struct RecordOptions {
    /// Name of a bundled workload, or path of a scene, a call log, an allocator's dump, a log of presents or a
    /// scenario.
    pub workload: String,
    pub world: WorldOptions,
    /// Name of a machine or path of its profile; `None` for the default of the workload.
    pub machine: Option<String>,
    /// Seed, used by workloads that have this parameter; `None` for its default.
    pub seed: Option<u64>,
    /// Application threads; `None` for the workload's default.
    pub threads: Option<u32>,
    /// Parameters of the workload as `KEY=VALUE`.
    pub parameters: Vec<String>,
    /// Clock of the stamps.
    pub clock: Clock,
}

impl RecordOptions {
    /// Parameters of a workload that knows these.
    pub(super) fn parameters(&self, known: &[Parameter]) -> Result<Parameters, Error> {
        let mut values: BTreeMap<String, String> = BTreeMap::new();
        // The command line always has a seed, but workloads loaded from a file have no parameter of this name.
        if let Some(seed) = self.seed.filter(|_| known.iter().any(|parameter| parameter.name == "seed")) {
            values.insert("seed".to_owned(), seed.to_string());
        }
        if let Some(threads) = self.threads {
            values.insert("threads".to_owned(), threads.to_string());
        }
        for set in &self.parameters {
            let Some((key, value)) = set.split_once('=') else {
                return Err(Error::usage(format_args!("--set {set}: expected KEY=VALUE")));
            };
            values.insert(key.to_owned(), value.to_owned());
        }
        Parameters::new(known, values).map_err(Error::usage)
    }

    /// Checks that no parameter was passed to a workload without parameters.
    pub(super) fn check_no_parameters(&self, workload: &str) -> Result<(), Error> {
        match self.parameters.first() {
            Some(set) => Err(Error::usage(format_args!("--set {set}: {workload} has no parameters"))),
            None => Ok(()),
        }
    }
}
