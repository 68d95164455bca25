//! Recordings for the tests.

#[allow(dead_code)]
pub mod audit;
#[allow(dead_code)]
pub mod record;

use std::collections::BTreeMap;
use std::path::Path;
use taut_capture::{Clock, Session};
use taut_runtime::{Profile, Settings};
use taut_traces::{Trace, Workload, WriteOptions};
use taut_workloads::{self as workloads, Parameters, ScenarioFile, WORKLOADS};

/// Parameters for a short run of a workload.
#[allow(dead_code)]
pub fn short(workload: &str) -> &'static [(&'static str, &'static str)] {
    WORKLOADS.iter().find(|known| known.name == workload).map_or(&[], |known| known.short)
}

/// Records a bundled workload under a bundled driver model.
#[allow(dead_code)]
pub fn recorded(workload: &str, driver: &str, overrides: &[(&str, &str)], clock: Clock, file: &Path) -> Trace {
    let profile = Profile::named(driver).expect("a bundled profile");
    recorded_under(&profile, workload, overrides, clock, file)
}

/// Records a bundled workload under a driver model.
#[allow(dead_code)]
pub fn recorded_under(
    profile: &Profile,
    workload: &str,
    overrides: &[(&str, &str)],
    clock: Clock,
    file: &Path,
) -> Trace {
    let known = WORKLOADS.iter().find(|known| known.name == workload).expect("a bundled workload");
    let overrides: BTreeMap<String, String> =
        overrides.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let parameters = Parameters::new(known.parameters, overrides).expect("parameters");
    let workload = Workload { name: known.name.to_owned(), parameters: parameters.values() };
    let session = Session::create(file, profile, Settings::default(), workload, clock, WriteOptions::default());
    let session = session.expect("a session");
    workloads::run(known.name, &session, &parameters).expect("a run");
    session.finish().expect("a trace");
    Trace::open(file).expect("a trace")
}

/// Records a scenario file under a bundled driver model.
#[allow(dead_code)]
pub fn recorded_scenario(scenario: &ScenarioFile, driver: &str, file: &Path) -> Trace {
    let profile = Profile::named(driver).expect("a bundled profile");
    let workload = Workload { name: scenario.name.clone(), parameters: scenario.facts() };
    let options = WriteOptions::default();
    let session = Session::create(file, &profile, Settings::default(), workload, Clock::best(), options);
    let session = session.expect("a session");
    scenario.run(&session).expect("a run");
    session.finish().expect("a trace");
    Trace::open(file).expect("a trace")
}
