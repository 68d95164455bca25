//! Final step of an exposure measurement: a weighted mean of a few values, in one lane.

use crate::error::ShaderError;
use crate::instruction::ValueId;
use crate::material::{Material, MaterialBuilder};
use crate::word::Type;

const BINS: usize = 16;

pub(super) fn material() -> Result<Material, ShaderError> {
    let mut author = MaterialBuilder::new("exposure-resolve");
    author.lanes = 1;
    let first = author.f32("weight.0", 1.0);
    let others: Vec<ValueId> =
        (1..BINS).map(|bin| author.f32(&format!("weight.{bin}"), 1.0 + bin as f32 / 16.0)).collect();
    let speed = author.drifting_f32("speed", 0.1);
    let b = &mut author.builder;
    let (measured, before) = (b.input("measured", Type::F32), b.input("before", Type::F32));
    let total = others.into_iter().fold(first, |sum, weight| b.add(sum, weight));
    let mean = b.div(measured, total);
    let exposure = b.lerp(before, mean, speed);
    b.output(exposure);
    author.finish()
}
