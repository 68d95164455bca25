//! Tone mapping: a rational filmic curve relative to its value at the white point, and gamma.

use crate::builder::Builder;
use crate::error::ShaderError;
use crate::instruction::ValueId;
use crate::material::{Material, MaterialBuilder};

pub(super) fn material() -> Result<Material, ShaderError> {
    let mut author = MaterialBuilder::new("tone-map");
    let curve = Curve {
        shoulder: author.f32("shoulder", 0.22),
        linear: author.f32("linear", 0.3),
        angle: author.f32("angle", 0.1),
        toe: author.f32("toe", 0.2),
        toe_top: author.f32("toe.top", 0.01),
        toe_bottom: author.f32("toe.bottom", 0.3),
    };
    let white = author.f32("white", 11.2);
    let stops = author.f32("stops", 1.5);
    let adapted = author.drifting_f32("adapted", 0.5);
    let gamma = author.f32("gamma", 2.2);
    let colour = author.inputs("colour");

    let b = &mut author.builder;
    let (one, epsilon) = (b.f32(1.0), b.f32(1e-6));
    let exposure = b.exp2(stops);
    let exposure = b.mul(exposure, adapted);
    let at_white = curve.at(b, white);
    let scale = b.div(one, at_white);
    let exponent = b.div(one, gamma);
    for component in colour {
        let light = b.abs(component);
        let light = b.mul(light, exposure);
        let mapped = curve.at(b, light);
        let mapped = b.mul(mapped, scale);
        // The base of a power must be positive.
        let mapped = b.max(mapped, epsilon);
        let shown = b.pow(mapped, exponent);
        let shown = b.saturate(shown);
        b.output(shown);
    }
    author.finish()
}

/// `(x (Ax + CB) + DE) / (x (Ax + B) + DF) - E/F`, a common fit of film's density curve.
struct Curve {
    shoulder: ValueId,
    linear: ValueId,
    angle: ValueId,
    toe: ValueId,
    toe_top: ValueId,
    toe_bottom: ValueId,
}

impl Curve {
    fn at(&self, b: &mut Builder, x: ValueId) -> ValueId {
        let slope = b.mul(self.angle, self.linear);
        let (low, high) = (b.mul(self.toe, self.toe_top), b.mul(self.toe, self.toe_bottom));
        let black = b.div(self.toe_top, self.toe_bottom);
        let above = b.fma(self.shoulder, x, slope);
        let above = b.fma(above, x, low);
        let below = b.fma(self.shoulder, x, self.linear);
        let below = b.fma(below, x, high);
        let ratio = b.div(above, below);
        b.sub(ratio, black)
    }
}
