//! GPU work of a submission.

use super::code::Code;
use super::runs::RunResult;
use super::tuning::Overhead;
use std::ops::Range;
use std::sync::Arc;
use taut_schemas::{DrawCommand, DrawRun, PipelineStateId, VariantId};
use taut_shaders::{Counted, Grid, Word};

/// Draws of a submission with all data that their execution needs; later changes of the driver's state do not affect
/// it.
#[derive(Default)]
pub(super) struct Batch {
    pub draws: Vec<BatchDraw>,
    /// Constants of the submission, followed by zero-filled copies for draws with fewer constants than declared.
    pub constants: Vec<Word>,
    /// Fault: the work panics and never completes.
    pub panics: bool,
}

/// One draw of a batch.
pub(super) struct BatchDraw {
    pub pipeline_state: PipelineStateId,
    /// Generic code and grid; `None` for an unknown pipeline state, whose draws execute no code.
    pub runs: Option<(Arc<Code>, Arc<Grid>)>,
    pub variant: Option<(VariantId, Arc<Code>)>,
    /// Instructions executed by the evaluated guards.
    pub guard_cost: u32,
    /// The selected code is instrumented with counters.
    pub counts: bool,
    /// Cost of the draw apart from its code.
    pub overhead: Overhead,
    pub constants: Range<usize>,
}

impl Batch {
    /// Returns the range of a draw's `declared` constants. Unset constants are undefined in Direct3D; here they are
    /// zero.
    pub fn bind_constants(&mut self, command: &DrawCommand, declared: usize) -> Range<usize> {
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

impl BatchDraw {
    /// Runs the selected code; for a variant, also the generic shader for comparison.
    pub(super) fn run(&self, constants: &[Word]) -> DrawRun {
        let nothing = DrawRun { pipeline_state: self.pipeline_state, ..DrawRun::default() };
        let Some((generic, grid)) = &self.runs else { return nothing };
        let Some(reference) = generic.ran(constants, grid) else { return nothing };
        let serves = self.variant.as_ref().map_or(generic, |(_, code)| code);
        let variant = self.variant.as_ref().map_or(VariantId::NULL, |(id, _)| *id);
        let counted = self.counts.then(|| serves.run_counting(constants, grid)).flatten();
        let counter_executed = counted.as_ref().map_or(0, Counted::counter_executed);
        let ran = match counted {
            Some(counted) => Some(RunResult::of(&counted.run)),
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

    fn bind_constants(first_constant: u32, num_constants: u32, declared: usize) -> Vec<u32> {
        let mut batch = Batch { constants: (1..=4).map(Word).collect(), ..Batch::default() };
        let command = DrawCommand { first_constant, num_constants, ..DrawCommand::default() };
        let range = batch.bind_constants(&command, declared);
        batch.constants[range].iter().map(|word| word.0).collect()
    }

    #[test]
    fn constants_that_did_not_come_are_zero() {
        assert_eq!(bind_constants(1, 3, 3), [2, 3, 4]);
        assert_eq!(bind_constants(1, 2, 3), [2, 3, 0]);
        assert_eq!(bind_constants(1, 3, 2), [2, 3]);
        assert_eq!(bind_constants(3, 2, 2), [4, 0]);
        assert_eq!(bind_constants(9, 2, 2), [0, 0]);
        assert_eq!(bind_constants(u32::MAX, u32::MAX, 1), [0]);
        assert!(bind_constants(0, 0, 0).is_empty());
    }
}
