//! Function under construction: literals are separate, and unused values are removed at the end.

use std::collections::BTreeMap;

use crate::function::{Declaration, Function};
use crate::instruction::{Instruction, Trips, ValueId};
use crate::word::{Type, Word};

// Far above the maximum number of values, so the two ranges cannot overlap.
/// Ids from here on are literals of the draft; lower ids are values of the body in order of definition.
const LITERALS: u32 = 1 << 31;

/// Body whose literals have no positions yet. Loops must be balanced. Ids that the draft has not returned become undefined
/// ids.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    literals: Vec<(Type, Word)>,
    known: BTreeMap<(Type, Word), ValueId>,
    body: Vec<Instruction>,
    values: u32,
}

impl Draft {
    /// Returns the id of a literal, which is unique.
    pub fn literal(&mut self, ty: Type, word: Word) -> ValueId {
        let next = ValueId(LITERALS + self.literals.len() as u32);
        *self.known.entry((ty, word)).or_insert_with(|| {
            self.literals.push((ty, word));
            next
        })
    }

    /// Appends an instruction. Returns the first value that it defines.
    pub fn push(&mut self, instruction: Instruction) -> ValueId {
        let first = ValueId(self.values);
        self.values += instruction.defines() as u32;
        self.body.push(instruction);
        first
    }

    /// Returns the function that computes `outputs`: literals first, then the needed part of the body, renumbered.
    pub fn finish(
        self,
        name: String,
        constants: Vec<Declaration>,
        inputs: Vec<Declaration>,
        outputs: &[ValueId],
    ) -> Function {
        let mut sweep = Sweep::of(self);
        sweep.mark(outputs);
        let (body, outputs) = sweep.rewrite(outputs);
        Function { name, constants, inputs, body, outputs }
    }
}

struct Sweep {
    draft: Draft,
    /// Defining instruction by value of the body.
    defined_by: Vec<usize>,
    first_value: Vec<usize>,
    partner: Vec<usize>,
    live: Vec<bool>,
    live_literals: Vec<bool>,
}

impl Sweep {
    fn of(draft: Draft) -> Self {
        let mut defined_by = Vec::with_capacity(draft.values as usize);
        let mut first_value = Vec::with_capacity(draft.body.len());
        let mut partner: Vec<usize> = (0..draft.body.len()).collect();
        let mut heads = Vec::new();
        for (at, instruction) in draft.body.iter().enumerate() {
            first_value.push(defined_by.len());
            defined_by.extend(std::iter::repeat_n(at, instruction.defines()));
            match instruction {
                Instruction::Loop { .. } => heads.push(at),
                Instruction::EndLoop { .. } => {
                    if let Some(head) = heads.pop() {
                        (partner[head], partner[at]) = (at, head);
                    }
                }
                _ => {}
            }
        }
        let live = vec![false; defined_by.len()];
        let live_literals = vec![false; draft.literals.len()];
        Self { draft, defined_by, first_value, partner, live, live_literals }
    }

    /// Marks the outputs and everything that they depend on.
    fn mark(&mut self, outputs: &[ValueId]) {
        let mut wanted = outputs.to_vec();
        while let Some(value) = wanted.pop() {
            if value.0 >= LITERALS {
                if let Some(live) = self.live_literals.get_mut((value.0 - LITERALS) as usize) {
                    *live = true;
                }
            } else if self.live.get(value.index()) == Some(&false) {
                self.live[value.index()] = true;
                self.mark_operands_live(value.index(), &mut wanted);
            }
        }
    }

    fn mark_operands_live(&mut self, value: usize, wanted: &mut Vec<ValueId>) {
        let at = self.defined_by[value];
        let nth = value - self.first_value[at];
        let head = self.partner[at].min(at);
        match &self.draft.body[at] {
            // The trip index needs only the head.
            Instruction::Loop { .. } if nth == 0 => {}
            Instruction::Loop { .. } => wanted.extend(self.carried(head, nth - 1)),
            Instruction::EndLoop { .. } => wanted.extend(self.carried(head, nth)),
            _ => {
                self.draft.body[at].for_each_operand(|operand| wanted.push(*operand));
                return;
            }
        }
        // A needed head has its first value live, and needs its trip count.
        wanted.push(ValueId(self.first_value[head] as u32));
        if let Instruction::Loop { trips: Trips::Dynamic { count, .. }, .. } = &self.draft.body[head] {
            wanted.push(*count);
        }
    }

    /// Returns all values of the loop-carried value `nth` of the loop at `head`: inside, after, before and between
    /// trips.
    fn carried(&self, head: usize, nth: usize) -> Vec<ValueId> {
        let end = self.partner[head];
        let inside = ValueId((self.first_value[head] + 1 + nth) as u32);
        let mut all = vec![inside];
        if let Instruction::Loop { initial, .. } = &self.draft.body[head] {
            all.extend(initial.get(nth));
        }
        if let Instruction::EndLoop { next } = &self.draft.body[end] {
            all.extend(next.get(nth));
            all.push(ValueId((self.first_value[end] + nth) as u32));
        }
        all
    }

    /// Returns the live part and the outputs, renumbered.
    fn rewrite(mut self, outputs: &[ValueId]) -> (Vec<Instruction>, Vec<ValueId>) {
        let mut numbers = Numbers::default();
        let mut body = Vec::new();
        for ((ty, word), live) in self.draft.literals.iter().zip(&self.live_literals) {
            let number = numbers.next(*live);
            numbers.literals.push(number);
            if *live {
                body.push(Instruction::Literal { ty: *ty, word: *word });
            }
        }
        for (at, mut instruction) in std::mem::take(&mut self.draft.body).into_iter().enumerate() {
            let first = self.first_value[at];
            let live = &self.live[first..][..instruction.defines()];
            let rewritten = match &mut instruction {
                Instruction::Loop { initial, .. } => {
                    keep(initial, &live[1..]);
                    live[0]
                }
                Instruction::EndLoop { next } => {
                    keep(next, live);
                    self.live.get(self.first_value[self.partner[at]]) == Some(&true)
                }
                _ => live[0],
            };
            if rewritten {
                instruction.for_each_operand(|operand| *operand = numbers.of(*operand));
                body.push(instruction);
            }
            let defined: Vec<ValueId> = live.iter().map(|live| numbers.next(*live)).collect();
            numbers.values.extend(defined);
        }
        (body, outputs.iter().map(|output| numbers.of(*output)).collect())
    }
}

fn keep(carried: &mut Vec<ValueId>, live: &[bool]) {
    let mut live = live.iter();
    carried.retain(|_| live.next() == Some(&true));
}

/// New ids of the draft's values.
#[derive(Default)]
struct Numbers {
    literals: Vec<ValueId>,
    values: Vec<ValueId>,
    emitted: u32,
}

impl Numbers {
    const UNDEFINED: ValueId = ValueId(u32::MAX);

    fn next(&mut self, live: bool) -> ValueId {
        if !live {
            return Self::UNDEFINED;
        }
        self.emitted += 1;
        ValueId(self.emitted - 1)
    }

    fn of(&self, value: ValueId) -> ValueId {
        let found = match value.0.checked_sub(LITERALS) {
            Some(index) => self.literals.get(index as usize),
            None => self.values.get(value.index()),
        };
        found.copied().unwrap_or(Self::UNDEFINED)
    }
}
