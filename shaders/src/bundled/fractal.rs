//! Fractal noise: octaves of value noise over a plane.

use crate::builder::Builder;
use crate::error::ShaderError;
use crate::instruction::{Trips, ValueId};
use crate::material::{Material, MaterialBuilder};
use crate::word::Type;

const OCTAVES: u32 = 5;

pub(super) fn material() -> Result<Material, ShaderError> {
    let mut author = MaterialBuilder::new("fractal-noise");
    let scale = author.f32("scale", 8.0);
    let persistence = author.f32("persistence", 0.5);
    let lacunarity = author.f32("lacunarity", 2.0);
    let seed = author.u32("seed", 12345);
    let wind = author.drifting_f32("wind", 0.0);
    let b = &mut author.builder;
    let (x, y) = (b.input("x", Type::F32), b.input("y", Type::F32));
    let (x, y) = (b.fma(x, scale, wind), b.mul(y, scale));
    let (zero, one) = (b.f32(0.0), b.f32(1.0));
    let [sum, total, ..] =
        b.repeat(Trips::Constant(OCTAVES), [zero, zero, one, one], |b, octave, [sum, total, amplitude, frequency]| {
            let (x, y) = (b.mul(x, frequency), b.mul(y, frequency));
            let salt = b.xor(octave, seed);
            let noise = noise(b, x, y, salt);
            let sum = b.fma(noise, amplitude, sum);
            let total = b.add(total, amplitude);
            [sum, total, b.mul(amplitude, persistence), b.mul(frequency, lacunarity)]
        });
    let mean = b.div(sum, total);
    b.output(mean);
    author.finish()
}

/// Emits value noise: random values at integer coordinates with smooth interpolation.
fn noise(b: &mut Builder, x: ValueId, y: ValueId, salt: ValueId) -> ValueId {
    let (cell_x, cell_y) = (b.floor(x), b.floor(y));
    let (along, up) = (b.sub(x, cell_x), b.sub(y, cell_y));
    let (along, up) = (smooth(b, along), smooth(b, up));
    let one = b.u32(1);
    let [left, bottom] = [cell_x, cell_y].map(|cell| {
        let cell = b.convert(Type::I32, cell);
        b.bitcast(Type::U32, cell)
    });
    let (right, top) = (b.add(left, one), b.add(bottom, one));
    let [below, above] = [bottom, top].map(|row| {
        let (start, end) = (at(b, left, row, salt), at(b, right, row, salt));
        b.lerp(start, end, along)
    });
    b.lerp(below, above, up)
}

/// Emits `t t (3 - 2 t)`.
fn smooth(b: &mut Builder, t: ValueId) -> ValueId {
    let (minus_two, three) = (b.f32(-2.0), b.f32(3.0));
    let square = b.mul(t, t);
    let rest = b.fma(t, minus_two, three);
    b.mul(square, rest)
}

/// Emits the value of a lattice point, a number from 0 to 1: a multiplicative hash of its coordinates and the salt.
fn at(b: &mut Builder, x: ValueId, y: ValueId, salt: ValueId) -> ValueId {
    let [first, second, third, shift] = [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d, 15].map(|word| b.u32(word));
    let range = b.f32(1.0 / 4_294_967_296.0);
    let x = b.mul(x, first);
    let y = b.mul(y, second);
    let salt = b.mul(salt, third);
    let bits = b.xor(x, y);
    let bits = b.xor(bits, salt);
    let high = b.shr(bits, shift);
    let bits = b.xor(bits, high);
    let bits = b.mul(bits, second);
    let number = b.convert(Type::F32, bits);
    b.mul(number, range)
}
