//! Tests of variants that lose their gain or never had one.

use super::bench::{DriverBench, quick};
use crate::driver::background_profile::Background;
use taut_schemas::{BackgroundProcessingMode as Mode, MeasurementsAction as Action, VariantChange, VariantId};

#[test]
fn drift_a_variant_whose_guard_misses_is_dropped_and_its_successor_found() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "lighting");
    let day = (1, 16, material.constants(0));
    bench.repeat(12, &day);
    assert_eq!(bench.run_all(), [VariantId(1)]);
    assert_eq!(bench.draw(std::slice::from_ref(&day))[0].variant, VariantId(1));

    // One more light with another colour.
    let mut night = day.clone();
    night.2[material.shader.slot("lights.count").unwrap().index()].0 += 1;
    let mut dropped = None;
    for nth in 0..200 {
        let run = bench.draw(std::slice::from_ref(&night))[0];
        assert_eq!(run.variant, VariantId::NULL);
        if run.executed == run.generic_executed {
            dropped = Some(nth);
            break;
        }
    }
    assert!(dropped.unwrap() <= 8, "after a window of misses, {dropped:?}");
    assert_eq!(bench.driver_state().pipelines.values().next().unwrap().doubled, 1);
    let before = bench.fake.queued.len();
    bench.repeat(8, &night);
    assert_eq!(bench.fake.queued.len(), before, "the thresholds are doubled");
    bench.repeat(16, &night);
    assert_eq!(bench.run_all(), [VariantId(2)]);
    assert_eq!(bench.draw(std::slice::from_ref(&night))[0].variant, VariantId(2));
}

#[test]
fn loss_a_variant_whose_guard_costs_more_than_it_saves_is_measured_and_dropped() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "exposure-resolve");
    let draws = |frame| (1, 1, material.constants(frame));
    (0..20).for_each(|frame| drop(bench.draw(&[draws(frame)])));
    assert_eq!(bench.run_all(), [VariantId(1)]);
    let served: Vec<_> = (20..40).map(|frame| bench.draw(&[draws(frame)])[0]).collect();
    let by_variant: Vec<_> = served.iter().filter(|run| run.variant != VariantId::NULL).collect();
    assert_eq!(by_variant.len(), quick().measured_draws as usize);
    assert!(by_variant.iter().all(|run| run.executed >= run.generic_executed));
    (40..200).for_each(|frame| drop(bench.draw(&[draws(frame)])));
    assert_eq!(bench.fake.queued.len(), 1, "it is not tried again");
    assert!(bench.set(Mode::ALLOWED, Action::KEEP_ALL));
    assert!(!bench.set(Mode::ALLOWED, Action::COMMIT_RESULTS));
}

/// A variant is charged for its own guard, not for the guards of newer variants, which are evaluated before it.
#[test]
fn loss_a_variant_does_not_pay_for_the_guards_of_others() {
    let settings = Background { max_missed_permille: 1000, ..quick() };
    let (mut bench, material) = DriverBench::with(settings, Default::default(), "exposure-resolve");
    let first = material.constants(0);
    let second: Vec<_> = first.iter().map(|word| taut_shaders::Word(word.0 ^ 1)).collect();
    for constants in [&first, &second] {
        bench.draw(&[(1, 4, constants.clone())]);
        bench.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
        bench.run_all();
        bench.set(Mode::ALLOWED, Action::DISCARD_PREVIOUS);
    }
    // Finds a lane count whose gain exceeds the cost of the variant's own guard, but not that of both guards.
    let lanes = (1..=64).find(|lanes| {
        let submitted = bench.submit(&[(1, *lanes, first.clone())]);
        let (selection, run) = (submitted.selections[0], submitted.work.run()[0]);
        assert!(selection.variant == VariantId(1) && selection.guard_missed);
        run.executed >= run.generic_executed
            && run.executed < run.generic_executed + u64::from(selection.guard_cost) / 2
    });
    bench.repeat(10, &(1, lanes.unwrap(), first.clone()));
    let last = bench.submit(&[(1, 4, first)]);
    assert_eq!(last.selections[0].variant, VariantId(1));
}

#[test]
fn nothing_is_installed_where_nothing_folds() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "particle-step");
    bench.repeat(100, &(1, 64, material.constants(0)));
    assert_eq!(bench.fake.queued.len(), 1);
    assert_eq!(bench.run_all(), []);
    bench.repeat(100, &(1, 64, material.constants(0)));
    assert_eq!(bench.fake.queued.len(), 1, "it is not tried again");
}

/// A value that no variant can use, but that changes now and then, causes a new task in every scene; each task needs
/// twice as many executions as the one before.
#[test]
fn values_that_go_on_changing_cost_ever_fewer_tasks() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "particle-step");
    for scene in 0..64 {
        let mut constants = material.constants(0);
        constants[0].0 ^= scene;
        bench.repeat(100, &(1, 1, constants));
        bench.run_all();
    }
    let tasks = bench.fake.queued.len();
    assert!((3..=10).contains(&tasks), "{tasks} tasks for 6400 draws");
}

/// The more tasks are pending, the more executions are required.
#[test]
fn thresholds_rise_with_the_queue() {
    let length = super::bench::material("tone-map").shader.length() as u64;
    let settings = Background { first_tier_cost: length * 16, load_feedback: 1, workers: 1, ..quick() };
    let mut bench = DriverBench::new(settings);
    let material = super::bench::material("tone-map");
    (1..=3).for_each(|id| bench.create(id, &material));
    let executions = [16, 32, 48];
    for (id, expected) in (1..=3).zip(executions) {
        let queued = bench.fake.queued.len();
        bench.repeat(expected - 1, &(id, 4, material.constants(0)));
        assert_eq!(bench.fake.queued.len(), queued);
        bench.repeat(1, &(id, 4, material.constants(0)));
        assert_eq!(bench.fake.queued.len(), queued + 1);
    }
    // Intrusive measurements are not affected by the queue.
    bench.create(4, &material);
    bench.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL);
    bench.repeat(8, &(4, 4, material.constants(0)));
    assert_eq!(bench.fake.queued.len(), 4);
}

#[test]
fn a_pipeline_state_has_no_more_variants_than_it_may() {
    let settings = Background { max_variants_per_pipeline: 2, max_missed_permille: 1000, ..quick() };
    let (mut bench, material) = DriverBench::with(settings, Default::default(), "tone-map");
    for scene in 0..6 {
        let mut constants = material.constants(0);
        constants[0].0 ^= scene;
        bench.repeat(20, &(1, 4, constants));
        bench.run_all();
    }
    assert_eq!(bench.fake.queued.len(), 2);
}

#[test]
fn every_installed_and_removed_variant_is_reported() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "exposure-resolve");
    (0..200).for_each(|frame| {
        bench.draw(&[(1, 1, material.constants(frame))]);
        bench.run_all();
    });
    assert_eq!(bench.fake.reports, [(VariantId(1), VariantChange::INSTALLED), (VariantId(1), VariantChange::SLOWER)]);
}
