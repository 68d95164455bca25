//! Tests of the selected shader of a draw.

use super::bench::{DriverBench, quick};
use crate::driver::background_profile::Background;
use taut_schemas::VariantId;
use taut_shaders::{Grid, interpret};

#[test]
fn b72_a_submission_sees_the_variants_as_they_were() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "tone-map");
    let draw = (1, 16, material.constants(0));
    bench.repeat(8, &draw);
    let before = bench.submit(std::slice::from_ref(&draw));
    assert_eq!(bench.run_all(), [VariantId(1)]);
    let after = bench.submit(std::slice::from_ref(&draw));
    let runs = [&before, &after].map(|submitted| submitted.work.run()[0]);
    assert_eq!(runs.map(|run| run.variant), [VariantId::NULL, VariantId(1)]);
    assert_eq!(runs[0].output_hash, runs[1].output_hash);
    assert!(runs[1].executed < runs[0].executed);
}

#[test]
fn b73_a_draw_with_other_constants_is_served_by_the_generic_shader() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "tone-map");
    bench.repeat(8, &(1, 16, material.constants(0)));
    bench.run_all();
    let mut other = material.constants(0);
    other[0].0 ^= 1;
    let submitted = bench.submit(&[(1, 16, material.constants(0)), (1, 16, other.clone())]);
    let [hit, miss] = [submitted.selections[0], submitted.selections[1]];
    assert_eq!((hit.variant, hit.guard_missed), (VariantId(1), false));
    assert_eq!((miss.variant, miss.guard_missed), (VariantId::NULL, true));
    assert!(hit.guard_cost > 0 && miss.guard_cost == hit.guard_cost);
    let run = submitted.work.run()[1];
    let reference = interpret(&material.shader, &other, &Grid::sample(&material.shader, 16, 1).unwrap()).unwrap();
    assert_eq!(run.output_hash, reference.output_hash());
    assert_eq!(run.generic_executed, reference.executed);
    assert_eq!(run.executed, reference.executed + u64::from(miss.guard_cost));
}

/// Older variants are used where newer ones miss; every evaluated guard has a cost.
#[test]
fn b73_the_newest_variant_whose_guard_holds_is_selected() {
    let settings = Background { max_missed_permille: 1000, ..quick() };
    let (mut bench, material) = DriverBench::with(settings, Default::default(), "tone-map");
    let mut other = material.constants(0);
    other[0].0 ^= 1;
    for constants in [material.constants(0), other.clone()] {
        bench.repeat(20, &(1, 16, constants));
        bench.run_all();
    }
    // While the constants changed, a variant was built that leaves the changing slot open.
    assert_eq!(bench.driver_state().pipelines.values().next().unwrap().installed.len(), 3);
    let submitted = bench.submit(&[(1, 16, material.constants(0)), (1, 16, other)]);
    assert_eq!(submitted.selections[0].variant, VariantId(2));
    assert_eq!(submitted.selections[1].variant, VariantId(3));
    assert!(submitted.selections[0].guard_missed && !submitted.selections[1].guard_missed);
    assert!(submitted.selections[0].guard_cost > submitted.selections[1].guard_cost);
}
