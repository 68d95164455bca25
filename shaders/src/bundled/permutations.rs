//! One shader with all features: each is computed and then selected by a constant.

use crate::builder::Builder;
use crate::error::ShaderError;
use crate::instruction::ValueId;
use crate::material::{Material, MaterialBuilder};
use crate::word::Type;

pub(super) fn material() -> Result<Material, ShaderError> {
    let mut author = MaterialBuilder::new("permutations");
    let features = ["two-sided", "rim", "pulse", "desaturate", "alpha-test"];
    let [two_sided, rim, pulse, desaturate, alpha_test] =
        features.map(|feature| author.bool(&format!("has.{feature}"), matches!(feature, "desaturate" | "two-sided")));
    let rim_exponent = author.f32("rim.exponent", 3.0);
    let rim_colour = author.vector("rim.colour", [0.2, 0.4, 1.0]);
    let time = author.drifting_f32("time", 0.0);
    let pulse_rate = author.f32("pulse.rate", 6.5);
    let grey = author.f32("desaturation", 0.25);
    let cutoff = author.f32("alpha.cutoff", 0.5);
    let [normal, view, colour] = ["normal", "view", "colour"].map(|name| author.inputs(name));
    let b = &mut author.builder;
    let alpha = b.input("alpha", Type::F32);

    let (normal, view) = (b.normalize(normal), b.normalize(view));
    let facing = b.dot(normal, view);
    let turned = b.abs(facing);
    let facing = b.select(two_sided, turned, facing);
    let glow = rim_glow(b, facing, rim_exponent);
    let beat = {
        let phase = b.mul(time, pulse_rate);
        let wave = b.sin(phase);
        let (half, one) = (b.f32(0.5), b.f32(1.0));
        let beat = b.fma(wave, half, half);
        b.select(pulse, beat, one)
    };
    let mut shown = colour.map(|component| b.mul(component, facing));
    for axis in 0..3 {
        let rimmed = b.fma(rim_colour[axis], glow, shown[axis]);
        let chosen = b.select(rim, rimmed, shown[axis]);
        shown[axis] = b.mul(chosen, beat);
    }
    // ITU-R BT.709.
    let weights = [0.2126, 0.7152, 0.0722].map(|weight| b.f32(weight));
    let luminance = b.dot(shown, weights);
    for component in shown {
        let greyed = b.lerp(component, luminance, grey);
        let chosen = b.select(desaturate, greyed, component);
        b.output(chosen);
    }
    let visible = b.ge(alpha, cutoff);
    let always = b.bool(true);
    let is_visible = b.select(alpha_test, visible, always);
    b.output(is_visible);
    author.finish()
}

/// Emits rim light.
fn rim_glow(b: &mut Builder, facing: ValueId, exponent: ValueId) -> ValueId {
    let (one, epsilon) = (b.f32(1.0), b.f32(1e-6));
    let edge = b.sub(one, facing);
    // The base of a power must be positive.
    let edge = b.max(edge, epsilon);
    b.pow(edge, exponent)
}
