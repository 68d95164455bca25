//! Draws whose measurements have not been read yet.

use serde::{Deserialize, Serialize};
use taut_schemas::{PipelineStateId, VariantId};
use taut_shaders::Word;

/// A draw whose measurements have not been read yet.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Draw {
    pub pipeline_state: PipelineStateId,
    /// Sampled constants, if the draw is sampled.
    pub sampled: Option<Vec<Word>>,
    /// Variants whose guards did not hold.
    pub missed: Vec<VariantId>,
    /// Cost in instructions of all evaluated guards.
    pub guard_cost: u32,
    /// Cost of the selected variant's own guard, if it differs from the cost of the guard alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_guard_cost: Option<u32>,
    /// Input for tuning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuned: Option<TunedDraw>,
}

/// Properties of a draw that tuning uses.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct TunedDraw {
    pub lanes: u32,
    /// The draw has the same constants as the draw before it.
    pub repeats: bool,
}

/// Draws of a submission that the GPU has not completed.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Submission {
    /// Number of discards before the submission.
    pub generation: u64,
    pub draws: Vec<Draw>,
}
