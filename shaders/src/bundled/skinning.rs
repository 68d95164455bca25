//! Skinning: a vertex moved by up to four bones of a palette.

use crate::builder::Builder;
use crate::error::ShaderError;
use crate::instruction::{SlotId, ValueId};
use crate::material::{Material, MaterialBuilder};
use crate::math::Vector;
use crate::word::Type;

const BONES: u32 = 8;
const INFLUENCES: u32 = 4;

pub(super) fn material() -> Result<Material, ShaderError> {
    let mut author = MaterialBuilder::new("skinning");
    let influences = author.u32("influences", 2);
    let rows: [[SlotId; 4]; 3] = std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            // Bones at the begin of the animation: at rest, next to each other.
            let at_rest = |bone: u32| match column {
                3 => bone as f32 * 0.25,
                _ => f32::from(u8::from(row == column)),
            };
            author.table(&format!("bone.{row}.{column}"), &(0..BONES).map(at_rest).collect::<Vec<_>>(), true)
        })
    });
    let position = author.inputs("position");
    let b = &mut author.builder;
    let weighted: Vec<_> = (0..INFLUENCES)
        .map(|nth| (b.input(&format!("bone.{nth}"), Type::U32), b.input(&format!("weight.{nth}"), Type::F32)))
        .collect();

    let zero = b.f32(0.0);
    let mut sum = [zero; 3];
    for (nth, (bone, weight)) in (0..).zip(weighted) {
        let last = b.u32(BONES - 1);
        let bone = b.and(bone, last);
        let moved = rows.map(|row| transform(b, row, bone, position));
        let nth = b.u32(nth);
        let has_influence = b.lt(nth, influences);
        sum = std::array::from_fn(|axis| {
            let with = b.fma(moved[axis], weight, sum[axis]);
            b.select(has_influence, with, sum[axis])
        });
    }
    sum.into_iter().for_each(|component| b.output(component));
    author.finish()
}

/// Emits one component of the position after a bone's transform.
fn transform(b: &mut Builder, row: [SlotId; 4], bone: ValueId, position: Vector) -> ValueId {
    let [x, y, z, translation] = row.map(|slot| b.load_at(slot, BONES, bone));
    let sum = b.fma(x, position[0], translation);
    let sum = b.fma(y, position[1], sum);
    b.fma(z, position[2], sum)
}
