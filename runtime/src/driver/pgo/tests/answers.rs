//! Answers to SetBackgroundProcessingMode: FALSE means that a run four times as long with the same work would find
//! nothing.

use super::bench::{Draw, DriverBench, material, quick};
use crate::driver::background_profile::Background;
use crate::driver::faults::Faults;
use proptest::prelude::*;
use taut_schemas::{BackgroundProcessingMode as Mode, MeasurementsAction as Action};

const INTRUSIVE: Mode = Mode::ALLOW_INTRUSIVE_MEASUREMENTS;

#[test]
fn b40_too_few_samples_are_no_reason_to_desire_no_more() {
    let (mut bench, material) = DriverBench::with(Background::default(), Default::default(), "tone-map");
    let draw = (1, 4, material.constants(0));
    bench.set(INTRUSIVE, Action::DISCARD_PREVIOUS);
    for _ in 0..199 {
        bench.repeat(1, &draw);
        assert!(bench.set(INTRUSIVE, Action::KEEP_ALL), "the next draws find a variant");
    }
    assert!(bench.fake.queued.is_empty());
    bench.repeat(1, &draw);
    assert_eq!(bench.fake.queued.len(), 1);
}

#[test]
fn b40_right_after_a_discard_more_is_desired_if_there_is_work() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "tone-map");
    let draw = (1, 4, material.constants(0));
    bench.repeat(40, &draw);
    bench.run_all();
    bench.repeat(40, &draw);
    bench.set(INTRUSIVE, Action::KEEP_ALL);
    bench.repeat(40, &draw);
    assert!(!bench.set(INTRUSIVE, Action::KEEP_ALL), "all is known");
    bench.repeat(1, &draw);
    assert!(bench.set(INTRUSIVE, Action::DISCARD_PREVIOUS), "nothing is known any more");
    assert!(!bench.set(INTRUSIVE, Action::KEEP_ALL), "and nothing is drawn");
}

#[test]
fn b40_what_was_drawn_and_not_measured_is_waited_for() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "tone-map");
    let submitted = bench.submit(&[(1, 4, material.constants(0))]);
    assert!(bench.set(INTRUSIVE, Action::KEEP_ALL));
    bench.complete(&submitted);
}

#[test]
fn b40_x26_while_a_compile_is_pending_more_is_desired() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "tone-map");
    let draw = (1, 4, material.constants(0));
    bench.repeat(40, &draw);
    assert!(!bench.fake.queued.is_empty());
    // Disabled twice, the driver cannot find anything: it desires more for the pending task alone.
    bench.set(Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL);
    for _ in 0..3 {
        assert!(bench.set(Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL));
    }
    bench.set(INTRUSIVE, Action::KEEP_ALL);
    let rested = (0..8).any(|_| {
        bench.run_all();
        bench.repeat(40, &draw);
        !bench.set(INTRUSIVE, Action::KEEP_ALL)
    });
    assert!(rested && bench.driver_state().tasks.is_empty());
}

/// Values that never stay for three windows must not delay the answer, even if one seems stable at the moment of the
/// query.
#[test]
fn b40_values_that_go_to_and_fro_are_not_waited_for() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "tone-map");
    let other: Vec<_> = material.constants(0).iter().map(|word| taut_shaders::Word(word.0 ^ 1)).collect();
    let pass = |bench: &mut DriverBench| {
        bench.repeat(4, &(1, 4, material.constants(0)));
        bench.repeat(4, &(1, 4, other.clone()));
        bench.run_all();
        bench.set(INTRUSIVE, Action::KEEP_ALL)
    };
    bench.set(INTRUSIVE, Action::DISCARD_PREVIOUS);
    assert!((0..4).any(|_| !pass(&mut bench)));
    assert!(!pass(&mut bench));
}

#[test]
fn b40_a_driver_that_answers_too_early_finds_more_later() {
    let faults = Faults { converges_early: true, ..Faults::default() };
    let (mut bench, material) = DriverBench::with(quick(), faults, "tone-map");
    bench.set(INTRUSIVE, Action::DISCARD_PREVIOUS);
    bench.repeat(2, &(1, 4, material.constants(0)));
    assert!(!bench.set(INTRUSIVE, Action::KEEP_ALL));
    bench.repeat(8, &(1, 4, material.constants(0)));
    assert_eq!(bench.fake.queued.len(), 1);
}

/// Generates a fly-through: scenes, with the number of frames of each.
fn fly_through() -> impl Strategy<Value = Vec<(u8, u8)>> {
    prop::collection::vec((0..4_u8, 1..24_u8), 1..8)
}

fn play(bench: &mut DriverBench, draws: &[Draw]) {
    for draw in draws {
        bench.repeat(1, draw);
        bench.run_all();
    }
}

fn installed(bench: &mut DriverBench) -> Vec<u64> {
    bench
        .driver_state()
        .pipelines
        .values()
        .flat_map(|pipeline| pipeline.installed.iter().map(|variant| variant.id.0))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn b40_once_nothing_is_desired_four_times_as_much_of_the_same_finds_nothing(
        scenes in fly_through(), shader in 0..3_usize, drifts: bool, missed in prop::sample::select(vec![0_u32, 50, 1000])
    ) {
        let name = ["tone-map", "lighting", "exposure-resolve"][shader];
        let settings = Background { max_missed_permille: missed, ..quick() };
        let (mut bench, material) = (DriverBench::new(settings), material(name));
        bench.create(1, &material);
        let mut draws: Vec<Draw> = Vec::new();
        for (scene, times) in scenes {
            for _ in 0..times {
                let frame = if drifts { draws.len() as u32 } else { 0 };
                let mut constants = material.constants(frame);
                constants[0].0 ^= u32::from(scene);
                draws.push((1, 4, constants));
            }
        }
        bench.set(INTRUSIVE, Action::DISCARD_PREVIOUS);
        let rested = (0..40).any(|_| {
            play(&mut bench, &draws);
            !bench.set(INTRUSIVE, Action::KEEP_ALL)
        });
        if rested {
            let (queued, before) = (bench.fake.queued.len(), installed(&mut bench));
            (0..4).for_each(|_| play(&mut bench, &draws));
            prop_assert_eq!(bench.fake.queued.len(), queued);
            prop_assert_eq!(installed(&mut bench), before);
        }
    }
}
