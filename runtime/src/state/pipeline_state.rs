//! Pipeline states of Direct3D 12.

use taut_schemas::PipelineStateId;

/// Properties of a pipeline state that command lists use; they never change.
#[derive(Debug, Clone)]
pub(crate) struct PipelineState {
    pub id: PipelineStateId,
    /// True for dispatches, false for draws.
    pub compute: bool,
    /// Number of constants that the shader declares.
    pub constants: usize,
    /// True if the runtime does not read its shaders: draws are recorded, and the driver receives none.
    pub opaque: bool,
}
