//! Pipeline states.

use taut_schemas::PipelineStateId;

/// A pipeline state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipeline {
    /// Its handle.
    pub id: PipelineStateId,
    /// The name it was last given, that of its shader, or its handle.
    pub name: String,
}
