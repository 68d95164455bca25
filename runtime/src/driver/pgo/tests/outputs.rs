//! Property tests: outputs do not depend on what happens to tasks.

use super::bench::{Draw, DriverBench, quick};
use proptest::prelude::*;
use taut_schemas::{BackgroundProcessingMode as Mode, MeasurementsAction as Action};
use taut_shaders::{BUNDLED, Material};

/// Action between two frames.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// Lets tasks wait.
    Wait,
    /// Runs one of the waiting tasks.
    Run(usize),
    /// Cancels one task.
    Cancel(usize),
    /// Runs all tasks.
    RunAll,
    /// Sets a mode.
    Set(u32, u32),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        Just(Step::Wait),
        any::<usize>().prop_map(Step::Run),
        any::<usize>().prop_map(Step::Cancel),
        Just(Step::RunAll),
        (0..4_u32, 0..4_u32).prop_map(|(mode, action)| Step::Set(mode, action)),
    ]
}

fn frame(materials: &[Material], frame: u32) -> Vec<Draw> {
    let drawn = materials.iter().zip(1..).flat_map(|(material, id)| {
        let scene = material.constants(frame / 16);
        // Some draws differ from others in one constant.
        (0..3_u32).map(move |draw| {
            let mut constants = scene.clone();
            constants[0].0 ^= u32::from(draw == 2);
            (id, 8, constants)
        })
    });
    drawn.collect()
}

fn hashes(materials: &[Material], steps: &[Step], works: bool) -> Vec<u64> {
    let mut bench = DriverBench::of(works.then(quick), Default::default());
    materials.iter().zip(1..).for_each(|(material, id)| bench.create(id, material));
    let mut hashes = Vec::new();
    for (step, nth) in steps.iter().zip(0..) {
        hashes.extend(bench.draw(&frame(materials, nth)).iter().map(|run| run.output_hash));
        let queued = bench.fake.queued.len();
        match *step {
            Step::Run(nth) if queued > 0 => drop(bench.run(nth % queued)),
            Step::Cancel(nth) if queued > 0 => bench.cancel(nth % queued),
            Step::RunAll => drop(bench.run_all()),
            Step::Set(mode, action) => drop(bench.set(Mode(mode), Action(action))),
            _ => {}
        }
    }
    hashes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn b59_outputs_do_not_depend_on_tasks(steps in prop::collection::vec(step(), 24)) {
        let materials: Vec<_> = BUNDLED.iter().map(|bundled| bundled.material().unwrap()).collect();
        let without = hashes(&materials, &steps, false);
        prop_assert_eq!(&hashes(&materials, &steps, true), &without);
        prop_assert_eq!(&hashes(&materials, &vec![Step::RunAll; steps.len()], true), &without);
    }
}

/// Equal calls get equal answers: decisions depend on nothing but the calls.
#[test]
fn decisions_follow_from_calls_alone() {
    let materials: Vec<_> = BUNDLED.iter().map(|bundled| bundled.material().unwrap()).collect();
    let story = || {
        let mut bench = DriverBench::new(quick());
        materials.iter().zip(1..).for_each(|(material, id)| bench.create(id, material));
        let mut answers = Vec::new();
        for nth in 0..40 {
            answers.extend(bench.draw(&frame(&materials, nth)));
            if nth % 3 == 0 {
                bench.run_all();
            }
        }
        let queued: Vec<_> = bench.fake.queued.iter().map(|queued| queued.call.clone()).collect();
        (answers, queued)
    };
    assert_eq!(story(), story());
}
