//! Variants: shaders that a driver specialised for values of constants.

use taut_schemas::{PipelineStateId, TaskId, VariantChange, VariantId};

/// A specialisation that the driver never made, because the texts promise too little.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Estimated {
    /// When it was refused.
    pub stamp: u64,
    /// The pipeline state.
    pub pipeline_state: PipelineStateId,
    /// The slots that it would have taken as fixed, and their values.
    pub values: Vec<(u32, u32)>,
}

/// A variant that was taken into use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Variant {
    /// Its number.
    pub id: VariantId,
    /// The pipeline state that it serves.
    pub pipeline_state: PipelineStateId,
    /// The task that made it; none if no task of the trace did.
    pub task: Option<TaskId>,
    /// When it came into use, in ticks; none if the trace does not say.
    pub installed_stamp: Option<u64>,
    /// When it went out of use, and why.
    pub dropped: Option<(u64, VariantChange)>,
    /// Slots of constants that its guard looks at, and the values they must have; none in a trace that does not say.
    pub guard: Option<Vec<(u32, u32)>>,
}
