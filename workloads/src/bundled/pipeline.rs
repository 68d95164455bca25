//! Pipeline states.

use super::error::WorkloadError;
use super::refusal::required;
use std::sync::Arc;
use taut_capture::Caller;
use taut_schemas::{Bytes, DeviceId, HResult, PipelineStateId, d3d12};
use taut_shaders::Material;

/// Threads of a thread group in the simulation.
const GROUP_THREADS: usize = 64;

/// Pipeline state with its material.
pub(crate) struct Pipeline {
    pub id: PipelineStateId,
    material: Arc<Material>,
    /// True if it is for dispatches, not for draws.
    pub compute: bool,
}

impl Pipeline {
    /// Creates a pipeline state of a shader, for draws or for dispatches.
    pub(crate) fn new<C: Caller>(
        caller: &mut C,
        device: DeviceId,
        material: &Arc<Material>,
        compute: bool,
    ) -> Result<Pipeline, WorkloadError> {
        let wrong = |what| WorkloadError::Shader(format!("{}: {what}", material.shader.name()));
        let shader = Bytes(serde_json::to_vec(material.shader.function()).map_err(wrong)?);
        // A dispatch consists of whole thread groups.
        let compute = compute && material.lanes == GROUP_THREADS;
        let id = match compute {
            true => {
                let create = d3d12::CreateComputePipelineState { device, shader };
                required("CreateComputePipelineState", caller.call(create))?
            }
            false => {
                let create = d3d12::CreateGraphicsPipelineState { device, shader };
                required("CreateGraphicsPipelineState", caller.call(create))?
            }
        };
        Ok(Pipeline { id, material: Arc::clone(material), compute })
    }

    /// Number of lanes of a draw.
    pub(crate) fn lanes(&self) -> u32 {
        self.material.lanes as u32
    }

    /// Returns the constants of a frame, as words.
    pub(crate) fn constants(&self, frame: u32) -> Vec<u32> {
        self.material.constants(frame).into_iter().map(|word| word.0).collect()
    }

    /// Releases the pipeline state, whose shaders may still be compiling.
    pub(crate) fn release<C: Caller>(self, caller: &mut C) -> Result<(), WorkloadError> {
        required("ReleasePipelineState", release(caller, self.id))
    }
}

/// Releases a pipeline state that may not exist any more.
pub(crate) fn release<C: Caller>(caller: &mut C, pipeline_state: PipelineStateId) -> HResult<()> {
    caller.call(d3d12::ReleasePipelineState { pipeline_state })
}
