//! A recording of a small level, the same bytes each time.

use std::path::Path;
use taut_capture::workloads::{self, Parameters, WORKLOADS};
use taut_capture::{Clock, Profile, Session, Settings, Workload, WriteOptions};

/// The workload.
const WORKLOAD: &str = "small-level";

/// Records it under a driver.
pub fn record(path: &Path, driver: &str) {
    let known = WORKLOADS.iter().find(|known| known.name == WORKLOAD).unwrap();
    let given = [("threads".to_owned(), "1".to_owned())].into();
    let parameters = Parameters::new(known.parameters, given).unwrap();
    let workload = Workload { name: WORKLOAD.to_owned(), parameters: parameters.values() };
    let profile = Profile::named(driver).unwrap();
    let options = WriteOptions::default();
    let session = Session::create(path, &profile, Settings::default(), workload, Clock::Logical, options).unwrap();
    workloads::run(WORKLOAD, &session, &parameters).unwrap();
    session.finish().unwrap();
}
