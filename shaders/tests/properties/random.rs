//! Random well-formed functions, drawn from a list of numbers so that failing ones shrink.

use proptest::prelude::*;
use taut_shaders::{
    BinaryOp, CompareOp, Declaration, Function, InputId, Instruction, SlotId, Trips, Type, UnaryOp, ValueId, Word,
};

/// Edge cases: zeros, infinities, NaNs (also non-canonical ones), denormals, extremes.
pub const HARD: [u32; 24] = [
    0,
    0x8000_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_1234,
    0x7f80_0001,
    1,
    2,
    0x8000_0001,
    0x007f_ffff,
    0x0080_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x3f00_0000,
    0x4040_0000,
    0x4b00_0000,
    0x4f00_0000,
    0x4f80_0000,
    31,
    0x7fff_ffff,
    0xffff_ffff,
];

const TYPES: [Type; 4] = [Type::F32, Type::I32, Type::U32, Type::Bool];

/// List of numbers to draw from; an exhausted list yields zeros.
pub struct Choices {
    list: std::vec::IntoIter<u32>,
}

impl Choices {
    pub fn new(list: &[u32]) -> Self {
        Self { list: Vec::from(list).into_iter() }
    }

    pub fn next(&mut self) -> u32 {
        self.list.next().unwrap_or(0)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.next() as usize % limit
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    pub fn word(&mut self) -> Word {
        let number = self.next();
        let hard = |among: usize| HARD[(number >> 2) as usize % among];
        Word(match number % 4 {
            0 => number,
            // Zeros, ones, infinities and the NaN: operands of identities.
            1 => hard(7),
            _ => hard(HARD.len()),
        })
    }

    pub fn words(&mut self, count: usize) -> Vec<Word> {
        (0..count).map(|_| self.word()).collect()
    }
}

/// Generates numbers for a function and its arguments.
pub fn choices() -> impl Strategy<Value = Vec<u32>> {
    proptest::collection::vec(any::<u32>(), 16..400)
}

/// Generates a function that the checker accepts.
pub fn function(choices: &mut Choices) -> Function {
    let mut generator = Generator::new(choices);
    let steps = generator.choices.below(60) + 3;
    (0..steps).for_each(|_| generator.step());
    while !generator.loops.is_empty() {
        generator.close();
    }
    // Often all visible values are outputs, so that no mistake is hidden; else few, so that some values are unused.
    let outputs = if generator.choices.below(2) == 0 && !generator.scope.is_empty() {
        generator.scope.iter().rev().take(Function::MAX_OUTPUTS).map(|(id, _)| *id).collect()
    } else {
        let count = generator.choices.below(4) + 1;
        (0..count).map(|_| generator.any()).collect()
    };
    Function { outputs, ..generator.function }
}

struct Generator<'a> {
    choices: &'a mut Choices,
    function: Function,
    values: u32,
    /// Values in scope.
    scope: Vec<(ValueId, Type)>,
    /// Length of `scope` before each open loop, and the types it carries.
    loops: Vec<(usize, Vec<Type>)>,
}

impl<'a> Generator<'a> {
    fn new(choices: &'a mut Choices) -> Self {
        let mut declare = |max_count: usize| -> Vec<Declaration> {
            let count = choices.below(max_count);
            (0..count).map(|nth| Declaration { name: format!("v{nth}"), ty: choices.pick(&TYPES) }).collect()
        };
        let (constants, inputs) = (declare(7), declare(5));
        let function = Function { name: "random".to_owned(), constants, inputs, body: Vec::new(), outputs: Vec::new() };
        Self { choices, function, values: 0, scope: Vec::new(), loops: Vec::new() }
    }

    fn define(&mut self, ty: Type) -> ValueId {
        let id = ValueId(self.values);
        self.values += 1;
        self.scope.push((id, ty));
        id
    }

    fn push(&mut self, instruction: Instruction, ty: Type) -> ValueId {
        self.function.body.push(instruction);
        self.define(ty)
    }

    fn literal(&mut self, ty: Type) -> ValueId {
        let word = self.choices.word().canonical(ty);
        self.push(Instruction::Literal { ty, word }, ty)
    }

    /// Returns a value of a type, preferably a late one.
    fn value(&mut self, ty: Type) -> ValueId {
        let nth = self.choices.below(6);
        let found = self.scope.iter().rev().filter(|(_, other)| *other == ty).nth(nth);
        let found = found.or_else(|| self.scope.iter().find(|(_, other)| *other == ty)).copied();
        found.map_or_else(|| self.literal(ty), |(id, _)| id)
    }

    fn any(&mut self) -> ValueId {
        let ty = self.choices.pick(&TYPES);
        self.value(ty)
    }

    fn step(&mut self) {
        match self.choices.below(14) {
            0 => self.any_literal(),
            1 | 2 => self.load(),
            3 => self.unary(),
            4..=6 => self.binary(),
            7 => self.compare(),
            8 => {
                let [a, b, c] = [(); 3].map(|()| self.value(Type::F32));
                self.push(Instruction::Fma { a, b, c }, Type::F32);
            }
            9 => {
                let ty = self.choices.pick(&TYPES);
                let condition = self.value(Type::Bool);
                let [on_true, on_false] = [(); 2].map(|()| self.value(ty));
                self.push(Instruction::Select { condition, on_true, on_false }, ty);
            }
            10 | 11 => self.convert(),
            12 if self.loops.len() < 3 => self.open(),
            _ if !self.loops.is_empty() => self.close(),
            _ => self.load(),
        }
    }

    fn any_literal(&mut self) {
        let ty = self.choices.pick(&TYPES);
        self.literal(ty);
    }

    fn load(&mut self) {
        let (slots, inputs) = (self.function.constants.len(), self.function.inputs.len());
        let which = self.choices.below(slots * 2 + inputs + 1);
        if which < slots {
            let ty = self.function.constants[which].ty;
            self.push(Instruction::Constant { slot: SlotId(which as u32) }, ty);
        } else if which < slots * 2 {
            let first = which - slots;
            let ty = self.function.constants[first].ty;
            let max_count = self.function.constants[first..].iter().take_while(|slot| slot.ty == ty).count();
            let count = self.choices.below(max_count) as u32 + 1;
            let index = self.value(Type::U32);
            self.push(Instruction::ConstantAt { first: SlotId(first as u32), count, index }, ty);
        } else if which < slots * 2 + inputs {
            let input = which - slots * 2;
            let ty = self.function.inputs[input].ty;
            self.push(Instruction::Input { input: InputId(input as u32) }, ty);
        } else {
            self.any_literal();
        }
    }

    fn unary(&mut self) {
        let (op, types): (_, &[Type]) = match self.choices.below(4) {
            0 => (UnaryOp::Neg, &[Type::F32, Type::I32]),
            1 => (UnaryOp::Abs, &[Type::F32, Type::I32]),
            2 => (UnaryOp::Sqrt, &[Type::F32]),
            _ => (UnaryOp::Not, &[Type::I32, Type::U32, Type::Bool]),
        };
        let ty = self.choices.pick(types);
        let a = self.value(ty);
        self.push(Instruction::Unary { op, a }, ty);
    }

    fn binary(&mut self) {
        use BinaryOp::{Add, And, Div, Max, Min, Mul, Or, Shl, Shr, Sub, Xor};
        let (ops, types): (&[BinaryOp], &[Type]) = match self.choices.below(4) {
            0 | 1 => (&[Add, Sub, Mul, Min, Max], &[Type::F32, Type::I32, Type::U32, Type::F32]),
            2 => (&[And, Or, Xor], &[Type::I32, Type::U32, Type::Bool]),
            _ if self.choices.below(2) == 0 => (&[Div], &[Type::F32]),
            _ => (&[Shl, Shr], &[Type::I32, Type::U32]),
        };
        let (op, ty) = (self.choices.pick(ops), self.choices.pick(types));
        let (a, b) = (self.value(ty), self.value(ty));
        self.push(Instruction::Binary { op, a, b }, ty);
    }

    fn compare(&mut self) {
        use CompareOp::{Eq, Ge, Gt, Le, Lt, Ne};
        let ty = self.choices.pick(&TYPES);
        let op = self.choices.pick(if ty == Type::Bool { &[Eq, Ne] } else { &[Eq, Ne, Lt, Le, Gt, Ge] });
        let (a, b) = (self.value(ty), self.value(ty));
        self.push(Instruction::Compare { op, a, b }, Type::Bool);
    }

    fn convert(&mut self) {
        let to = self.choices.pick(&TYPES[..3]);
        let from = self.choices.pick(&TYPES);
        if from == to {
            return;
        }
        let a = self.value(from);
        let bits = from != Type::Bool && self.choices.below(2) == 0;
        self.push(if bits { Instruction::Bitcast { to, a } } else { Instruction::Convert { to, a } }, to);
    }

    fn open(&mut self) {
        let trips = if self.choices.below(2) == 0 {
            Trips::Constant(self.choices.below(6) as u32)
        } else {
            let count = self.value(Type::U32);
            Trips::Dynamic { count, bound: self.choices.below(6) as u32 }
        };
        let carried: Vec<Type> = (0..self.choices.below(4)).map(|_| self.choices.pick(&TYPES)).collect();
        let initial = carried.iter().map(|ty| self.value(*ty)).collect();
        self.function.body.push(Instruction::Loop { trips, initial });
        let outside = self.scope.len();
        self.define(Type::U32);
        for ty in &carried {
            self.define(*ty);
        }
        self.loops.push((outside, carried));
    }

    fn close(&mut self) {
        let Some((outside, carried)) = self.loops.pop() else { return };
        let next = carried.iter().map(|ty| self.value(*ty)).collect();
        self.function.body.push(Instruction::EndLoop { next });
        self.scope.truncate(outside);
        for ty in &carried {
            self.define(*ty);
        }
    }
}
