//! Recordings.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use taut_capture::{Adapters, Clock, Session};
use taut_runtime::{MachineProfile, Profile, Settings};
use taut_traces::{Trace, Workload, WriteOptions};
use taut_workloads::call_log::{self, CallLog, RunSummary};
use taut_workloads::{self as workloads, Parameters, ScenarioFile, WORKLOADS};

/// A recording to be made: drivers, settings, clock, and the workload that the header names.
#[derive(Debug, Clone)]
pub struct Recording {
    adapters: Adapters,
    settings: Settings,
    workload: Workload,
    clock: Clock,
}

impl Recording {
    /// A recording under these drivers, with default settings, the best clock and no named workload.
    pub fn new(drivers: impl Into<Adapters>) -> Recording {
        let (settings, workload) = (Settings::default(), Workload::default());
        Recording { adapters: drivers.into(), settings, workload, clock: Clock::best() }
    }

    /// A recording under a bundled driver.
    pub fn under(driver: &str) -> Recording {
        Recording::new(&Profile::named(driver).expect("a bundled profile"))
    }

    /// A recording on a machine, under bundled drivers.
    pub fn on_machine(machine: MachineProfile, drivers: &str) -> Recording {
        Recording::new(Adapters::named(drivers).expect("bundled drivers").of(machine))
    }

    #[must_use]
    pub fn with_settings(self, settings: Settings) -> Recording {
        Recording { settings, ..self }
    }

    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Recording {
        Recording { clock, ..self }
    }

    #[must_use]
    pub fn with_workload(self, name: &str, parameters: BTreeMap<String, Value>) -> Recording {
        Recording { workload: Workload { name: name.to_owned(), parameters }, ..self }
    }

    /// Begins the recording in a file.
    pub fn session(&self, file: &Path) -> Session {
        let (settings, workload) = (self.settings.clone(), self.workload.clone());
        let session = Session::create(file, &self.adapters, settings, workload, self.clock, WriteOptions::default());
        session.expect("a session")
    }

    /// Records the calls that `play` makes.
    pub fn record(&self, file: &Path, play: impl FnOnce(&Session)) -> Trace {
        let session = self.session(file);
        play(&session);
        session.finish().expect("a trace");
        Trace::open(file).expect("a trace")
    }

    /// Records a bundled workload.
    pub fn record_workload(self, name: &str, overrides: &[(&str, &str)], file: &Path) -> Trace {
        let parameters = workload_parameters(name, overrides);
        self.with_workload(name, parameters.values()).record(file, |session| {
            workloads::run(name, session, &parameters).expect("a run");
        })
    }

    /// Records a call log under the driver of the first adapter.
    pub fn record_call_log(&self, log: &CallLog, file: &Path) -> (RunSummary, Trace) {
        let profile = self.adapters.profiles().next().expect("an adapter");
        let plan = call_log::plan(log, &self.settings, &*taut_runtime::driver(profile));
        let mut summary = None;
        let trace = self.record(file, |session| summary = Some(call_log::run(log, &plan, session).expect("a run")));
        (summary.expect("a run"), trace)
    }
}

/// Parameters of a bundled workload.
pub fn workload_parameters(name: &str, overrides: &[(&str, &str)]) -> Parameters {
    let known = WORKLOADS.iter().find(|known| known.name == name).expect("a bundled workload");
    let overrides = overrides.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    Parameters::new(known.parameters, overrides).expect("parameters")
}

/// Parameters for a short run of a workload.
pub fn short(workload: &str) -> &'static [(&'static str, &'static str)] {
    WORKLOADS.iter().find(|known| known.name == workload).map_or(&[], |known| known.short)
}

/// Records a bundled workload under a bundled driver model.
pub fn recorded(workload: &str, driver: &str, overrides: &[(&str, &str)], clock: Clock, file: &Path) -> Trace {
    Recording::under(driver).with_clock(clock).record_workload(workload, overrides, file)
}

/// Records a bundled workload under a driver model.
pub fn recorded_under(
    profile: &Profile,
    workload: &str,
    overrides: &[(&str, &str)],
    clock: Clock,
    file: &Path,
) -> Trace {
    Recording::new(profile).with_clock(clock).record_workload(workload, overrides, file)
}

/// Records a scenario file under a bundled driver model.
pub fn recorded_scenario(scenario: &ScenarioFile, driver: &str, file: &Path) -> Trace {
    let recording = Recording::under(driver).with_workload(&scenario.name, scenario.facts());
    recording.record(file, |session| {
        scenario.run(session).expect("a run");
    })
}
