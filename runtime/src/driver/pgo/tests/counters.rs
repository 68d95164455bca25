//! Tests of counters in the code of draws.

use super::bench::{DriverBench, quick};
use crate::driver::background_profile::Background;
use crate::driver::faults::Faults;
use taut_schemas::{BackgroundProcessingMode as Mode, DrawRun, MeasurementsAction as Action};

fn counting() -> Background {
    Background { counters: 1, sampling_interval: 16, ..quick() }
}

/// Returns the executed counter instructions of 32 draws in a mode.
fn counters_in(mode: Mode, settings: Background, faults: Faults) -> Vec<u64> {
    let (mut bench, material) = DriverBench::with(settings, faults, "skinning");
    bench.set(mode, Action::DISCARD_PREVIOUS);
    let draw = (1, 64, material.constants(0));
    let runs = (0..32).flat_map(|_| bench.draw(std::slice::from_ref(&draw)));
    runs.inspect(|run: &DrawRun| assert_eq!(run.output_hash, run.generic_output_hash))
        .inspect(|run| assert_eq!(run.executed, run.generic_executed + run.counter_executed))
        .map(|run| run.counter_executed)
        .collect()
}

#[test]
fn light_measurements_count_in_few_draws_and_intrusive_ones_in_all() {
    let sum = |mode| counters_in(mode, counting(), Faults::default()).into_iter().sum::<u64>();
    let (light, intrusive) = (sum(Mode::ALLOWED), sum(Mode::ALLOW_INTRUSIVE_MEASUREMENTS));
    assert!(light > 0);
    assert_eq!(intrusive, 16 * light);
    assert_eq!(sum(Mode::DISABLE_PROFILING_BY_SYSTEM), 0);
    assert_eq!(counters_in(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, quick(), Faults::default()), [0; 32]);
}

#[test]
fn a_driver_that_keeps_counting_makes_the_cost_move() {
    let faults = Faults { keeps_counting: true, ..Faults::default() };
    let counters = counters_in(Mode::DISABLE_PROFILING_BY_SYSTEM, counting(), faults);
    assert!(counters.iter().any(|cost| *cost > 0) && counters.contains(&0));
}

#[test]
fn a_variants_gain_is_judged_without_counters() {
    let (mut bench, material) = DriverBench::with(counting(), Faults::default(), "lighting");
    bench.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    let draw = (1, 64, material.constants(0));
    bench.repeat(24, &draw);
    assert_eq!(bench.run_all().len(), 1);
    bench.repeat(8, &draw);
    let run = bench.draw(std::slice::from_ref(&draw))[0];
    assert!(run.variant.0 != 0 && run.counter_executed > 0);
    assert!(run.executed - run.counter_executed < run.generic_executed);
}
