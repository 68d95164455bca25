//! A command list of Direct3D 12.

use super::pipeline_state::PipelineState;
use std::sync::Arc;
use taut_schemas::{CommandListType, DrawCommand};

/// A command list: what was recorded, and what it is recorded with.
#[derive(Debug, Clone)]
pub(crate) struct CommandList {
    pub list_type: CommandListType,
    pub open: bool,
    /// Something that was recorded was refused: Close says so, and it cannot be executed.
    pub failed: bool,
    pub pipeline: Option<Arc<PipelineState>>,
    pub graphics_constants: Vec<u32>,
    pub compute_constants: Vec<u32>,
    pub draws: Vec<DrawCommand>,
    /// The draws' constants.
    pub constants: Vec<u32>,
}
