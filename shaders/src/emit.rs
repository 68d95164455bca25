//! Translation of a shader into Cranelift IR.
//!
//! The generated function is `(constants, inputs, outputs, lanes, executed, counts)`: it runs the body once per lane,
//! advances the pointers to inputs and outputs by a lane's words, and stores the number of executed instructions. Each
//! lane behaves as in the interpreter; instructions are counted once per basic block. Instrumented code also counts
//! each block in `counts`, which other code does not access.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::immediates::Ieee32;
use cranelift_codegen::ir::{self, Block, BlockArg, InstBuilder, MemFlagsData, types};
use cranelift_frontend::{FunctionBuilder, Variable};

use crate::counted::COUNTER_COST;
use crate::instruction::{BinaryOp, CompareOp, Instruction, Trips, UnaryOp, ValueId};
use crate::shader::Shader;
use crate::word::{Type, Word};

const WORD_BYTES: i32 = 4;
const COUNTER_BYTES: i32 = 8;

/// Fills the function of `builder`, which has the signature above with `pointer` as the type of pointers and of
/// `lanes`.
pub(crate) fn emit<'a>(
    shader: &Shader,
    mut builder: FunctionBuilder<'a>,
    target: ir::Type,
    counts: bool,
) -> FunctionBuilder<'a> {
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let &[constants, inputs, outputs, lanes, executed_at, counts_at] = builder.block_params(entry) else {
        return builder;
    };
    let [left, input, output] = [lanes, inputs, outputs].map(|value| {
        let variable = builder.declare_var(target);
        builder.def_var(variable, value);
        variable
    });
    let executed = builder.declare_var(types::I64);
    let zero = builder.ins().iconst(types::I64, 0);
    builder.def_var(executed, zero);
    let [header, lane, done] = std::array::from_fn(|_| builder.create_block());
    builder.ins().jump(header, &[]);

    builder.switch_to_block(header);
    let remaining = builder.use_var(left);
    builder.ins().brif(remaining, lane, &[], done, &[]);

    builder.switch_to_block(lane);
    let (inputs, outputs) = (builder.use_var(input), builder.use_var(output));
    let values = vec![remaining; shader.facts().types.len()];
    let counters = counts.then_some(Counters { at: counts_at, next: 0 });
    let loops = Vec::new();
    let mut emitter = Emitter { shader, builder, target, constants, inputs, executed, counters, values, loops };
    emitter.body(outputs);
    let Emitter { mut builder, .. } = emitter;
    let function = shader.function();
    for (variable, step) in [
        (left, -1),
        (input, function.inputs.len() as i64 * i64::from(WORD_BYTES)),
        (output, function.outputs.len() as i64 * i64::from(WORD_BYTES)),
    ] {
        let before = builder.use_var(variable);
        let step = builder.ins().iconst(target, step);
        let after = builder.ins().iadd(before, step);
        builder.def_var(variable, after);
    }
    builder.ins().jump(header, &[]);

    builder.switch_to_block(done);
    let total = builder.use_var(executed);
    builder.ins().store(MemFlagsData::trusted(), total, executed_at, 0);
    builder.ins().return_(&[]);
    builder.seal_all_blocks();
    builder
}

fn machine_type(ty: Type) -> ir::Type {
    match ty {
        Type::F32 => types::F32,
        Type::I32 | Type::U32 => types::I32,
        Type::Bool => types::I8,
    }
}

/// Loop whose end has not been reached yet.
struct EmittedLoop {
    body: Block,
    after: Block,
    index: ir::Value,
    trips: ir::Value,
}

/// Address of the counters, and index of the next basic block.
struct Counters {
    at: ir::Value,
    next: i32,
}

struct Emitter<'a, 'b> {
    shader: &'a Shader,
    builder: FunctionBuilder<'b>,
    /// Type of pointers.
    target: ir::Type,
    constants: ir::Value,
    /// Pointer to this lane's inputs.
    inputs: ir::Value,
    executed: Variable,
    /// `None` in code without counters.
    counters: Option<Counters>,
    /// By value of the form.
    values: Vec<ir::Value>,
    loops: Vec<EmittedLoop>,
}

impl Emitter<'_, '_> {
    fn body(&mut self, outputs: ir::Value) {
        let function = self.shader.function();
        self.count(0, function.body.len());
        for (at, instruction) in function.body.iter().enumerate() {
            match instruction {
                Instruction::Loop { trips, initial } => self.open(at, *trips, initial),
                Instruction::EndLoop { next } => self.close(at, next),
                other => {
                    let value = self.evaluate(other);
                    self.define(at, 0, value);
                }
            }
        }
        for (output, nth) in function.outputs.iter().zip(0i32..) {
            let mut value = self.value(*output);
            if self.type_of(*output) == Type::Bool {
                value = self.builder.ins().uextend(types::I32, value);
            }
            self.builder.ins().store(MemFlagsData::trusted(), value, outputs, nth * WORD_BYTES);
        }
    }

    fn define(&mut self, at: usize, nth: usize, value: ir::Value) {
        self.values[self.shader.facts().first_value[at] + nth] = value;
    }

    fn value(&self, value: ValueId) -> ir::Value {
        self.values[value.index()]
    }

    fn type_of(&self, value: ValueId) -> Type {
        self.shader.facts().types[value.index()]
    }

    fn u32(&mut self, number: u32) -> ir::Value {
        self.builder.ins().iconst(types::I32, i64::from(number))
    }

    /// Counts the instructions `from .. to`, except those inside nested loops.
    fn count(&mut self, from: usize, to: usize) {
        let partner = &self.shader.facts().partner;
        let (mut at, mut count) = (from, 0);
        while at < to {
            // The partner of a loop's end is before it, so the end counts like other instructions.
            at = partner[at].max(at) + 1;
            count += 1;
        }
        if let Some(Counters { at, next }) = &mut self.counters {
            let (flags, place) = (MemFlagsData::trusted(), *next * COUNTER_BYTES);
            let before = self.builder.ins().load(types::I64, flags, *at, place);
            let one = self.builder.ins().iconst(types::I64, 1);
            let after = self.builder.ins().iadd(before, one);
            self.builder.ins().store(flags, after, *at, place);
            *next += 1;
            count += COUNTER_COST as i64;
        }
        let before = self.builder.use_var(self.executed);
        let count = self.builder.ins().iconst(types::I64, count);
        let after = self.builder.ins().iadd(before, count);
        self.builder.def_var(self.executed, after);
    }

    fn open(&mut self, at: usize, trips: Trips, initial: &[ValueId]) {
        let end = self.shader.facts().partner[at];
        let trips = match trips {
            Trips::Constant(count) => self.u32(count),
            Trips::Dynamic { count, bound } => {
                let bound = self.u32(bound);
                let count = self.value(count);
                self.builder.ins().umin(count, bound)
            }
        };
        let [body, after] = std::array::from_fn(|_| self.builder.create_block());
        let index = self.builder.append_block_param(body, types::I32);
        self.define(at, 0, index);
        for (nth, value) in initial.iter().enumerate() {
            let ty = machine_type(self.type_of(*value));
            let inside = self.builder.append_block_param(body, ty);
            self.define(at, nth + 1, inside);
            let outside = self.builder.append_block_param(after, ty);
            self.define(end, nth, outside);
        }
        let first = self.u32(0);
        self.trip(trips, body, first, after, initial);
        self.loops.push(EmittedLoop { body, after, index, trips });
        self.builder.switch_to_block(body);
        self.count(at + 1, end + 1);
    }

    fn close(&mut self, _at: usize, next: &[ValueId]) {
        if let Some(EmittedLoop { body, after, index, trips }) = self.loops.pop() {
            let one = self.u32(1);
            let index = self.builder.ins().iadd(index, one);
            let more = self.builder.ins().icmp(IntCC::UnsignedLessThan, index, trips);
            self.trip(more, body, index, after, next);
            self.builder.switch_to_block(after);
        }
    }

    /// Jumps into a trip if `more` is not zero, else after the loop.
    fn trip(&mut self, more: ir::Value, body: Block, index: ir::Value, after: Block, carried: &[ValueId]) {
        let outside: Vec<BlockArg> = carried.iter().map(|value| BlockArg::Value(self.value(*value))).collect();
        let mut inside = vec![BlockArg::Value(index)];
        inside.extend(&outside);
        self.builder.ins().brif(more, body, &inside, after, &outside);
    }

    fn evaluate(&mut self, instruction: &Instruction) -> ir::Value {
        match *instruction {
            Instruction::Literal { ty, word } => self.literal(ty, word),
            Instruction::Constant { slot } => {
                let ty = self.shader.function().constants[slot.index()].ty;
                self.load(ty, self.constants, slot.index())
            }
            Instruction::ConstantAt { first, count, index } => {
                let last = self.u32(count - 1);
                let index = self.value(index);
                let index = self.builder.ins().umin(index, last);
                let index = self.builder.ins().uextend(self.target, index);
                let bytes = self.builder.ins().iconst(self.target, i64::from(WORD_BYTES));
                let offset = self.builder.ins().imul(index, bytes);
                let base = self.builder.ins().iadd(self.constants, offset);
                self.load(self.shader.function().constants[first.index()].ty, base, first.index())
            }
            Instruction::Input { input } => {
                let ty = self.shader.function().inputs[input.index()].ty;
                self.load(ty, self.inputs, input.index())
            }
            Instruction::Unary { op, a } => self.unary(op, a),
            Instruction::Binary { op, a, b } => match self.type_of(a) {
                Type::F32 => self.binary_f32(op, self.value(a), self.value(b)),
                ty => self.binary_bits(op, ty, self.value(a), self.value(b)),
            },
            Instruction::Compare { op, a, b } => self.compare(op, a, b),
            Instruction::Fma { a, b, c } => {
                let [a, b, c] = [a, b, c].map(|operand| self.value(operand));
                let result = self.builder.ins().fma(a, b, c);
                self.canonical(result)
            }
            Instruction::Select { condition, on_true, on_false } => {
                let [condition, yes, no] = [condition, on_true, on_false].map(|operand| self.value(operand));
                self.builder.ins().select(condition, yes, no)
            }
            Instruction::Convert { to, a } => self.convert(to, a),
            Instruction::Bitcast { to, a } => self.bitcast(to, a),
            // Handled by `body`.
            Instruction::Loop { .. } | Instruction::EndLoop { .. } => self.constants,
        }
    }

    fn literal(&mut self, ty: Type, word: Word) -> ir::Value {
        match ty {
            Type::F32 => self.builder.ins().f32const(Ieee32::with_bits(word.0)),
            other => self.builder.ins().iconst(machine_type(other), i64::from(word.0)),
        }
    }

    fn load(&mut self, ty: Type, base: ir::Value, index: usize) -> ir::Value {
        let machine = if ty == Type::F32 { types::F32 } else { types::I32 };
        let loaded = self.builder.ins().load(machine, MemFlagsData::trusted(), base, index as i32 * WORD_BYTES);
        match ty {
            Type::F32 => self.canonical(loaded),
            Type::I32 | Type::U32 => loaded,
            Type::Bool => {
                let zero = self.u32(0);
                self.builder.ins().icmp(IntCC::NotEqual, loaded, zero)
            }
        }
    }

    /// Replaces any NaN by the canonical NaN.
    fn canonical(&mut self, number: ir::Value) -> ir::Value {
        let nan = self.literal(Type::F32, Word::NAN);
        let is_nan = self.builder.ins().fcmp(FloatCC::Unordered, number, number);
        self.builder.ins().select(is_nan, nan, number)
    }

    fn unary(&mut self, op: UnaryOp, a: ValueId) -> ir::Value {
        let (ty, a) = (self.type_of(a), self.value(a));
        let ins = self.builder.ins();
        let number = match (op, ty) {
            (UnaryOp::Neg, Type::F32) => ins.fneg(a),
            (UnaryOp::Abs, Type::F32) => ins.fabs(a),
            (UnaryOp::Sqrt, _) => ins.sqrt(a),
            (UnaryOp::Neg, _) => return ins.ineg(a),
            (UnaryOp::Abs, _) => return ins.iabs(a),
            (UnaryOp::Not, Type::Bool) => {
                let zero = ins.iconst(types::I8, 0);
                return self.builder.ins().icmp(IntCC::Equal, a, zero);
            }
            (UnaryOp::Not, _) => return ins.bnot(a),
        };
        self.canonical(number)
    }

    fn binary_f32(&mut self, op: BinaryOp, a: ir::Value, b: ir::Value) -> ir::Value {
        let ins = self.builder.ins();
        let number = match op {
            BinaryOp::Add => ins.fadd(a, b),
            BinaryOp::Sub => ins.fsub(a, b),
            BinaryOp::Mul => ins.fmul(a, b),
            // Cranelift's fmin and fmax return NaN if either operand is NaN; the form requires the other operand.
            BinaryOp::Min => {
                let fmin_result = ins.fmin(a, b);
                return self.other_than_nan(a, b, fmin_result);
            }
            BinaryOp::Max => {
                let fmax_result = ins.fmax(a, b);
                return self.other_than_nan(a, b, fmax_result);
            }
            BinaryOp::Div | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => {
                ins.fdiv(a, b)
            }
        };
        self.canonical(number)
    }

    fn other_than_nan(&mut self, a: ir::Value, b: ir::Value, otherwise: ir::Value) -> ir::Value {
        let b_is_nan = self.builder.ins().fcmp(FloatCC::Unordered, b, b);
        let result = self.builder.ins().select(b_is_nan, a, otherwise);
        let a_is_nan = self.builder.ins().fcmp(FloatCC::Unordered, a, a);
        self.builder.ins().select(a_is_nan, b, result)
    }

    fn binary_bits(&mut self, op: BinaryOp, ty: Type, a: ir::Value, b: ir::Value) -> ir::Value {
        let ins = self.builder.ins();
        match (op, ty) {
            (BinaryOp::Add, _) => ins.iadd(a, b),
            (BinaryOp::Sub, _) => ins.isub(a, b),
            (BinaryOp::Mul, _) => ins.imul(a, b),
            (BinaryOp::Min, Type::I32) => ins.smin(a, b),
            (BinaryOp::Max, Type::I32) => ins.smax(a, b),
            (BinaryOp::Min, _) => ins.umin(a, b),
            (BinaryOp::Max, _) => ins.umax(a, b),
            (BinaryOp::And, _) => ins.band(a, b),
            (BinaryOp::Or, _) => ins.bor(a, b),
            (BinaryOp::Xor, _) => ins.bxor(a, b),
            // Both use the low five bits of the amount.
            (BinaryOp::Shl, _) => ins.ishl(a, b),
            (BinaryOp::Shr, Type::I32) => ins.sshr(a, b),
            (BinaryOp::Shr | BinaryOp::Div, _) => ins.ushr(a, b),
        }
    }

    fn compare(&mut self, op: CompareOp, a: ValueId, b: ValueId) -> ir::Value {
        let (ty, a, b) = (self.type_of(a), self.value(a), self.value(b));
        let signed = ty == Type::I32;
        let (float, integer) = match op {
            CompareOp::Eq => (FloatCC::Equal, IntCC::Equal),
            CompareOp::Ne => (FloatCC::NotEqual, IntCC::NotEqual),
            CompareOp::Lt if signed => (FloatCC::LessThan, IntCC::SignedLessThan),
            CompareOp::Le if signed => (FloatCC::LessThanOrEqual, IntCC::SignedLessThanOrEqual),
            CompareOp::Gt if signed => (FloatCC::GreaterThan, IntCC::SignedGreaterThan),
            CompareOp::Ge if signed => (FloatCC::GreaterThanOrEqual, IntCC::SignedGreaterThanOrEqual),
            CompareOp::Lt => (FloatCC::LessThan, IntCC::UnsignedLessThan),
            CompareOp::Le => (FloatCC::LessThanOrEqual, IntCC::UnsignedLessThanOrEqual),
            CompareOp::Gt => (FloatCC::GreaterThan, IntCC::UnsignedGreaterThan),
            CompareOp::Ge => (FloatCC::GreaterThanOrEqual, IntCC::UnsignedGreaterThanOrEqual),
        };
        match ty {
            Type::F32 => self.builder.ins().fcmp(float, a, b),
            _ => self.builder.ins().icmp(integer, a, b),
        }
    }

    fn convert(&mut self, to: Type, a: ValueId) -> ir::Value {
        let (from, a) = (self.type_of(a), self.value(a));
        let ins = self.builder.ins();
        match (from, to) {
            (Type::F32, Type::I32) => ins.fcvt_to_sint_sat(types::I32, a),
            (Type::F32, _) => ins.fcvt_to_uint_sat(types::I32, a),
            (Type::I32, Type::F32) => ins.fcvt_from_sint(types::F32, a),
            (Type::U32, Type::F32) => ins.fcvt_from_uint(types::F32, a),
            (Type::Bool, Type::F32) => {
                let word = ins.uextend(types::I32, a);
                self.builder.ins().fcvt_from_uint(types::F32, word)
            }
            (Type::I32, _) => {
                let fmin_result = self.u32(0);
                self.builder.ins().smax(a, fmin_result)
            }
            (Type::U32, _) => {
                let fmax_result = self.u32(i32::MAX.cast_unsigned());
                self.builder.ins().umin(a, fmax_result)
            }
            (Type::Bool, _) => ins.uextend(types::I32, a),
        }
    }

    fn bitcast(&mut self, to: Type, a: ValueId) -> ir::Value {
        let (from, a) = (self.type_of(a), self.value(a));
        let machine = machine_type(to);
        if machine_type(from) == machine {
            return a;
        }
        let bits = self.builder.ins().bitcast(machine, MemFlagsData::new(), a);
        if to == Type::F32 { self.canonical(bits) } else { bits }
    }
}
