//! Tests of drivers that break one rule each on purpose.

use super::bench::{DriverBench, Policy, quick};
use crate::driver::faults::Faults;
use crate::driver::profile::Profile;
use taut_schemas::{
    BackgroundProcessingMode as Mode, CallbackCall, MeasurementsAction as Action, VariantId, d3d12_ddi,
};

fn bench(faults: Faults) -> (DriverBench, super::bench::Draw) {
    let (bench, material) = DriverBench::with(quick(), faults, "tone-map");
    (bench, (1, 4, material.constants(0)))
}

#[test]
fn b40_a_driver_that_finds_for_ever_never_converges() {
    let (mut bench, draw) = bench(Faults { finds_forever: true, ..Faults::default() });
    for _ in 0..50 {
        bench.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL);
        bench.repeat(3, &draw);
        assert!(bench.set(Mode::DISABLE_PROFILING_BY_SYSTEM, Action::COMMIT_RESULTS));
        bench.run_all();
    }
    assert_eq!(bench.driver_state().pipelines.values().next().unwrap().installed.len(), 1, "always the same");
}

#[test]
fn b41_decisions_follow_from_what_was_executed() {
    for decides_by_unfinished_work in [false, true] {
        let (mut bench, draw) = bench(Faults { decides_by_unfinished_work, ..Faults::default() });
        let submitted: Vec<_> = (0..20).map(|_| bench.submit(std::slice::from_ref(&draw))).collect();
        assert_eq!(!bench.fake.queued.is_empty(), decides_by_unfinished_work);
        submitted.iter().for_each(|submitted| drop(bench.complete(submitted)));
        let queued = &bench.fake.queued[0];
        assert!(queued.call.decided_by_submission > 0);
        assert_eq!(queued.call.decided_by_submission > queued.collected, decides_by_unfinished_work);
    }
}

#[test]
fn b53_a_driver_that_forgets_what_was_cancelled_waits_for_ever() {
    for forgets_cancelled in [false, true] {
        let (mut bench, draw) = bench(Faults { forgets_cancelled, ..Faults::default() });
        bench.fake.policy = Policy::Cancel;
        bench.repeat(8, &draw);
        assert!(bench.set(Mode::ALLOWED, Action::KEEP_ALL));
        for _ in 0..10 {
            assert_eq!(bench.set(Mode::ALLOWED, Action::KEEP_ALL), forgets_cancelled);
        }
    }
}

#[test]
fn b07_a_driver_may_leave_its_answer_unwritten() {
    let (mut bench, _) = bench(Faults { leaves_further_unwritten: true, ..Faults::default() });
    let call = d3d12_ddi::SetBackgroundProcessingMode0063::default();
    assert_eq!(call.dispatch(&*bench.driver(), &mut bench.fake, ()), None);
}

#[test]
fn b63_a_driver_that_ignores_cancel_works_while_that_is_disabled() {
    let (mut bench, draw) = bench(Faults { works_when_cancelled: true, ..Faults::default() });
    bench.set(Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL);
    bench.fake.policy = Policy::Cancel;
    bench.repeat(8, &draw);
    assert_eq!(bench.fake.queued.len(), 1);
    assert_eq!(bench.submit(std::slice::from_ref(&draw)).selections[0].variant, VariantId(1));
}

#[test]
fn b52_a_driver_that_queues_twice_is_called_back_twice() {
    let (mut bench, draw) = bench(Faults { queues_twice: true, ..Faults::default() });
    bench.repeat(8, &draw);
    assert_eq!(bench.fake.queued.len(), 2);
    assert_eq!(bench.fake.queued[0].call, bench.fake.queued[1].call);
    assert_eq!(bench.run_all(), [VariantId(1)], "the second finds nothing to do");
}

/// Each fault has a bundled profile; the conformance kit tests which checks find it.
#[test]
fn every_fault_has_a_profile() {
    let mut found = 0;
    for (name, text) in Profile::faulty().iter().filter(|(_, text)| text.contains("[background]")) {
        let lines = text.lines().filter(|line| !line.starts_with("fails")).collect::<Vec<_>>();
        let profile = Profile::parse(&lines.join("\n"), name).unwrap();
        assert!(profile.background.is_some() && profile.faults.of_background().is_some(), "{name}");
        found += 1;
    }
    assert_eq!(found, 13);
}
