//! Workloads foretell how far they have to go.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use taut_capture::workloads::{Parameters, Steps, WORKLOADS, run, steps};
use taut_capture::{Adapters, Clock, Session};
use taut_runtime::Settings;

/// What a workload foretells of itself, and what it did.
fn foretold_and_done(name: &str, driver: &str, given: &[(&str, &str)]) -> (Steps, u64) {
    let workload = WORKLOADS.iter().find(|workload| workload.name == name).unwrap();
    let known = |key: &str| workload.parameters.iter().any(|parameter| parameter.name == key);
    let given = given.iter().filter(|(key, _)| known(key));
    let given: BTreeMap<_, _> = given.map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let parameters = Parameters::new(workload.parameters, given).unwrap();
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
    let given: Vec<_> = short.into_iter().chain(more).collect();
    for workload in WORKLOADS {
        for driver in [workload.driver, "faulty-never-converges", "legacy"] {
            if !Adapters::named(driver).unwrap().profiles().all(|profile| workload.suits(profile)) {
                continue;
            }
            let (foretold, done) = foretold_and_done(workload.name, driver, &given);
            let holds = match foretold {
                Steps::Exactly(steps) => done == steps,
                Steps::AtMost(steps) => done > 0 && done <= steps,
            };
            assert!(holds, "{} on {driver}: {foretold:?}, {done} done", workload.name);
        }
    }
}

#[test]
fn a_driver_that_never_has_enough_makes_for_all_steps_there_can_be() {
    let given = [("frames", "5"), ("passes", "3"), ("tries", "3"), ("measured", "3")];
    for name in ["pix-single-frame", "benchmark-priming", "never-converges"] {
        let (foretold, done) = foretold_and_done(name, "faulty-never-converges", &given);
        assert_eq!(foretold, Steps::AtMost(done), "{name}");
    }
}
