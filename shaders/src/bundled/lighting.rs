//! Forward lighting: Blinn-Phong highlights, point lights, fog.

use crate::builder::Builder;
use crate::error::ShaderError;
use crate::instruction::{SlotId, Trips, ValueId};
use crate::material::{Material, MaterialBuilder};
use crate::math::Vector;

const MAX_LIGHTS: u32 = 4;

pub(super) fn material() -> Result<Material, ShaderError> {
    let mut author = MaterialBuilder::new("lighting");
    let lights = Lights::declare(&mut author);
    let camera = ["camera.x", "camera.y", "camera.z"].map(|name| author.drifting_f32(name, 2.0));
    let ambient = author.vector("ambient", [0.03, 0.03, 0.05]);
    let diffuse = author.vector("diffuse", [0.8, 0.7, 0.6]);
    let highlights = Highlights {
        enabled: author.bool("highlights.enabled", false),
        strength: author.f32("highlights.strength", 0.5),
        exponent: author.f32("highlights.exponent", 32.0),
    };
    let fog_enabled = author.bool("fog.enabled", false);
    let fog_density = author.f32("fog.density", 0.05);
    let fog_colour = author.vector("fog.colour", [0.5, 0.6, 0.7]);
    let [position, normal, albedo] = ["position", "normal", "albedo"].map(|name| author.inputs(name));

    let b = &mut author.builder;
    let normal = b.normalize(normal);
    let to_camera = b.each(camera, position, Builder::sub);
    let view = b.normalize(to_camera);
    let base = b.each(albedo, diffuse, Builder::mul);
    let start = b.each(base, ambient, Builder::mul);
    let trips = Trips::Dynamic { count: lights.count, bound: MAX_LIGHTS };
    let lit = b.repeat(trips, start, |b, index, sum| {
        let place = lights.place.map(|slot| b.load_at(slot, MAX_LIGHTS, index));
        let colour = lights.colour.map(|slot| b.load_at(slot, MAX_LIGHTS, index));
        let (to_light, brightness) = lights.fall(b, place, position, normal);
        let highlight = highlights.shine(b, to_light, view, normal);
        let reflected = base.map(|component| b.fma(component, brightness, highlight));
        std::array::from_fn(|axis| b.fma(reflected[axis], colour[axis], sum[axis]))
    });
    let square = b.dot(to_camera, to_camera);
    let distance = b.sqrt(square);
    let thickness = b.mul(distance, fog_density);
    let thickness = b.neg(thickness);
    let clear = b.exp2(thickness);
    for axis in 0..3 {
        let fogged = b.lerp(fog_colour[axis], lit[axis], clear);
        let colour = b.select(fog_enabled, fogged, lit[axis]);
        let shown = b.saturate(colour);
        b.output(shown);
    }
    author.finish()
}

struct Lights {
    count: ValueId,
    place: [SlotId; 3],
    colour: [SlotId; 3],
    falloff: ValueId,
}

impl Lights {
    fn declare(author: &mut MaterialBuilder) -> Self {
        Self {
            count: author.u32("lights.count", 2),
            place: [
                author.table("lights.x", &[4.0, -3.0, 0.0, 9.0], false),
                author.table("lights.y", &[5.0, 2.0, 8.0, 1.0], false),
                author.table("lights.z", &[-1.0, 6.0, 0.0, 2.0], false),
            ],
            colour: [
                author.table("lights.red", &[1.0, 0.2, 0.0, 0.4], false),
                author.table("lights.green", &[0.9, 0.3, 0.0, 0.4], false),
                author.table("lights.blue", &[0.7, 0.9, 0.0, 0.1], false),
            ],
            falloff: author.f32("lights.falloff", 0.1),
        }
    }

    /// Emits the direction to a light and the brightness it causes.
    fn fall(&self, b: &mut Builder, place: Vector, position: Vector, normal: Vector) -> (Vector, ValueId) {
        let (zero, one) = (b.f32(0.0), b.f32(1.0));
        let way = b.each(place, position, Builder::sub);
        let to_light = b.normalize(way);
        let cosine = b.dot(normal, to_light);
        let cosine = b.max(cosine, zero);
        let square = b.dot(way, way);
        let spread = b.fma(square, self.falloff, one);
        (to_light, b.div(cosine, spread))
    }
}

struct Highlights {
    enabled: ValueId,
    strength: ValueId,
    exponent: ValueId,
}

impl Highlights {
    fn shine(&self, b: &mut Builder, to_light: Vector, view: Vector, normal: Vector) -> ValueId {
        // The base of a power must be positive.
        let (zero, epsilon) = (b.f32(0.0), b.f32(1e-6));
        let between = b.each(to_light, view, Builder::add);
        let half = b.normalize(between);
        let cosine = b.dot(normal, half);
        let cosine = b.max(cosine, epsilon);
        let power = b.pow(cosine, self.exponent);
        let shine = b.mul(power, self.strength);
        b.select(self.enabled, shine, zero)
    }
}
