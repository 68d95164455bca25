//! What the graphics processor does for a submission.

use super::code::Code;
use std::ops::Range;
use std::sync::Arc;
use taut_schemas::{DrawCommand, DrawRun, GpuWork, PipelineStateId, VariantId};
use taut_shaders::{Grid, Word};

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

    fn save(&self) -> Option<Vec<u8>> {
        super::saved::save_batch(self)
    }
}

impl BatchDraw {
    /// Runs what was selected; if that is a variant, the generic shader as well, to compare with.
    fn run(&self, constants: &[Word]) -> DrawRun {
        let nothing = DrawRun { pipeline_state: self.pipeline_state, ..DrawRun::default() };
        let Some((generic, grid)) = &self.runs else { return nothing };
        let Some(reference) = generic.run(constants, grid) else { return nothing };
        let (variant, ran) = match &self.variant {
            None => (VariantId::NULL, None),
            Some((id, code)) => (*id, code.run(constants, grid)),
        };
        let generic_output_hash = reference.output_hash();
        DrawRun {
            variant,
            executed: ran.as_ref().map_or(reference.executed, |run| run.executed) + u64::from(self.guard_cost),
            generic_executed: reference.executed,
            output_hash: ran.map_or(generic_output_hash, |run| run.output_hash()),
            generic_output_hash,
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
