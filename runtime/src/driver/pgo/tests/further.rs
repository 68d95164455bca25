//! Tests of levels, branches, subsets and estimates.

use super::bench::{DriverBench, quick};
use crate::driver::background_profile::Background;
use crate::driver::faults::Faults;
use taut_schemas::{BackgroundProcessingMode as Mode, MeasurementsAction as Action, VariantChange, VariantId};
use taut_shaders::{Builder, CompareOp, Shader, Trips, Type, Word};

fn further() -> Background {
    Background { levels: 2, split_ways: 4, subset_retries: 2, min_saving_permille: 10, ..quick() }
}

fn bench(background: Background, shader: &Shader) -> DriverBench {
    let mut bench = DriverBench::new(background);
    bench.create_of(1, serde_json::to_vec(shader).unwrap()).unwrap();
    bench
}

/// Returns a shader with twelve trips of some 190 instructions, too many for the first level; most trips are switched
/// off, so that the second level has room for them. Each remaining trip has a weight of its own.
fn long_loop() -> Shader {
    let mut builder = Builder::new("long-loop");
    let detail = builder.constant("detail", Type::Bool);
    let weights = builder.constants("weight", Type::F32, 12);
    let x = builder.input("x", Type::F32);
    let zero = builder.f32(0.0);
    let [sum] = builder.repeat(Trips::Constant(12), [zero], |builder, trip, [sum]| {
        let weight = builder.load_at(weights, 12, trip);
        let mut fine = x;
        for _ in 0..180 {
            fine = builder.mul(fine, weight);
        }
        let value = builder.select(detail, fine, x);
        let scaled = builder.mul(weight, weight);
        [builder.fma(value, scaled, sum)]
    });
    builder.output(sum);
    builder.finish().unwrap()
}

fn long_loop_constants() -> Vec<Word> {
    let weights = (0..12).map(|nth| Word::from_f32(nth as f32 / 8.0));
    std::iter::once(Word::from_bool(false)).chain(weights).collect()
}

#[test]
fn a_loop_that_the_first_level_leaves_is_unrolled_by_the_second() {
    let mut bench = bench(further(), &long_loop());
    let draw = (1, 64, long_loop_constants());
    let mut costs = Vec::new();
    for _ in 0..40 {
        bench.repeat(4, &draw);
        bench.run_all();
        costs.push(bench.draw(std::slice::from_ref(&draw))[0].executed);
    }
    costs.dedup();
    assert_eq!(costs.len(), 3, "generic, first level, second level: {costs:?}");
    assert!(costs.windows(2).all(|pair| pair[1] < pair[0]), "{costs:?}");
    assert_eq!(bench.fake.queued.len(), 2);
    assert!(!bench.set(Mode::ALLOWED, Action::KEEP_ALL) || !bench.set(Mode::ALLOWED, Action::KEEP_ALL));
}

#[test]
fn a_driver_of_one_level_leaves_it() {
    let mut bench = bench(Background { levels: 1, ..further() }, &long_loop());
    for _ in 0..40 {
        bench.repeat(4, &(1, 64, long_loop_constants()));
        bench.run_all();
    }
    assert_eq!(bench.fake.queued.len(), 1);
}

/// Returns a shader of two materials: the slot `kind` selects one, and each has a weight of its own.
fn two_materials() -> Shader {
    let mut builder = Builder::new("two-materials");
    let [kind, weight] = [("kind", Type::U32), ("weight", Type::F32)].map(|(name, ty)| builder.constant(name, ty));
    let x = builder.input("x", Type::F32);
    let one = builder.u32(1);
    let is_first = builder.compare(CompareOp::Eq, kind, one);
    let (mut first, mut second) = (x, x);
    for _ in 0..30 {
        first = builder.mul(first, x);
        second = builder.add(second, x);
    }
    let scale = (0..6).fold(weight, |scale, _| builder.mul(scale, weight));
    let chosen = builder.select(is_first, first, second);
    let out = builder.mul(chosen, scale);
    builder.output(out);
    builder.finish().unwrap()
}

fn material(kind: u32, weight: f32) -> Vec<Word> {
    vec![Word(kind), Word::from_f32(weight)]
}

#[test]
fn two_materials_of_one_pipeline_state_share_a_guard_tree() {
    let mut bench = bench(further(), &two_materials());
    let (one, other) = ((1, 64, material(1, 3.0)), (1, 64, material(2, 5.0)));
    for _ in 0..30 {
        bench.draw(&[one.clone(), other.clone()]);
        bench.run_all();
    }
    let submitted = bench.submit(&[one, other, (1, 64, material(1, 4.0)), (1, 64, material(7, 3.0))]);
    let [first, second, guard_fails, no_branch] = submitted.selections[..] else { panic!("four draws") };
    assert!(first.variant != VariantId::NULL && second.variant != VariantId::NULL);
    assert_ne!(first.variant, second.variant);
    // A load, a comparison per tested branch, and the weight; no guard of the other branch.
    assert_eq!((first.guard_cost, second.guard_cost), (4, 5));
    assert!(!first.guard_missed && !second.guard_missed);
    assert_eq!((guard_fails.variant, guard_fails.guard_cost, guard_fails.guard_missed), (VariantId::NULL, 4, true));
    assert_eq!((no_branch.variant, no_branch.guard_cost, no_branch.guard_missed), (VariantId::NULL, 3, false));
    assert_eq!(bench.fake.queued.len(), 2, "{:?}", bench.specialisations());
    bench.complete(&submitted);
}

#[test]
fn a_driver_that_trusts_the_root_gives_another_materials_outputs() {
    let faults = Faults { trusts_the_root: true, ..Faults::default() };
    let mut bench = DriverBench::of(Some(further()), faults);
    bench.create_of(1, serde_json::to_vec(&two_materials()).unwrap()).unwrap();
    for _ in 0..30 {
        bench.draw(&[(1, 64, material(1, 3.0)), (1, 64, material(2, 5.0))]);
        bench.run_all();
    }
    let run = bench.submit(&[(1, 64, material(1, 4.0))]).work.run()[0];
    assert_ne!(run.output_hash, run.generic_output_hash);
}

#[test]
fn one_commit_finds_both_materials() {
    let mut bench = bench(further(), &two_materials());
    bench.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    for _ in 0..4 {
        bench.draw(&[(1, 64, material(1, 3.0)), (1, 64, material(2, 5.0))]);
    }
    assert!(bench.set(Mode::ALLOWED, Action::COMMIT_RESULTS));
    assert_eq!(bench.run_all().len(), 2);
}

#[test]
fn a_slot_with_changing_values_selects_no_branch() {
    let mut bench = bench(further(), &two_materials());
    for frame in 0..60 {
        bench.repeat(3, &(1, 64, material(2, frame as f32)));
        bench.run_all();
    }
    let keys = bench.specialisations();
    assert!(keys.iter().all(|(_, slots, _)| slots == &[0]), "the weight has another value in each frame: {keys:?}");
}

/// Returns a shader with a switch that saves much at one lane, and pairs whose guards cost twice what they save.
fn mixed() -> Shader {
    let mut builder = Builder::new("mixed");
    let on = builder.constant("on", Type::Bool);
    let pairs: Vec<_> = (0..16).map(|nth| builder.constant(&format!("factor.{nth}"), Type::F32)).collect();
    let x = builder.input("x", Type::F32);
    let heavy = (0..12).fold(x, |heavy, _| builder.mul(heavy, x));
    let chosen = builder.select(on, heavy, x);
    let sum = pairs.chunks(2).fold(chosen, |sum, pair| {
        let product = builder.mul(pair[0], pair[1]);
        builder.fma(product, x, sum)
    });
    builder.output(sum);
    builder.finish().unwrap()
}

#[test]
fn what_lost_is_tried_with_the_slots_that_are_worth_asking_for() {
    let factors = (0..16).map(|nth| Word::from_f32(nth as f32 + 2.0));
    let constants: Vec<Word> = std::iter::once(Word::from_bool(false)).chain(factors).collect();
    let with = |subset_retries| {
        let mut bench = bench(Background { subset_retries, min_saving_permille: 0, levels: 1, ..further() }, &mixed());
        for _ in 0..40 {
            bench.repeat(4, &(1, 1, constants.clone()));
            bench.run_all();
        }
        bench
    };
    let (never, retried) = (with(0), with(2));
    let widths = |bench: &DriverBench| bench.fake.queued.iter().map(|one| one.call.slots.len()).collect::<Vec<_>>();
    assert_eq!(widths(&never), [17]);
    let [17, fewer] = widths(&retried)[..] else { panic!("{:?}", widths(&retried)) };
    assert_eq!(fewer, 1);
    let changes: Vec<_> = retried.fake.reports.iter().map(|(_, change)| *change).collect();
    assert_eq!(changes, [VariantChange::INSTALLED, VariantChange::SLOWER, VariantChange::INSTALLED]);
}

#[test]
fn a_promise_of_nothing_is_not_compiled() {
    let mut builder = Builder::new("nothing");
    let weight = builder.constant("weight", Type::F32);
    let x = builder.input("x", Type::F32);
    let twice = builder.mul(weight, weight);
    let out = (0..400).fold(x, |out, _| builder.mul(out, x));
    let out = builder.mul(out, twice);
    builder.output(out);
    let shader = builder.finish().unwrap();
    let queued = |min_saving_permille| {
        let mut bench = bench(Background { min_saving_permille, levels: 1, ..further() }, &shader);
        for _ in 0..20 {
            bench.repeat(4, &(1, 64, vec![Word::from_f32(3.0)]));
            bench.run_all();
        }
        let settled = !bench.set(Mode::ALLOWED, Action::KEEP_ALL) || !bench.set(Mode::ALLOWED, Action::KEEP_ALL);
        assert!(settled, "what is refused is not desired");
        (
            bench.fake.queued.len(),
            bench.fake.reports.iter().filter(|report| report.1 == VariantChange::ESTIMATED).count(),
        )
    };
    assert_eq!(queued(10), (0, 1), "of 404 instructions one goes");
    assert_eq!(queued(0), (1, 0));
}

#[test]
fn the_first_answer_that_desires_no_more_is_true() {
    for (shader, constants) in
        [(long_loop(), vec![long_loop_constants()]), (two_materials(), vec![material(1, 3.0), material(2, 5.0)])]
    {
        let mut bench = bench(further(), &shader);
        let frame: Vec<_> = constants.iter().map(|constants| (1, 64, constants.clone())).collect();
        let mut passes = 0;
        loop {
            (0..3).for_each(|_| drop(bench.draw(&frame)));
            bench.run_all();
            passes += 1;
            if !bench.set(Mode::ALLOWED, Action::KEEP_ALL) {
                break;
            }
            assert!(passes < 200, "it comes to rest");
        }
        let found = |bench: &DriverBench| {
            let changes = bench.fake.reports.iter().filter(|(_, change)| *change != VariantChange::ESTIMATED);
            (bench.fake.queued.len(), changes.count())
        };
        let before = found(&bench);
        assert!(before.0 >= 2, "{before:?}");
        for _ in 0..passes * 12 {
            bench.draw(&frame);
            bench.run_all();
        }
        assert_eq!(found(&bench), before);
    }
}

#[test]
fn former_profiles_do_none_of_it() {
    let former = Background::default();
    assert!(!former.searches_beyond_one_specialisation() && former.levels == 1 && former.split_ways == 1);
    let mut bench = bench(quick(), &two_materials());
    for _ in 0..30 {
        bench.draw(&[(1, 64, material(1, 3.0)), (1, 64, material(2, 5.0))]);
        bench.run_all();
    }
    assert!(bench.fake.queued.is_empty());
}
