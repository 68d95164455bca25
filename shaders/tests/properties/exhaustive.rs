//! Every operation on every pair of hard words: in the interpreter, in machine code, and with either operand known.

use std::collections::BTreeMap;

use taut_shaders::{
    BinaryOp, Builder, CompareOp, Compiled, Grid, Shader, SlotId, Type, UnaryOp, Unrolling, ValueId, Word, interpret,
    specialise,
};

use crate::random::HARD;

const INTEGERS: [Type; 2] = [Type::I32, Type::U32];
const NUMBERS: [Type; 3] = [Type::F32, Type::I32, Type::U32];
const ALL: [Type; 4] = [Type::F32, Type::I32, Type::U32, Type::Bool];

/// Source of an operand.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Source {
    Input,
    Slot,
}

/// Returns a shader of `operation` with operands of these types from these sources.
fn shader(operands: &[(Type, Source)], operation: &dyn Fn(&mut Builder, &[ValueId]) -> ValueId) -> Shader {
    let mut b = Builder::new("operation");
    let values: Vec<ValueId> = operands
        .iter()
        .map(|(ty, source)| if *source == Source::Input { b.input("operand", *ty) } else { b.constant("operand", *ty) })
        .collect();
    let result = operation(&mut b, &values);
    b.output(result);
    b.finish().unwrap()
}

/// Returns all lists of `count` hard words.
fn lists(count: usize) -> Vec<Vec<Word>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |list: &Vec<Word>| HARD.map(|word| [list.as_slice(), &[Word(word)]].concat());
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// Tests the operation with all operands unknown, and with each known while the others take all values.
fn holds(what: &str, types: &[Type], operation: &dyn Fn(&mut Builder, &[ValueId]) -> ValueId) {
    let lanes = lists(types.len());
    // All combinations of three operands exceed a grid; every seventh is used.
    let lanes: Vec<Vec<Word>> = lanes.into_iter().step_by(if types.len() > 2 { 7 } else { 1 }).collect();
    let generic = shader(&types.iter().map(|ty| (*ty, Source::Input)).collect::<Vec<_>>(), operation);
    let grid = Grid::new(&generic, lanes.len(), lanes.concat()).unwrap();
    let reference = interpret(&generic, &[], &grid).unwrap();
    assert_eq!(Compiled::new(&generic).unwrap().run(&[], &grid).unwrap(), reference, "{what}");
    for known in 0..types.len() {
        let source = |nth| if nth == known { Source::Slot } else { Source::Input };
        let operands: Vec<_> = types.iter().enumerate().map(|(nth, ty)| (*ty, source(nth))).collect();
        let partial = shader(&operands, operation);
        for word in HARD.map(Word) {
            let variant = specialise(&partial, &BTreeMap::from([(SlotId(0), word)]), Unrolling::default()).unwrap();
            let (at, expected): (Vec<&Vec<Word>>, Vec<Word>) =
                lanes.iter().zip(&reference.outputs).filter(|(list, _)| list[known] == word).unzip();
            let inputs = at.iter().flat_map(|list| [&list[..known], &list[known + 1..]].concat()).collect();
            let grid = Grid::new(&partial, at.len(), inputs).unwrap();
            let run = interpret(&variant.shader, &[word], &grid).unwrap();
            assert_eq!(run.outputs, expected, "{what}, operand {known} is {word:?}\n{}", variant.shader);
        }
    }
    // The same value as every operand.
    let mut b = Builder::new("twins");
    let twin = b.input("twin", types[types.len() - 1]);
    if types.iter().all(|ty| *ty == types[0]) {
        let result = operation(&mut b, &vec![twin; types.len()]);
        b.output(result);
        let shader = b.finish().unwrap();
        let grid = Grid::new(&shader, HARD.len(), HARD.map(Word).to_vec()).unwrap();
        let variant = specialise(&shader, &BTreeMap::new(), Unrolling::default()).unwrap();
        let outputs = |shader: &Shader| interpret(shader, &[], &grid).unwrap().outputs;
        assert_eq!(outputs(&variant.shader), outputs(&shader), "{what} of twins");
    }
}

#[test]
fn operations_on_one_value() {
    for (op, types) in [
        (UnaryOp::Neg, &[Type::F32, Type::I32][..]),
        (UnaryOp::Abs, &[Type::F32, Type::I32]),
        (UnaryOp::Sqrt, &[Type::F32]),
        (UnaryOp::Not, &[Type::I32, Type::U32, Type::Bool]),
    ] {
        for ty in types {
            holds(&format!("{op:?} {ty}"), &[*ty], &|b, operands| b.unary(op, operands[0]));
        }
    }
}

#[test]
fn conversions_and_casts() {
    for from in ALL {
        for to in NUMBERS.into_iter().filter(|to| *to != from) {
            holds(&format!("convert {from} {to}"), &[from], &|b, operands| b.convert(to, operands[0]));
            if from != Type::Bool {
                holds(&format!("bitcast {from} {to}"), &[from], &|b, operands| b.bitcast(to, operands[0]));
            }
        }
    }
}

#[test]
fn operations_on_two_values() {
    use BinaryOp::{Add, And, Div, Max, Min, Mul, Or, Shl, Shr, Sub, Xor};
    for (op, types) in [Add, Sub, Mul, Min, Max]
        .map(|op| (op, &NUMBERS[..]))
        .into_iter()
        .chain([(Div, &[Type::F32][..])])
        .chain([And, Or, Xor].map(|op| (op, &ALL[1..])))
        .chain([Shl, Shr].map(|op| (op, &INTEGERS[..])))
    {
        for ty in types {
            let operation = |b: &mut Builder, operands: &[ValueId]| b.binary(op, operands[0], operands[1]);
            holds(&format!("{op:?} {ty}"), &[*ty; 2], &operation);
        }
    }
}

#[test]
fn comparisons() {
    use CompareOp::{Eq, Ge, Gt, Le, Lt, Ne};
    for op in [Eq, Ne, Lt, Le, Gt, Ge] {
        for ty in ALL.into_iter().filter(|ty| *ty != Type::Bool || matches!(op, Eq | Ne)) {
            let operation = |b: &mut Builder, operands: &[ValueId]| b.compare(op, operands[0], operands[1]);
            holds(&format!("{op:?} {ty}"), &[ty; 2], &operation);
        }
    }
}

#[test]
fn operations_on_three_values() {
    holds("fma", &[Type::F32; 3], &|b, operands| b.fma(operands[0], operands[1], operands[2]));
    for ty in ALL {
        let select = |b: &mut Builder, operands: &[ValueId]| b.select(operands[0], operands[1], operands[2]);
        holds(&format!("select {ty}"), &[Type::Bool, ty, ty], &select);
    }
}
