//! What the graphics processor does for a submission.

use super::code::Code;
use super::runs::Ran;
use super::tuning::Overhead;
use std::hint::black_box;
use std::ops::Range;
use std::sync::Arc;
use taut_schemas::{DrawCommand, DrawRun, GpuWork, PipelineStateId, RunCode, VariantId};
use taut_shaders::{Counted, Grid, Word};

/// The draws of a submission with all that running them needs: whatever the driver does meanwhile, it is not seen here.
#[derive(Default)]
pub(super) struct Batch {
    pub draws: Vec<BatchDraw>,
    /// As they came, and behind them those of draws that came with fewer than they need.
    pub constants: Vec<Word>,
    /// As a faulty driver's: it is never done.
    pub panics: bool,
}

/// One draw of a batch.
pub(super) struct BatchDraw {
    pub pipeline_state: PipelineStateId,
    /// None for a pipeline state that the driver does not know: nothing runs.
    pub runs: Option<(Arc<Code>, Arc<Grid>)>,
    pub variant: Option<(VariantId, Arc<Code>)>,
    /// Instructions that the guards asked for it cost.
    pub guard_cost: u32,
    /// The code that serves it has counters in it.
    pub counts: bool,
    /// What it costs beside its code.
    pub overhead: Overhead,
    /// Its constants.
    pub constants: Range<usize>,
}

impl Batch {
    /// Where the `declared` constants of a draw lie. What is bound is undefined where nothing was set; here it is zero.
    pub fn bound(&mut self, command: &DrawCommand, declared: usize) -> Range<usize> {
        let first = command.first_constant as usize;
        let came = first..first.saturating_add(command.num_constants as usize);
        if came.len() == declared && came.end <= self.constants.len() {
            return came;
        }
        let (start, end) = (self.constants.len(), came.end.min(self.constants.len()));
        self.constants.extend_from_within(first.min(end)..end.min(first.saturating_add(declared)));
        self.constants.resize(start + declared, Word::default());
        start..start + declared
    }
}

impl GpuWork for Batch {
    fn run(&self) -> Vec<DrawRun> {
        assert!(!self.panics, "the driver's draws panic");
        self.draws.iter().map(|draw| draw.run(self.constants.get(draw.constants.clone()).unwrap_or_default())).collect()
    }

    fn codes(&self, draw: usize) -> Vec<RunCode> {
        let draw = self.draws.get(draw).filter(|draw| draw.runs.is_some());
        draw.map_or_else(Vec::new, |draw| {
            let variant = draw.variant.is_some().then_some(RunCode::VARIANT);
            let counting = draw.counts.then_some(RunCode::INSTRUMENTED);
            [Some(RunCode::GENERIC), variant, counting].into_iter().flatten().collect()
        })
    }

    fn repeat(&self, draw: usize, code: RunCode) {
        let Some(draw) = self.draws.get(draw) else { return };
        let Some((generic, grid)) = &draw.runs else { return };
        let serves = draw.variant.as_ref().map_or(generic, |(_, code)| code);
        let constants = self.constants.get(draw.constants.clone()).unwrap_or_default();
        match code {
            RunCode::INSTRUMENTED => drop(black_box(serves.run_counting(constants, grid))),
            RunCode::VARIANT => drop(black_box(serves.run(constants, grid))),
            _ => drop(black_box(generic.run(constants, grid))),
        }
    }

    fn save(&self) -> Option<Vec<u8>> {
        super::saved::save_batch(self)
    }
}

impl BatchDraw {
    /// Runs what was selected; if that is a variant, the generic shader as well, to compare with.
    fn run(&self, constants: &[Word]) -> DrawRun {
        let nothing = DrawRun { pipeline_state: self.pipeline_state, ..DrawRun::default() };
        let Some((generic, grid)) = &self.runs else { return nothing };
        let Some(reference) = generic.ran(constants, grid) else { return nothing };
        let serves = self.variant.as_ref().map_or(generic, |(_, code)| code);
        let variant = self.variant.as_ref().map_or(VariantId::NULL, |(id, _)| *id);
        let counted = self.counts.then(|| serves.run_counting(constants, grid)).flatten();
        let counter_executed = counted.as_ref().map_or(0, Counted::counter_executed);
        let ran = match counted {
            Some(counted) => Some(Ran::of(&counted.run)),
            None => self.variant.as_ref().and_then(|(_, code)| code.ran(constants, grid)),
        };
        DrawRun {
            variant,
            executed: ran.unwrap_or(reference).executed + u64::from(self.guard_cost) + self.overhead.tuned,
            generic_executed: reference.executed + self.overhead.untuned,
            output_hash: ran.unwrap_or(reference).output_hash,
            generic_output_hash: reference.output_hash,
            counter_executed,
            tuned_executed: self.overhead.tuned,
            untuned_executed: self.overhead.untuned,
            ..nothing
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(first_constant: u32, num_constants: u32, declared: usize) -> Vec<u32> {
        let mut batch = Batch { constants: (1..=4).map(Word).collect(), ..Batch::default() };
        let command = DrawCommand { first_constant, num_constants, ..DrawCommand::default() };
        let range = batch.bound(&command, declared);
        batch.constants[range].iter().map(|word| word.0).collect()
    }

    #[test]
    fn constants_that_did_not_come_are_zero() {
        assert_eq!(bound(1, 3, 3), [2, 3, 4]);
        assert_eq!(bound(1, 2, 3), [2, 3, 0]);
        assert_eq!(bound(1, 3, 2), [2, 3]);
        assert_eq!(bound(3, 2, 2), [4, 0]);
        assert_eq!(bound(9, 2, 2), [0, 0]);
        assert_eq!(bound(u32::MAX, u32::MAX, 1), [0]);
        assert!(bound(0, 0, 0).is_empty());
    }
}
