//! What the graphics processor does for a submission.

use super::code::Code;
use std::ops::Range;
use std::sync::Arc;
use taut_schemas::{DrawRun, GpuWork, PipelineStateId, VariantId};
use taut_shaders::{Grid, Word};

/// The draws of a submission with all that running them needs: whatever the driver does meanwhile, it is not seen here.
#[derive(Default)]
pub(super) struct Batch {
    pub draws: Vec<BatchDraw>,
    /// One draw's after another.
    pub constants: Vec<Word>,
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

impl GpuWork for Batch {
    fn run(&self) -> Vec<DrawRun> {
        self.draws.iter().map(|draw| draw.run(self.constants.get(draw.constants.clone()).unwrap_or_default())).collect()
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
