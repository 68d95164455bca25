//! Reproducible recording of a small level.

use std::path::Path;
use taut_capture::{Clock, Profile, Session, Settings, Workload, WriteOptions};
use taut_workloads::{self as workloads, Parameters, WORKLOADS};

/// Name of the workload.
const WORKLOAD: &str = "small-level";

/// Records the workload with a driver.
pub fn record(path: &Path, driver: &str) {
    let known = WORKLOADS.iter().find(|known| known.name == WORKLOAD).unwrap();
    let requested = [("threads".to_owned(), "1".to_owned())].into();
    let parameters = Parameters::new(known.parameters, requested).unwrap();
    let workload = Workload { name: WORKLOAD.to_owned(), parameters: parameters.values() };
    let profile = Profile::named(driver).unwrap();
    let options = WriteOptions::default();
    let session = Session::create(path, &profile, Settings::default(), workload, Clock::Logical, options).unwrap();
    workloads::run(WORKLOAD, &session, &parameters).unwrap();
    session.finish().unwrap();
}
