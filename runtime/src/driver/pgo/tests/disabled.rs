//! Tests of modes that disable profiling or work.

use super::bench::{DriverBench, Policy, quick};
use taut_schemas::{BackgroundProcessingMode as Mode, MeasurementsAction as Action, VariantId};

#[test]
fn b25_nothing_is_tuned_while_profiling_is_disabled() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "tone-map");
    bench.repeat(8, &(1, 4, material.constants(0)));
    bench.set(Mode::DISABLE_PROFILING_BY_SYSTEM, Action::KEEP_ALL);
    assert_eq!(bench.run_all(), [VariantId(1)], "accepted before");
    // The constants differ now: the guard misses each time, without consequences.
    let mut other = material.constants(0);
    other[0].0 ^= 1;
    let first = bench.draw(&[(1, 4, other.clone())]);
    assert!(first[0].variant == VariantId::NULL && first[0].executed > first[0].generic_executed);
    for _ in 0..100 {
        assert_eq!(bench.draw(&[(1, 4, other.clone())]), first);
    }
    assert_eq!(bench.fake.queued.len(), 1);
    bench.set(Mode::ALLOWED, Action::KEEP_ALL);
    bench.draw(&[(1, 4, other.clone())]);
    assert!(bench.submit(&[(1, 4, other.clone())]).selections[0].guard_missed, "what was not measured does not count");
    bench.repeat(30, &(1, 4, other));
    assert!(bench.fake.queued.len() > 1, "then it goes on");
}

/// Work submitted before may be measured after; it must not cause tuning either.
#[test]
fn b25_work_under_way_when_profiling_is_disabled_changes_nothing() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "tone-map");
    bench.repeat(8, &(1, 4, material.constants(0)));
    bench.run_all();
    let mut other = material.constants(0);
    other[0].0 ^= 1;
    let submitted = bench.submit(&vec![(1, 4, other.clone()); 20]);
    bench.set(Mode::DISABLE_PROFILING_BY_SYSTEM, Action::KEEP_ALL);
    bench.complete(&submitted);
    assert!(bench.submit(&[(1, 4, other.clone())]).selections[0].guard_missed, "the variant is still there");
    bench.set(Mode::ALLOWED, Action::KEEP_ALL);
    bench.draw(&[(1, 4, other.clone())]);
    assert!(!bench.submit(&[(1, 4, other)]).selections[0].guard_missed);
}

#[test]
fn b63_nothing_is_queued_while_work_is_disabled() {
    for mode in [Mode::DISABLE_BACKGROUND_WORK, Mode::DISABLE_PROFILING_BY_SYSTEM] {
        let (mut bench, material) = DriverBench::with(quick(), Default::default(), "tone-map");
        bench.fake.policy = Policy::Cancel;
        bench.set(mode, Action::KEEP_ALL);
        bench.repeat(100, &(1, 4, material.constants(0)));
        assert!(!bench.set(mode, Action::KEEP_ALL));
        assert_eq!(bench.fake.queued.len(), 0, "{mode:?}");
    }
}

/// A commit takes effect before the mode of the same call (rules B-31 and B-33).
#[test]
fn b63_a_commit_queues_although_it_disables() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "tone-map");
    bench.draw(&[(1, 4, material.constants(0))]);
    assert!(bench.set(Mode::DISABLE_PROFILING_BY_SYSTEM, Action::COMMIT_RESULTS));
    assert_eq!(bench.run_all(), [VariantId(1)]);
}

/// Light instrumentation is not background work: it continues, so that leaving the mode takes effect at once.
#[test]
fn disabled_work_does_not_stop_counting() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "tone-map");
    bench.set(Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL);
    bench.repeat(20, &(1, 4, material.constants(0)));
    bench.set(Mode::ALLOWED, Action::KEEP_ALL);
    bench.draw(&[(1, 4, material.constants(0))]);
    assert_eq!(bench.fake.queued.len(), 1);
}

#[test]
fn b26_a_cancelled_specialisation_may_be_found_later() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "tone-map");
    let draw = (1, 4, material.constants(0));
    for policy in [Policy::Cancel, Policy::Refuse] {
        bench.fake.policy = policy;
        bench.repeat(8, &draw);
        assert!(bench.driver_state().tasks.is_empty());
    }
    bench.fake.policy = Policy::Wait;
    bench.draw(std::slice::from_ref(&draw));
    let queued = bench.fake.queued.len();
    bench.cancel(queued - 1);
    bench.draw(std::slice::from_ref(&draw));
    assert_eq!(bench.fake.queued.len(), queued + 1);
    assert_eq!(bench.run_all(), [VariantId(1)]);
    let contexts: std::collections::BTreeSet<_> = bench.fake.queued.iter().map(|queued| queued.call.context).collect();
    assert_eq!(contexts.len(), bench.fake.queued.len(), "no context comes twice");
}
