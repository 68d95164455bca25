//! Pipeline states.

use taut_schemas::PipelineStateId;

/// A pipeline state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipeline {
    pub id: PipelineStateId,
    /// Last name set; without a name, the name of the shader or the handle.
    pub name: String,
}
