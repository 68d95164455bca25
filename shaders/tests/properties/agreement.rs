//! Property tests: interpreter, machine code and variants agree, bit for bit.

use std::collections::BTreeMap;

use proptest::prelude::*;
use taut_shaders::{
    Builder, Compiled, Function, Grid, Shader, SlotId, Trips, Type, Unrolling, Word, interpret, specialise,
};

use crate::random::{Choices, choices, function};

const LANES: usize = 12;

/// Generates a function with constants and a grid of hard words.
fn drawn(choices: &mut Choices) -> (Shader, Vec<Word>, Grid) {
    let shader = function(choices).check().expect("the generator draws well-formed functions");
    let constants = choices.words(shader.function().constants.len());
    let inputs = choices.words(LANES * shader.function().inputs.len());
    let grid = Grid::new(&shader, LANES, inputs).expect("the right number of words");
    (shader, constants, grid)
}

/// Selects some of the slots with their values.
fn some_values(choices: &mut Choices, constants: &[Word]) -> BTreeMap<SlotId, Word> {
    let all = (0..).map(SlotId).zip(constants.iter().copied());
    all.filter(|_| choices.below(4) > 0).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn machine_code_gives_what_the_interpreter_gives(list in choices()) {
        let (shader, constants, grid) = drawn(&mut Choices::new(&list));
        let reference = interpret(&shader, &constants, &grid).unwrap();
        let run = Compiled::new(&shader).unwrap().run(&constants, &grid).unwrap();
        prop_assert_eq!(&run, &reference, "{}\n{:?} {:?}", shader, constants, grid);
        prop_assert!(run.executed <= shader.max_executed() * LANES as u64);
    }

    #[test]
    fn a_variant_gives_the_same_bits_whenever_its_guard_holds(list in choices(), instructions in 0usize..400) {
        let mut choices = Choices::new(&list);
        let (shader, mut constants, grid) = drawn(&mut choices);
        let values = some_values(&mut choices, &constants);
        let variant = specialise(&shader, &values, Unrolling { instructions }).unwrap();
        let respecialised = specialise(&shader, &values, Unrolling { instructions }).unwrap();
        prop_assert_eq!(&variant, &respecialised);
        prop_assert!(variant.guard.values().iter().all(|(slot, word)| values.get(slot) == Some(word)));
        let compiled = Compiled::new(&variant.shader).unwrap();
        for _ in 0..3 {
            prop_assert!(variant.guard.holds(&constants));
            let reference = interpret(&shader, &constants, &grid).unwrap();
            let run = interpret(&variant.shader, &constants, &grid).unwrap();
            let context = || format!("{shader}\n{:?}\n{}\n{constants:?} {grid:?}", variant.guard, variant.shader);
            prop_assert_eq!(&run.outputs, &reference.outputs, "{}", context());
            prop_assert_eq!(run.output_hash(), reference.output_hash());
            prop_assert_eq!(&compiled.run(&constants, &grid).unwrap(), &run, "{}", context());
            // Slots that the guard does not test may have any value.
            for (slot, word) in (0..).map(SlotId).zip(&mut constants) {
                if variant.guard.values().iter().all(|(guarded, _)| *guarded != slot) {
                    *word = choices.word();
                }
            }
        }
    }

    #[test]
    fn a_guard_fails_when_one_of_its_slots_differs(list in choices()) {
        let mut choices = Choices::new(&list);
        let (shader, constants, _) = drawn(&mut choices);
        let values = some_values(&mut choices, &constants);
        let variant = specialise(&shader, &values, Unrolling::default()).unwrap();
        for (slot, _) in variant.guard.values() {
            let mut other = constants.clone();
            other[slot.index()].0 ^= 1;
            prop_assert!(!variant.guard.holds(&other));
        }
        prop_assert!(variant.guard.values().is_empty() || !variant.guard.holds(&[]));
    }

    /// A variant has nothing left to fold. Loops are not unrolled the second time: the first specialisation may have
    /// kept one because trips that were removed later had used up the unrolling budget.
    #[test]
    fn a_respecialised_variant_is_unchanged(list in choices()) {
        let mut choices = Choices::new(&list);
        let (shader, constants, _) = drawn(&mut choices);
        let values = some_values(&mut choices, &constants);
        let variant = specialise(&shader, &values, Unrolling::default()).unwrap();
        let respecialised = specialise(&variant.shader, &values, Unrolling { instructions: 0 }).unwrap();
        prop_assert!(respecialised.shader.length() <= variant.shader.length(), "{}\n{}", variant.shader, respecialised.shader);
    }
}

#[test]
fn other_numbers_of_words_are_refused() {
    let shader = function(&mut Choices::new(&[5, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9])).check().unwrap();
    let slots = shader.function().constants.len();
    let grid = Grid::sample(&shader, 3, 0).unwrap();
    let (fits, longer) = (vec![Word(0); slots], vec![Word(0); slots + 1]);
    let compiled = Compiled::new(&shader).unwrap();
    assert!(compiled.run(&fits, &grid).is_ok() && interpret(&shader, &fits, &grid).is_ok());
    assert_eq!(compiled.run(&longer, &grid), interpret(&shader, &longer, &grid));
    assert!(compiled.run(&longer, &grid).is_err());
    assert!(Grid::new(&shader, 3, vec![Word(0)]).is_err());
    let nobody = Grid::sample(&shader, 0, 0).unwrap();
    assert_eq!(compiled.run(&fits, &nobody), interpret(&shader, &fits, &nobody));
    assert!(Grid::sample(&shader, Grid::MAX_LANES + 1, 0).is_err());
    let unknown = BTreeMap::from([(SlotId(slots as u32), Word(0))]);
    assert!(specialise(&shader, &unknown, Unrolling::default()).is_err());
}

#[test]
fn threads_share_compiled_code() {
    let material = taut_shaders::BUNDLED[0].material().unwrap();
    let grid = Grid::sample(&material.shader, 16, 7).unwrap();
    let constants = material.constants(0);
    let expected = interpret(&material.shader, &constants, &grid).unwrap();
    let compiled = Compiled::new(&material.shader).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(compiled.run(&constants, &grid).unwrap(), expected));
        }
    });
}

/// The maximum number of values, all live at once: the largest frame that machine code can need.
#[test]
fn the_largest_function_runs_on_a_small_stack() {
    let mut b = Builder::new("largest");
    let (x, step) = (b.input("x", Type::F32), b.f32(1.5));
    let mut values = vec![x];
    for _ in 0..(Function::MAX_INSTRUCTIONS - 2) / 2 {
        values.push(b.mul(values[values.len() - 1], step));
    }
    let first = values.remove(0);
    let sum = values.into_iter().rev().fold(first, |sum, value| b.add(sum, value));
    b.output(sum);
    let shader = b.finish().unwrap();
    assert_eq!(shader.length(), Function::MAX_INSTRUCTIONS);
    let grid = Grid::sample(&shader, 2, 3).unwrap();
    let compiled = Compiled::new(&shader).unwrap();
    let run = std::thread::Builder::new().stack_size(256 << 10);
    let run = run.spawn({
        let grid = grid.clone();
        move || compiled.run(&[], &grid)
    });
    assert_eq!(run.unwrap().join().unwrap(), interpret(&shader, &[], &grid));
}

/// The specialiser never unrolls a function beyond the limits of the form.
#[test]
fn unrolling_stays_within_the_limits() {
    let mut b = Builder::new("long");
    let (x, factor) = (b.input("x", Type::F32), b.constant("factor", Type::F32));
    let [sum] = b.repeat(Trips::Constant(16000), [x], |b, trip, [sum]| {
        let number = b.convert(Type::F32, trip);
        let scaled = b.mul(number, factor);
        [b.add(sum, scaled)]
    });
    b.output(sum);
    let shader = b.finish().unwrap();
    let values = BTreeMap::from([(SlotId(0), Word::from_f32(0.1))]);
    let constants = [Word::from_f32(0.1)];
    let grid = Grid::sample(&shader, 1, 0).unwrap();
    let reference = interpret(&shader, &constants, &grid).unwrap();
    for instructions in [0, 1000, 64000, usize::MAX] {
        let variant = specialise(&shader, &values, Unrolling { instructions }).unwrap();
        assert_eq!(interpret(&variant.shader, &constants, &grid).unwrap().outputs, reference.outputs);
    }
}
