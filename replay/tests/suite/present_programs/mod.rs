//! Random machines, windows and swap-chain programs: each recording replays, moves the right number of bytes at no more
//! than the rates of links and memory, shows every frame at most once and in order, leaves no live object, and breaks
//! no rule.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod audit;
mod program;
mod workloads;

use audit::Audit;
use program::{Machine, Step, machines, steps};
use proptest::prelude::*;
use taut_capture::{Adapters, Clock};
use taut_replay::{Options, Replayer};
use taut_testkit::Recording;
use taut_traces::Trace;

/// Makes a program's calls and audits the recording.
fn holds(machine: &Machine, steps: &[Step]) -> Result<Audit, TestCaseError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("program.taut");
    let adapters = Adapters::named(&machine.drivers()).expect("bundled drivers");
    let recording = Recording::new(adapters).with_clock(Clock::Logical).with_workload("program", Default::default());
    replay_and_audit(&recording.record(&file, |session| program::run(session, machine, steps)))
}

/// Replays and audits a recording.
fn replay_and_audit(trace: &Trace) -> Result<Audit, TestCaseError> {
    let outcome = Replayer::new(trace, Options::default()).run().unwrap();
    prop_assert!(outcome.is_identical(), "{:#?}", outcome.divergences);
    prop_assert_eq!(outcome.unfinished_calls, 0);
    let audit = Audit::of(trace);
    prop_assert!(audit.broken.is_empty(), "{:#?}", audit.broken);
    Ok(audit)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, max_shrink_iters: 512, ..ProptestConfig::default() })]

    #[test]
    fn random_programs_show_frames_once_and_in_order_and_replay(machine in machines(), steps in steps()) {
        holds(&machine, &steps)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, max_shrink_iters: 512, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "minutes"]
    fn thousands_of_random_programs_show_frames_once_and_in_order_and_replay(machine in machines(), steps in steps()) {
        holds(&machine, &steps)?;
    }
}

#[test]
fn programs_take_every_way_to_the_display() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let mut all = Audit::default();
    for _ in 0..60 {
        let machine = machines().new_tree(&mut runner).unwrap().current();
        let steps = steps().new_tree(&mut runner).unwrap().current();
        let audit = holds(&machine, &steps).unwrap();
        all.fates.iter_mut().zip(audit.fates).for_each(|(all, one)| *all += one);
        all.paths.iter_mut().zip(audit.paths).for_each(|(all, one)| *all += one);
    }
    // Flipped, composed, torn, never shown; no copy, two, one.
    assert!(all.fates.iter().chain(&all.paths).all(|count| *count > 0), "{:?} {:?}", all.fates, all.paths);
}
