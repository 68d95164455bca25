//! A pipeline state of Direct3D 12.

use taut_schemas::PipelineStateId;

/// What command lists need of a pipeline state; nothing of it changes after its creation.
#[derive(Debug, Clone)]
pub(crate) struct PipelineState {
    pub id: PipelineStateId,
    /// For dispatches, not for draws.
    pub compute: bool,
    /// Constants its shader declares.
    pub constants: usize,
}
