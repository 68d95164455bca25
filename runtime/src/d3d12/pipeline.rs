//! Pipeline states.

use crate::context::{Context, no_such_object};
use crate::state::{DeviceState, Object, ObjectKind, Objects, PipelineState};
use crate::submission::SubmissionState;
use std::sync::Arc;
use taut_schemas::{Bytes, DeviceId, HResult, HResultCode, ObjectId, PipelineStateId, d3d12, d3d12_ddi};
use taut_shaders::{Function, Shader};

impl Object {
    pub(crate) fn as_pipeline_state(&self) -> Option<&Arc<PipelineState>> {
        match &self.kind {
            ObjectKind::PipelineState(pipeline) => Some(pipeline),
            _ => None,
        }
    }
}

/// ID3D12Device::CreateGraphicsPipelineState.
pub(crate) fn create_graphics_pipeline_state(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    queue: &mut SubmissionState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateGraphicsPipelineState,
) -> HResult<PipelineStateId> {
    let request = PipelineRequest { device: call.device, bytes: &call.shader, compute: false };
    create(context, device, queue, objects, request)
}

/// ID3D12Device::CreateComputePipelineState.
pub(crate) fn create_compute_pipeline_state(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    queue: &mut SubmissionState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateComputePipelineState,
) -> HResult<PipelineStateId> {
    let request = PipelineRequest { device: call.device, bytes: &call.shader, compute: true };
    create(context, device, queue, objects, request)
}

/// Pipeline state that a call creates.
struct PipelineRequest<'b> {
    device: DeviceId,
    bytes: &'b Bytes,
    compute: bool,
}

fn create(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    queue: &mut SubmissionState,
    objects: &mut dyn Objects,
    request: PipelineRequest<'_>,
) -> HResult<PipelineStateId> {
    let PipelineRequest { device: id, bytes, compute } = request;
    device.open(context, id)?;
    let shader = match checked(bytes) {
        Ok(shader) => shader,
        Err(what) => {
            let text = format_args!("The shader cannot be used: {what}.");
            return context.refuse(HResultCode::E_INVALIDARG, ObjectId::NULL, text);
        }
    };
    let ObjectId(next) = device.next_object();
    let pipeline_state = PipelineStateId(next);
    let call = d3d12_ddi::CreatePipelineState { pipeline_state, shader: bytes.clone() };
    context.ddi_with(queue, call).0?;
    let constants = shader.function().constants.len();
    let pipeline = PipelineState { id: pipeline_state, compute, constants, opaque: false };
    objects.insert(pipeline_state.into(), Object::new(ObjectKind::PipelineState(Arc::new(pipeline))));
    // A list that draws with a released pipeline state is refused at submission, so this set has the unreleased states.
    queue.pipelines.insert(pipeline_state);
    device.count_object();
    Ok(pipeline_state)
}

/// Decodes and checks a shader. No part of a shader is used before this check, since it may come from any trace or
/// file.
fn checked(bytes: &Bytes) -> Result<Shader, String> {
    let function: Function = serde_json::from_slice(&bytes.0).map_err(|error| error.to_string())?;
    function.check().map_err(|error| error.to_string())
}

/// IUnknown::Release of a pipeline state's last reference. Compilations for it may be in progress (rule B-70).
pub(crate) fn release_pipeline_state(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    objects: &mut dyn Objects,
    call: &d3d12::ReleasePipelineState,
) -> HResult<()> {
    let id = ObjectId::from(call.pipeline_state);
    if objects.get(id).is_none_or(|object| object.as_pipeline_state().is_none()) || objects.remove(id).is_none() {
        return no_such_object(context, "pipeline state", id);
    }
    // The driver of a destroyed device has destroyed the pipeline state already.
    if queue.pipelines.remove(&call.pipeline_state) {
        let call = d3d12_ddi::DestroyPipelineState { pipeline_state: call.pipeline_state };
        context.ddi_with(queue, call);
    }
    Ok(())
}
