//! Tests of commits, of discards, and of the state in which nothing more is desired.

use super::bench::{Draw, DriverBench, material, quick};
use crate::driver::background_profile::Background;
use taut_schemas::{BackgroundProcessingMode as Mode, MeasurementsAction as Action, VariantId};
use taut_shaders::BUNDLED;

/// Returns a frame of 16 draws with every bundled shader: drifting constants differ between the draws, but not between
/// frames.
fn frame() -> Vec<Draw> {
    let materials = BUNDLED.iter().zip(1..).map(|(bundled, id)| (id, bundled.material().unwrap()));
    let draws = |(id, material): (u64, taut_shaders::Material)| {
        (0..16).map(move |draw| (id, material.lanes as u32, material.constants(draw))).collect::<Vec<_>>()
    };
    materials.flat_map(draws).collect()
}

fn with_all_shaders(settings: Background) -> DriverBench {
    let mut bench = DriverBench::new(settings);
    BUNDLED.iter().zip(1..).for_each(|(bundled, id)| bench.create(id, &material(bundled.name)));
    bench
}

/// Returns the number of rounds of the analysis tool's loop until nothing more is desired.
fn rounds(bench: &mut DriverBench, frame: &mut dyn FnMut(u32) -> Vec<Draw>, max_rounds: u32) -> Option<u32> {
    (0..max_rounds).find(|round| {
        let action = if *round == 0 { Action::DISCARD_PREVIOUS } else { Action::KEEP_ALL };
        bench.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, action);
        bench.draw(&frame(*round));
        let further = bench.set(Mode::DISABLE_PROFILING_BY_SYSTEM, Action::COMMIT_RESULTS_HIGH_PRIORITY);
        bench.run_all();
        !further
    })
}

#[test]
fn b38_one_frame_and_a_commit_give_the_specialisations_of_a_long_run() {
    let mut long = with_all_shaders(Background::default());
    long.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL);
    for _ in 0..40 {
        long.draw(&frame());
        long.run_all();
    }
    let mut once = with_all_shaders(Background::default());
    once.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL);
    once.draw(&frame());
    assert!(once.specialisations().is_empty(), "one frame is not enough by itself");
    once.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::COMMIT_RESULTS);
    once.run_all();
    assert_eq!(once.specialisations(), long.specialisations());
    assert_eq!(long.specialisations().len(), BUNDLED.len());
}

/// Without intrusive measurements the long run is longer by the sampling interval and by the cost threshold.
#[test]
fn b38_holds_for_the_light_instrumentation_too() {
    let (mut long, steady) = DriverBench::with(Background::default(), Default::default(), "tone-map");
    let draw = (1, 1, steady.constants(0));
    let draws = vec![draw.clone(); 64];
    (0..400).for_each(|_| drop(long.draw(&draws)));
    let (mut once, _) = DriverBench::with(Background::default(), Default::default(), "tone-map");
    once.draw(&[draw]);
    once.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    assert_eq!(once.specialisations(), long.specialisations());
    assert_eq!(long.specialisations().len(), 1);
}

#[test]
fn b39_a_discard_forgets_measurements_and_results_under_way_but_no_variant() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "tone-map");
    let draw = (1, 4, material.constants(0));
    bench.repeat(8, &draw);
    assert_eq!(bench.run_all(), [VariantId(1)]);
    // Another scene with other values: its task is running when everything is discarded.
    let mut other = draw.clone();
    other.2[0].0 ^= 1;
    bench.draw(std::slice::from_ref(&other));
    bench.draw(std::slice::from_ref(&other));
    bench.set(Mode::ALLOWED, Action::DISCARD_PREVIOUS);
    assert_eq!(bench.draw(std::slice::from_ref(&draw))[0].variant, VariantId(1), "variants stay");
    bench.set(Mode::ALLOWED, Action::DISCARD_PREVIOUS);
    assert_eq!(bench.fake.queued.len(), 1, "nothing is known that a commit could scale up");
    bench.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    assert_eq!(bench.fake.queued.len(), 1);

    let mut bench = DriverBench::with(quick(), Default::default(), "tone-map").0;
    bench.repeat(8, &draw);
    assert_eq!(bench.fake.queued.len(), 1);
    assert!(bench.set(Mode::ALLOWED, Action::DISCARD_PREVIOUS), "a task is pending");
    assert_eq!(bench.run_all(), [], "its result is dropped");
    assert!(!bench.set(Mode::ALLOWED, Action::KEEP_ALL));
    bench.repeat(8, &draw);
    assert_eq!(bench.run_all(), [VariantId(1)], "the same is found again");
}

#[test]
fn b39_what_was_submitted_before_a_discard_is_not_measured_after_it() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "tone-map");
    let submitted = bench.submit(&vec![(1, 4, material.constants(0)); 20]);
    bench.set(Mode::ALLOWED, Action::DISCARD_PREVIOUS);
    bench.complete(&submitted);
    bench.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    assert_eq!(bench.fake.queued.len(), 0);
}

#[test]
fn b40_a_frame_played_in_a_loop_reaches_a_steady_state() {
    let mut bench = with_all_shaders(Background::default());
    // Passes that find and measure, and one in which nothing is found.
    assert!(rounds(&mut bench, &mut |_| frame(), 100).unwrap() <= 2);
    let before = bench.draw(&frame());
    assert!(before.iter().filter(|run| run.variant != VariantId::NULL).count() >= 5 * 16);
    assert_eq!(bench.draw(&frame()), before, "the cost is constant from then on (rule B-25)");
}

#[test]
fn b40_constants_that_change_in_every_frame_take_one_pass_more() {
    let mut bench = with_all_shaders(Background::default());
    let materials: Vec<_> = BUNDLED.iter().map(|bundled| bundled.material().unwrap()).collect();
    let mut frame = |round| {
        let draws = materials.iter().zip(1..).map(|(material, id)| (id, 8, material.constants(round)));
        draws.collect::<Vec<_>>()
    };
    assert!(rounds(&mut bench, &mut frame, 100).unwrap() <= 4);
}

#[test]
fn b40_a_fly_through_played_in_a_loop_reaches_a_steady_state_without_commits() {
    let mut bench = with_all_shaders(Background::default());
    bench.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    let passes = (1..20).find(|_| {
        for _ in 0..20 {
            bench.draw(&frame());
            bench.run_all();
        }
        !bench.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL)
    });
    assert!(passes.unwrap() <= 3, "{passes:?}");
    assert!(!bench.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL), "nothing has happened since");
}

#[test]
fn b40_unused_variants_are_not_waited_for() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "tone-map");
    bench.repeat(8, &(1, 4, material.constants(0)));
    assert!(bench.set(Mode::ALLOWED, Action::KEEP_ALL), "found");
    bench.run_all();
    assert!(bench.set(Mode::ALLOWED, Action::KEEP_ALL), "installed");
    assert!(!bench.set(Mode::ALLOWED, Action::KEEP_ALL), "and drawn with by nobody");
}
