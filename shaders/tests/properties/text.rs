//! Tests of the text form of functions.

use std::collections::BTreeMap;

use taut_shaders::{Builder, Bundled, SlotId, Trips, Type, Unrolling, Word, specialise};

#[test]
fn a_function_of_every_instruction() {
    let mut b = Builder::new("every-instruction");
    let table = b.constants("table", Type::F32, 3);
    let (count, flag) = (b.constant("count", Type::U32), b.constant("flag", Type::Bool));
    let (x, steps) = (b.input("x", Type::F32), b.input("steps", Type::I32));
    let nan = b.f32(f32::NAN);
    let low = b.i32(-7);
    let shifted = b.shl(steps, low);
    let number = b.convert(Type::F32, shifted);
    let bits = b.bitcast(Type::U32, number);
    let [sum, same] = b.repeat(Trips::Dynamic { count, bound: 4 }, [x, nan], |b, index, [sum, same]| {
        let [element] = b.repeat(Trips::Constant(2), [sum], |b, inner, [element]| {
            let at = b.add(index, inner);
            let loaded = b.load_at(table, 3, at);
            [b.fma(loaded, element, sum)]
        });
        [b.max(element, same), same]
    });
    let root = b.sqrt(sum);
    let negative = b.neg(root);
    let first = b.load(SlotId(1));
    let less = b.lt(negative, first);
    let both = b.and(less, flag);
    let chosen = b.select(both, same, root);
    [chosen, bits].into_iter().for_each(|value| b.output(value));
    let shader = b.finish().unwrap();
    insta::assert_snapshot!("every_instruction", shader.to_string());
    let values = BTreeMap::from([(SlotId(0), Word::from_f32(0.5)), (SlotId(3), Word(2)), (SlotId(4), Word(0))]);
    let variant = specialise(&shader, &values, Unrolling::default()).unwrap();
    insta::assert_snapshot!("every_instruction_specialised", format!("{:?}\n{}", variant.guard, variant.shader));
}

#[test]
fn tone_mapping_and_its_variant() {
    let material = Bundled::named("tone-map").unwrap().material().unwrap();
    let variant = specialise(&material.shader, &material.stable(), Unrolling::default()).unwrap();
    insta::assert_snapshot!("tone_map", material.shader.to_string());
    insta::assert_snapshot!("tone_map_specialised", variant.shader.to_string());
}

#[test]
fn what_a_trace_header_carries() {
    let mut b = Builder::new("header");
    let (scale, x) = (b.constant("scale", Type::F32), b.input("x", Type::F32));
    let scaled = b.mul(scale, x);
    b.output(scaled);
    insta::assert_snapshot!(serde_json::to_string_pretty(&b.finish().unwrap()).unwrap());
}

#[test]
fn mistakes_in_a_builder_are_reported() {
    let mut b = Builder::new("leaks");
    let one = b.f32(1.0);
    let mut leaked = one;
    let [_] = b.repeat(Trips::Constant(2), [one], |b, _, [sum]| {
        leaked = b.add(sum, one);
        [leaked]
    });
    b.output(leaked);
    insta::assert_snapshot!(b.finish().unwrap_err());
}
