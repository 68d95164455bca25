//! Specialiser: partial evaluation of a function for known values of some constant slots.

use std::collections::BTreeMap;

use crate::draft::Draft;
use crate::error::ShaderError;
use crate::fold::{Binding, Fold};
use crate::function::Function;
use crate::instruction::{Instruction, SlotId, Trips, ValueId};
use crate::shader::Shader;
use crate::slots::SlotSet;
use crate::variant::{Guard, Variant};
use crate::word::{Type, Word};

/// Limit of loop unrolling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unrolling {
    /// Maximum number of instructions of all unrolled trips of a function together, before folding and dead-code
    /// elimination: earlier loops of the text come first. At most [`Function::MAX_INSTRUCTIONS`] count.
    pub instructions: usize,
}

impl Default for Unrolling {
    fn default() -> Self {
        Self { instructions: 2048 }
    }
}

/// Builds a variant for these values of slots.
///
/// Operations on known values are evaluated as by the interpreter, in the order of the text; nothing is reassociated.
/// Identities are used where they hold for every bit pattern (`x * 1`, `x + -0`, but not `x + 0`, which changes -0, nor
/// `x * 0`). Selects with a known condition, loops with a known trip count and unused values are removed. A slot whose
/// value would only replace its load gains nothing: it is loaded as before, and the guard does not test it.
///
/// Equal arguments give equal variants on every machine.
///
/// # Errors
/// A slot that the shader does not declare.
pub fn specialise(
    shader: &Shader,
    values: &BTreeMap<SlotId, Word>,
    unrolling: Unrolling,
) -> Result<Variant, ShaderError> {
    let declared = shader.function().constants.len();
    if let Some((slot, _)) = values.iter().find(|(slot, _)| slot.index() >= declared) {
        let found = u64::from(slot.0);
        return Err(ShaderError::OutOfRange { at: shader.length(), what: "slot", found, declared });
    }
    let (_, used) = build(shader, values, unrolling);
    let useful: BTreeMap<SlotId, Word> =
        values.iter().filter(|(slot, _)| used.contains(**slot)).map(|(slot, word)| (*slot, *word)).collect();
    let unrolled = build(shader, &useful, unrolling).0.check();
    // Unrolled trips may exceed the form's limits; loops left as they are cannot.
    let shader = unrolled.or_else(|_| build(shader, &useful, Unrolling { instructions: 0 }).0.check())?;
    Ok(Variant { guard: Guard::of(useful), shader })
}

/// Returns the function for `values`, and the slots whose values removed an instruction.
fn build(shader: &Shader, values: &BTreeMap<SlotId, Word>, unrolling: Unrolling) -> (Function, SlotSet) {
    let function = shader.function();
    let budget = unrolling.instructions.min(Function::MAX_INSTRUCTIONS);
    let bindings = vec![Binding::default(); shader.facts().types.len()];
    let fold = Fold { shader, values, draft: Draft::default(), used: SlotSet::default(), bindings };
    let mut walk = Walk { fold, budget };
    walk.range(0, function.body.len());
    let Fold { draft, used, bindings, .. } = walk.fold;
    let outputs: Vec<ValueId> = function.outputs.iter().map(|output| bindings[output.index()].id).collect();
    let swept = draft.finish(function.name.clone(), function.constants.clone(), function.inputs.clone(), &outputs);
    (swept, used)
}

struct Walk<'a> {
    fold: Fold<'a>,
    /// Number of instructions that may still be unrolled.
    budget: usize,
}

impl Walk<'_> {
    /// Folds the instructions `from .. to`, which contain loops only as a whole.
    fn range(&mut self, from: usize, to: usize) {
        let shader = self.fold.shader;
        let mut at = from;
        while at < to {
            if let Instruction::Loop { trips, initial } = &shader.function().body[at] {
                self.unroll_or_keep(at, *trips, initial);
                at = shader.facts().partner[at] + 1;
            } else {
                let binding = self.fold.evaluate(&shader.function().body[at]);
                self.fold.bindings[shader.facts().first_value[at]] = binding;
                at += 1;
            }
        }
    }

    fn unroll_or_keep(&mut self, head: usize, trips: Trips, initial: &[ValueId]) {
        let end = self.fold.shader.facts().partner[head];
        let carried: Vec<Binding> = initial.iter().map(|value| self.fold.binding(*value).clone()).collect();
        let known = self.known_trips(trips);
        let results = match known {
            Some(0) => carried,
            Some(trips) if trips as usize <= self.budget / (end - head) => {
                self.budget -= trips as usize * (end - head);
                self.unroll(head, end, trips, carried)
            }
            _ => self.keep(head, end, known.map_or(trips, Trips::Constant), carried),
        };
        let first = self.fold.shader.facts().first_value[end];
        self.fold.bindings[first..][..results.len()].clone_from_slice(&results);
    }

    fn known_trips(&mut self, trips: Trips) -> Option<u32> {
        match trips {
            Trips::Constant(count) => Some(count),
            Trips::Dynamic { bound: 0, .. } => Some(0),
            Trips::Dynamic { count, bound } => {
                let count = self.fold.binding(count).clone();
                let word = count.known?;
                self.fold.used.union(&count.from);
                Some(word.0.min(bound))
            }
        }
    }

    fn next(&self, end: usize) -> &[ValueId] {
        match &self.fold.shader.function().body[end] {
            Instruction::EndLoop { next } => next,
            _ => &[],
        }
    }

    /// Folds the trips one after another.
    fn unroll(&mut self, head: usize, end: usize, trips: u32, mut carried: Vec<Binding>) -> Vec<Binding> {
        let index = self.fold.shader.facts().first_value[head];
        for trip in 0..trips {
            self.fold.bindings[index] = self.fold.literal(Type::U32, Word(trip), SlotSet::default());
            self.fold.bindings[index + 1..][..carried.len()].clone_from_slice(&carried);
            self.range(head + 1, end);
            carried = self.next(end).iter().map(|value| self.fold.binding(*value).clone()).collect();
        }
        carried
    }

    /// Emits the loop; values that it carries unchanged are known inside and after it.
    fn keep(&mut self, head: usize, end: usize, trips: Trips, carried: Vec<Binding>) -> Vec<Binding> {
        let index = self.fold.shader.facts().first_value[head];
        let unchanged: Vec<bool> =
            self.next(end).iter().zip(index + 1..).map(|(next, inside)| next.index() == inside).collect();
        let trips = match trips {
            Trips::Dynamic { count, bound } => Trips::Dynamic { count: self.fold.binding(count).id, bound },
            constant => constant,
        };
        let initial = carried.iter().map(|binding| binding.id).collect();
        let first = self.fold.draft.push(Instruction::Loop { trips, initial });
        self.fold.bindings[index] = Binding::unknown(first);
        for (nth, binding) in carried.iter().enumerate() {
            let inside = ValueId(first.0 + 1 + nth as u32);
            self.fold.bindings[index + 1 + nth] =
                if unchanged[nth] { binding.clone() } else { Binding::unknown(inside) };
        }
        self.range(head + 1, end);
        let next = self.next(end).iter().map(|value| self.fold.binding(*value).id).collect();
        let first = self.fold.draft.push(Instruction::EndLoop { next });
        let after = carried.into_iter().zip(unchanged).zip(first.0..);
        after.map(|((before, unchanged), id)| if unchanged { before } else { Binding::unknown(ValueId(id)) }).collect()
    }
}
