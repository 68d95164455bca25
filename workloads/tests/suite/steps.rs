//! Predicted and actual number of steps of workloads.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use taut_capture::{Adapters, Clock, Session};
use taut_runtime::Settings;
use taut_workloads::{Parameters, Steps, WORKLOADS, run, steps};

/// Returns the predicted number of steps and the actual one.
fn predicted_and_actual(name: &str, driver: &str, overrides: &[(&str, &str)]) -> (Steps, u64) {
    let workload = WORKLOADS.iter().find(|workload| workload.name == name).unwrap();
    let known = |key: &str| workload.parameters.iter().any(|parameter| parameter.name == key);
    let overrides = overrides.iter().filter(|(key, _)| known(key));
    let overrides: BTreeMap<_, _> = overrides.map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let parameters = Parameters::new(workload.parameters, overrides).unwrap();
    let profile = Adapters::named(driver).unwrap();
    let session = Session::unrecorded(&profile, Settings::default(), Clock::Logical);
    let stop = session.stop();
    run(name, &session, &parameters).unwrap();
    session.end().unwrap();
    (steps(name, &parameters).unwrap(), stop.steps_done())
}

#[test]
fn every_workload_takes_the_steps_that_it_foretells() {
    let short = [("frames", "5"), ("passes", "3"), ("tries", "3"), ("before", "4"), ("after", "2"), ("training", "6")];
    let more = [("measured", "3"), ("threads", "3"), ("textures", "2"), ("uploads", "4"), ("width", "64")];
    let overrides: Vec<_> = short.into_iter().chain(more).collect();
    for workload in WORKLOADS {
        for driver in [workload.driver, "faulty-never-converges", "legacy"] {
            if !Adapters::named(driver).unwrap().profiles().all(|profile| workload.suits(profile)) {
                continue;
            }
            let (predicted, done) = predicted_and_actual(workload.name, driver, &overrides);
            let holds = match predicted {
                Steps::Exactly(steps) => done == steps,
                Steps::UpTo(steps) => done > 0 && done <= steps,
            };
            assert!(holds, "{} on {driver}: {predicted:?}, {done} done", workload.name);
        }
    }
}

#[test]
fn a_driver_that_always_desires_measurements_needs_the_maximum_of_steps() {
    let overrides = [("frames", "5"), ("passes", "3"), ("tries", "3"), ("measured", "3")];
    for name in ["pix-single-frame", "benchmark-priming", "never-converges"] {
        let (predicted, done) = predicted_and_actual(name, "faulty-never-converges", &overrides);
        assert_eq!(predicted, Steps::UpTo(done), "{name}");
    }
}
