//! Pipeline states of the bundled shaders.

use super::caller::Caller;
use super::error::WorkloadError;
use super::kit::required;
use taut_schemas::{Bytes, DeviceId, HResult, PipelineStateId, api};
use taut_shaders::{Bundled, Function, Material};

/// Threads of a thread group, as the simulation has it.
const GROUP_THREADS: usize = 64;

/// A pipeline state and what it is drawn with.
pub(crate) struct Pipeline {
    pub id: PipelineStateId,
    pub material: Material,
    pub lanes: u32,
    /// For dispatches, not for draws.
    pub compute: bool,
}

impl Pipeline {
    /// Creates a pipeline state of a bundled shader, for draws or for dispatches.
    pub(crate) fn new<C: Caller>(
        caller: &mut C,
        device: DeviceId,
        bundled: &Bundled,
        compute: bool,
    ) -> Result<Pipeline, WorkloadError> {
        let wrong = |what: String| WorkloadError::Shader(format!("{}: {what}", bundled.name));
        let material = bundled.material().map_err(|error| wrong(error.to_string()))?;
        let function: &Function = material.shader.function();
        let shader = Bytes(serde_json::to_vec(function).map_err(|error| wrong(error.to_string()))?);
        // A dispatch has whole thread groups.
        let compute = compute && bundled.lanes == GROUP_THREADS;
        let id = match compute {
            true => {
                let create = api::CreateComputePipelineState { device, shader };
                required("CreateComputePipelineState", caller.call(create))?
            }
            false => {
                let create = api::CreateGraphicsPipelineState { device, shader };
                required("CreateGraphicsPipelineState", caller.call(create))?
            }
        };
        Ok(Pipeline { id, material, lanes: bundled.lanes as u32, compute })
    }

    /// The constants of a frame, as they are set.
    pub(crate) fn constants(&self, frame: u32) -> Vec<u32> {
        self.material.constants(frame).into_iter().map(|word| word.0).collect()
    }

    /// Releases it. Compilations for it may be under way.
    pub(crate) fn release<C: Caller>(self, caller: &mut C) -> Result<(), WorkloadError> {
        required("ReleasePipelineState", release(caller, self.id))
    }
}

/// Releases a pipeline state that may be gone.
pub(crate) fn release<C: Caller>(caller: &mut C, pipeline_state: PipelineStateId) -> HResult<()> {
    caller.call(api::ReleasePipelineState { pipeline_state })
}
