//! Interpreter: the reference semantics of a shader.

use crate::arithmetic;
use crate::counted::{COUNTER_COST, Counted, basic_block_count};
use crate::error::ShaderError;
use crate::grid::{Grid, Run, Shape};
use crate::instruction::{Instruction, Trips, ValueId};
use crate::shader::Shader;
use crate::word::{Type, Word};

/// Runs a shader over a grid, one instruction after another.
///
/// # Errors
/// A number of constants or inputs other than declared.
pub fn interpret(shader: &Shader, constants: &[Word], grid: &Grid) -> Result<Run, ShaderError> {
    Ok(run(Lane::of(shader, constants), constants, grid)?.run)
}

/// Runs a shader with counters.
///
/// # Errors
/// As [`interpret`].
pub fn interpret_counting(shader: &Shader, constants: &[Word], grid: &Grid) -> Result<Counted, ShaderError> {
    let lane = Lane { counts: vec![0; basic_block_count(shader)], ..Lane::of(shader, constants) };
    run(lane, constants, grid)
}

fn run<'a>(mut lane: Lane<'a>, constants: &[Word], grid: &'a Grid) -> Result<Counted, ShaderError> {
    let shader = lane.shader;
    Shape::new(shader).check(constants, grid)?;
    let function = shader.function();
    let mut run = Run { outputs: Vec::with_capacity(grid.lanes() * function.outputs.len()), executed: 0 };
    let inputs_per_lane = function.inputs.len();
    for index in 0..grid.lanes() {
        lane.inputs = &grid.inputs()[index * inputs_per_lane..][..inputs_per_lane];
        lane.count(0);
        lane.execute();
        run.outputs.extend(function.outputs.iter().map(|output| lane.values[output.index()]));
    }
    run.executed = lane.executed;
    Ok(Counted { run, counts: lane.counts })
}

/// Loop that is running.
struct Running {
    trip: u32,
    trips: u32,
}

/// One lane. The checker guarantees that every index is in range.
struct Lane<'a> {
    shader: &'a Shader,
    constants: &'a [Word],
    inputs: &'a [Word],
    values: Vec<Word>,
    loops: Vec<Running>,
    executed: u64,
    /// Counts of the basic blocks; empty without counters.
    counts: Vec<u64>,
    /// Buffer for carried values, because a loop may permute them.
    carried: Vec<Word>,
}

impl<'a> Lane<'a> {
    fn of(shader: &'a Shader, constants: &'a [Word]) -> Self {
        let values = vec![Word::default(); shader.facts().types.len()];
        Self {
            shader,
            constants,
            inputs: &[],
            values,
            loops: Vec::new(),
            executed: 0,
            counts: Vec::new(),
            carried: Vec::new(),
        }
    }

    /// Counts the execution of a basic block.
    fn count(&mut self, stretch: usize) {
        if let Some(count) = self.counts.get_mut(stretch) {
            *count += 1;
            self.executed += COUNTER_COST;
        }
    }

    /// Counts a trip of the loop at `head`: loops are numbered in the order of the text.
    fn count_trip(&mut self, head: usize) {
        if !self.counts.is_empty() {
            let partner = &self.shader.facts().partner;
            let before = partner[..head].iter().enumerate().filter(|(at, partner)| **partner > *at).count();
            self.count(1 + before);
        }
    }

    fn execute(&mut self) {
        let body = &self.shader.function().body;
        let mut at = 0;
        while let Some(instruction) = body.get(at) {
            self.executed += 1;
            at = match instruction {
                Instruction::Loop { trips, initial } => self.open(at, *trips, initial),
                Instruction::EndLoop { next } => self.close(at, next),
                other => {
                    let first_value = self.shader.facts().first_value[at];
                    self.values[first_value] = self.evaluate(other);
                    at + 1
                }
            };
        }
    }

    fn value(&self, value: ValueId) -> Word {
        self.values[value.index()]
    }

    fn type_of(&self, value: ValueId) -> Type {
        self.shader.facts().types[value.index()]
    }

    /// Evaluates an instruction other than a loop's head or end.
    fn evaluate(&self, instruction: &Instruction) -> Word {
        match instruction {
            Instruction::Literal { word, .. } => *word,
            Instruction::Constant { slot } => self.load(slot.index()),
            Instruction::ConstantAt { first, count, index } => {
                self.load(first.index() + self.value(*index).0.min(count - 1) as usize)
            }
            Instruction::Input { input } => {
                let ty = self.shader.function().inputs[input.index()].ty;
                self.inputs[input.index()].canonical(ty)
            }
            Instruction::Unary { op, a } => arithmetic::unary(*op, self.type_of(*a), self.value(*a)),
            Instruction::Binary { op, a, b } => {
                arithmetic::binary(*op, self.type_of(*a), self.value(*a), self.value(*b))
            }
            Instruction::Compare { op, a, b } => {
                arithmetic::compare(*op, self.type_of(*a), self.value(*a), self.value(*b))
            }
            Instruction::Fma { a, b, c } => arithmetic::fma(self.value(*a), self.value(*b), self.value(*c)),
            Instruction::Select { condition, on_true, on_false } => {
                self.value(if self.value(*condition).bool() { *on_true } else { *on_false })
            }
            Instruction::Convert { to, a } => arithmetic::convert(self.type_of(*a), *to, self.value(*a)),
            Instruction::Bitcast { to, a } => arithmetic::bitcast(*to, self.value(*a)),
            // Handled by `execute`.
            Instruction::Loop { .. } | Instruction::EndLoop { .. } => Word::default(),
        }
    }

    fn load(&self, slot: usize) -> Word {
        self.constants[slot].canonical(self.shader.function().constants[slot].ty)
    }

    fn open(&mut self, at: usize, trips: Trips, initial: &[ValueId]) -> usize {
        let end = self.shader.facts().partner[at];
        let trips = match trips {
            Trips::Constant(count) => count,
            Trips::Dynamic { count, bound } => self.value(count).0.min(bound),
        };
        if trips == 0 {
            self.carry(initial, self.shader.facts().first_value[end]);
            return end + 1;
        }
        self.loops.push(Running { trip: 0, trips });
        self.begin_trip(at, 0, initial)
    }

    fn close(&mut self, at: usize, next: &[ValueId]) -> usize {
        let facts = self.shader.facts();
        if let Some(running) = self.loops.last_mut() {
            running.trip += 1;
            if running.trip < running.trips {
                let trip = running.trip;
                return self.begin_trip(facts.partner[at], trip, next);
            }
        }
        self.loops.pop();
        self.carry(next, facts.first_value[at]);
        at + 1
    }

    fn begin_trip(&mut self, head: usize, trip: u32, carried: &[ValueId]) -> usize {
        self.count_trip(head);
        let index = self.shader.facts().first_value[head];
        self.carry(carried, index + 1);
        self.values[index] = Word(trip);
        head + 1
    }

    /// Copies the values `from`, as they are before the copy, to the values numbered from `first` on.
    fn carry(&mut self, from: &[ValueId], first: usize) {
        self.carried.clear();
        self.carried.extend(from.iter().map(|value| self.values[value.index()]));
        self.values[first..][..from.len()].copy_from_slice(&self.carried);
    }
}
