//! Tests of the accuracy of the polynomials.

use proptest::prelude::*;
use taut_shaders::{Builder, Grid, Type, ValueId, Word, interpret};

/// Evaluates `function` of `x` in the interpreter.
fn of(x: f32, function: impl FnOnce(&mut Builder, ValueId) -> ValueId) -> f64 {
    let mut builder = Builder::new("math");
    let input = builder.input("x", Type::F32);
    let result = function(&mut builder, input);
    builder.output(result);
    let shader = builder.finish().unwrap();
    let grid = Grid::new(&shader, 1, vec![Word::from_f32(x)]).unwrap();
    f64::from(interpret(&shader, &[], &grid).unwrap().outputs[0].f32())
}

proptest! {
    #[test]
    fn floor_is_exact(bits: u32) {
        let x = f32::from_bits(bits);
        let (ours, theirs) = (of(x, Builder::floor), f64::from(x.floor()));
        prop_assert!(ours == theirs || x.is_nan() && ours.is_nan(), "{x}: {ours} {theirs}");
    }

    #[test]
    fn exp2_has_a_relative_error_below_a_millionth(x in -126f32..127.0) {
        let (ours, theirs) = (of(x, Builder::exp2), f64::from(x).exp2());
        prop_assert!((ours / theirs - 1.0).abs() < 1e-6, "{x}: {ours} {theirs}");
    }

    #[test]
    fn log2_has_a_small_error(bits in 0x0080_0000u32..0x7f80_0000) {
        let x = f32::from_bits(bits);
        let (ours, theirs) = (of(x, Builder::log2), f64::from(x).log2());
        prop_assert!((ours - theirs).abs() < 1e-6 + theirs.abs() * 1.2e-7, "{x}: {ours} {theirs}");
    }

    #[test]
    fn sine_has_an_error_below_a_hundred_thousandth(x in -100f32..100.0) {
        let (ours, theirs) = (of(x, Builder::sin), f64::from(x).sin());
        prop_assert!((ours - theirs).abs() < 1e-5, "{x}: {ours} {theirs}");
    }

    #[test]
    fn saturate_takes_nan_to_zero(bits: u32) {
        let x = f32::from_bits(bits);
        let expected = if x.is_nan() { 0.0 } else { f64::from(x.clamp(0.0, 1.0)) };
        prop_assert_eq!(of(x, Builder::saturate), expected);
    }
}
