//! One step of a particle, without any subexpression of constants only.

use crate::error::ShaderError;
use crate::material::{Material, MaterialBuilder};

pub(super) fn material() -> Result<Material, ShaderError> {
    let mut author = MaterialBuilder::new("particle-step");
    let step = author.f32("step", 1.0 / 64.0);
    let drag = author.f32("drag", 0.02);
    let wind = author.vector("wind", [0.3, 0.0, -0.1]);
    let gravity = author.vector("gravity", [0.0, -9.81, 0.0]);
    let [position, velocity] = ["position", "velocity"].map(|name| author.inputs(name));
    let b = &mut author.builder;
    for axis in 0..3 {
        let headwind = b.sub(wind[axis], velocity[axis]);
        let force = b.fma(headwind, drag, gravity[axis]);
        let velocity = b.fma(force, step, velocity[axis]);
        let position = b.fma(velocity, step, position[axis]);
        b.output(position);
        b.output(velocity);
    }
    author.finish()
}
