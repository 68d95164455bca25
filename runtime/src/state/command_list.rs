//! State of Direct3D 12 command lists.

use super::pipeline_state::PipelineState;
use crate::memory::effect::MemoryEffect;
use std::sync::Arc;
use taut_schemas::{CommandListType, DrawCommand, RootSignatureId};

/// A command list: its recorded commands, and the state for further recording.
#[derive(Debug, Clone)]
pub(crate) struct CommandList {
    pub list_type: CommandListType,
    pub open: bool,
    /// True once a command was refused. Close then fails, and the list cannot be executed.
    pub failed: bool,
    pub pipeline: Option<Arc<PipelineState>>,
    pub graphics_constants: Vec<u32>,
    pub compute_constants: Vec<u32>,
    pub draws: Vec<DrawCommand>,
    /// Constants of all draws; each draw has an index into them.
    pub constants: Vec<u32>,
    /// Root signature of draws; null before one was set.
    pub graphics_root_signature: RootSignatureId,
    /// Root signature of dispatches; null before one was set.
    pub compute_root_signature: RootSignatureId,
    /// Effects of the commands on memory, which no answer depends on.
    pub effects: Arc<Vec<MemoryEffect>>,
}
