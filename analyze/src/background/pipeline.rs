//! Pipeline states.

use taut_schemas::PipelineStateId;

/// A pipeline state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipeline {
    pub id: PipelineStateId,
    /// The last name set, that of its shader, or its handle.
    pub name: String,
}
