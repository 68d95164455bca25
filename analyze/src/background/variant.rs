//! Variants: shaders that a driver specialised for constant values.

use taut_schemas::{PipelineStateId, TaskId, VariantChange, VariantId};

/// A specialisation that the driver never compiled, because the estimated gain is too small.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Estimated {
    /// Stamp of the decision.
    pub stamp: u64,
    pub pipeline_state: PipelineStateId,
    /// The slots that it would have assumed to be fixed, and their values.
    pub values: Vec<(u32, u32)>,
}

/// A variant that was installed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Variant {
    pub id: VariantId,
    pub pipeline_state: PipelineStateId,
    /// Task that compiled the variant; `None` if no task of the trace did.
    pub task: Option<TaskId>,
    /// Stamp of the installation, in ticks; `None` if the installation is not in the trace.
    pub installed_stamp: Option<u64>,
    /// Stamp and reason of the end of its use.
    pub dropped: Option<(u64, VariantChange)>,
    /// Slots of constants that the guard checks, with the required values; `None` if the trace does not contain them.
    pub guard: Option<Vec<(u32, u32)>>,
}
