//! Property tests: the checker rejects ill-formed functions, and every accepted one can be run.

use proptest::prelude::*;
use taut_shaders::{
    BinaryOp, Compiled, Declaration, Function, Grid, InputId, Instruction, Shader, ShaderError, SlotId, Trips, Type,
    Unrolling, ValueId, Word, interpret, specialise,
};

use crate::random::{Choices, choices, function};

/// Runs a shader in every possible way; nothing may panic, and all results must agree.
fn run_everywhere(shader: &Shader, choices: &mut Choices) {
    let constants = choices.words(shader.function().constants.len());
    let grid = Grid::new(shader, 2, choices.words(2 * shader.function().inputs.len())).unwrap();
    let reference = interpret(shader, &constants, &grid).unwrap();
    assert_eq!(Compiled::new(shader).unwrap().run(&constants, &grid).unwrap(), reference, "{shader}");
    let values = (0..).map(SlotId).zip(constants.iter().copied()).collect();
    let variant = specialise(shader, &values, Unrolling::default()).unwrap();
    assert_eq!(interpret(&variant.shader, &constants, &grid).unwrap().outputs, reference.outputs, "{shader}");
}

/// Changes one item; most changes make the function ill-formed.
fn edit(function: &mut Function, choices: &mut Choices) {
    let at = choices.below(function.body.len().max(1));
    let near = |id: u32, choices: &mut Choices| id.wrapping_add(choices.next() % 7).wrapping_sub(3);
    match choices.below(8) {
        0 => drop(function.body.get(at).is_some().then(|| function.body.remove(at))),
        1 => {
            let copy = function.body.get(choices.below(function.body.len().max(1))).cloned();
            copy.into_iter().for_each(|copy| function.body.insert(at, copy));
        }
        2 => function.outputs.iter_mut().for_each(|output| output.0 = near(output.0, choices)),
        3 => function.constants.iter_mut().for_each(|slot| slot.ty = [Type::F32, Type::U32][choices.below(2)]),
        _ => match function.body.get_mut(at) {
            Some(Instruction::Literal { ty, word }) => {
                *ty = [Type::F32, Type::I32, Type::U32, Type::Bool][choices.below(4)];
                *word = choices.word();
            }
            Some(Instruction::Constant { slot }) => slot.0 = near(slot.0, choices),
            Some(Instruction::ConstantAt { first, count, .. }) => {
                (first.0, *count) = (near(first.0, choices), near(*count, choices));
            }
            Some(Instruction::Input { input }) => input.0 = near(input.0, choices),
            Some(Instruction::Loop { trips, .. }) if choices.below(2) == 0 => {
                *trips = match *trips {
                    Trips::Constant(count) => Trips::Constant(near(count, choices)),
                    Trips::Dynamic { count, bound } => Trips::Dynamic { count, bound: near(bound, choices) },
                };
            }
            Some(other) => other.for_each_operand(|operand| {
                if choices.below(2) == 0 {
                    operand.0 = near(operand.0, choices);
                }
            }),
            None => {}
        },
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn whatever_passes_after_random_edits_can_be_run(list in choices(), edits in proptest::collection::vec(any::<u32>(), 8..64), count in 1..4) {
        let mut choices = Choices::new(&list);
        let mut function = function(&mut choices);
        let mut draw = Choices::new(&edits);
        (0..count).for_each(|_| edit(&mut function, &mut draw));
        prop_assert!(!function.to_string().is_empty());
        if let Ok(shader) = function.check() {
            run_everywhere(&shader, &mut choices);
        }
    }

    #[test]
    fn whatever_is_read_after_random_edits_of_its_text_can_be_run(list in choices(), edits in proptest::collection::vec(any::<(u16, u8)>(), 1..4)) {
        let mut choices = Choices::new(&list);
        let mut text = serde_json::to_vec(&function(&mut choices)).unwrap();
        for (at, byte) in edits {
            let at = usize::from(at) % text.len();
            // Half of the digits stay digits: more of such texts can be parsed.
            let digit = text[at].is_ascii_digit() && byte >= 128;
            text[at] = if digit { b'0' + byte % 10 } else { byte };
        }
        if let Ok(shader) = serde_json::from_slice::<Shader>(&text) {
            run_everywhere(&shader, &mut choices);
        }
    }

    #[test]
    fn random_bytes_are_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(serde_json::from_slice::<Shader>(&bytes).is_err());
    }

    #[test]
    fn a_written_function_is_read_unchanged(list in choices()) {
        let shader = function(&mut Choices::new(&list)).check().unwrap();
        let text = serde_json::to_string(&shader).unwrap();
        prop_assert_eq!(serde_json::from_str::<Shader>(&text).unwrap(), shader);
    }
}

fn one_slot() -> Function {
    Function {
        name: "wrong".to_owned(),
        constants: vec![Declaration { name: "slot".to_owned(), ty: Type::F32 }],
        inputs: Vec::new(),
        body: vec![Instruction::Constant { slot: SlotId(0) }],
        outputs: vec![ValueId(0)],
    }
}

fn with(body: Vec<Instruction>) -> Function {
    Function { body, ..one_slot() }
}

fn literal(ty: Type, word: u32) -> Instruction {
    Instruction::Literal { ty, word: Word(word) }
}

fn endless(bound: u32) -> Vec<Instruction> {
    let looped = |bound| Instruction::Loop { trips: Trips::Constant(bound), initial: Vec::new() };
    let end = || Instruction::EndLoop { next: Vec::new() };
    vec![literal(Type::U32, 1), looped(bound), looped(bound), end(), end()]
}

/// One function per rule, with the checker's error.
#[test]
fn each_rule_has_its_error() {
    let add = |a, b| Instruction::Binary { op: BinaryOp::Add, a: ValueId(a), b: ValueId(b) };
    let looped = |initial| Instruction::Loop { trips: Trips::Constant(2), initial };
    let end = |next| Instruction::EndLoop { next };
    let window = |first, count| {
        let index = ValueId(0);
        with(vec![literal(Type::U32, 0), Instruction::ConstantAt { first: SlotId(first), count, index }])
    };
    let cases = vec![
        with(Vec::new()),
        Function { outputs: Vec::new(), ..one_slot() },
        Function { outputs: vec![ValueId(0); 65], ..one_slot() },
        Function { constants: vec![one_slot().constants[0].clone(); 1025], ..one_slot() },
        with(vec![literal(Type::F32, 0); 4097]),
        Function { name: "no spaces".to_owned(), ..one_slot() },
        with(vec![literal(Type::F32, 0x7f80_0001)]),
        with(vec![literal(Type::Bool, 2)]),
        with(vec![Instruction::Constant { slot: SlotId(1) }]),
        with(vec![Instruction::Input { input: InputId(0) }]),
        window(0, 0),
        window(0, 2),
        window(u32::MAX, u32::MAX),
        with(vec![literal(Type::F32, 0), add(0, 1)]),
        with(vec![literal(Type::F32, 0), literal(Type::I32, 0), add(0, 1)]),
        with(vec![literal(Type::Bool, 0), add(0, 0)]),
        with(vec![literal(Type::F32, 0), Instruction::Convert { to: Type::F32, a: ValueId(0) }]),
        with(vec![literal(Type::F32, 0), Instruction::Convert { to: Type::Bool, a: ValueId(0) }]),
        with(vec![literal(Type::F32, 0), end(vec![])]),
        with(vec![literal(Type::F32, 0), looped(vec![])]),
        with(vec![literal(Type::F32, 0), looped(vec![ValueId(0)]), end(vec![])]),
        with(vec![literal(Type::F32, 0), looped(vec![ValueId(0)]), end(vec![ValueId(1)])]),
        Function { outputs: vec![ValueId(1)], ..with(vec![literal(Type::F32, 0), looped(vec![]), end(vec![])]) },
        with(vec![looped(vec![]); 9]),
        with(endless(256)),
        with(endless(u32::MAX)),
    ];
    let errors: Vec<String> = cases.into_iter().map(|case| case.check().unwrap_err().to_string()).collect();
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn fuel_is_counted_to_the_last_instruction() {
    let shader = with(endless(254)).check().unwrap();
    assert_eq!(shader.max_executed(), 1 + 1 + 254 * (1 + 254 + 1));
    let grid = Grid::sample(&shader, 1, 0).unwrap();
    assert_eq!(interpret(&shader, &[Word(0)], &grid).unwrap().executed, shader.max_executed());
    // 1 + 1 + 255 * (1 + 255 + 1) is one more than allowed.
    let one_more = ShaderError::Fuel { at: 4, found: Function::FUEL + 1, max_allowed: Function::FUEL };
    assert_eq!(with(endless(255)).check(), Err(one_more));
}

#[test]
fn a_misspelt_field_is_not_overlooked() {
    let text = serde_json::to_string(&one_slot()).unwrap();
    assert!(serde_json::from_str::<Shader>(&text).is_ok());
    for (right, wrong) in [("\"ty\"", "\"type\""), ("\"outputs\"", "\"output\""), ("\"slot\":0", "\"slot\":0,\"x\":0")]
    {
        assert!(text.contains(right));
        assert!(serde_json::from_str::<Shader>(&text.replace(right, wrong)).is_err(), "{wrong}");
    }
}
