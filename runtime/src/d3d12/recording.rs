//! Recording calls of command lists. A call uses its list and, for SetPipelineState, the pipeline state. The API calls
//! return nothing; the results here are errors where the debug layer reports one. A list with a refused command fails
//! to close.

use super::command_list::recording;
use crate::context::{Context, no_such_object};
use crate::state::{CommandList, Object, Objects};
use std::fmt;
use std::sync::Arc;
use taut_schemas::{CommandListId, DrawCommand, HResult, HResultCode, RootSignatureId, d3d12};

/// Max simulated shader invocations per draw; the invocations after that are dropped.
const MAX_LANES: u32 = 64;

/// Threads per thread group: the shader form has no numthreads attribute.
const GROUP_THREADS: u32 = 64;

/// Max 32-bit root constants. A root signature has at most 64 words, but a shader of the form may declare more.
const MAX_CONSTANTS: usize = taut_shaders::Function::MAX_CONSTANTS;

/// D3D12_MAX_ROOT_COST: words of a root signature at most.
const MAX_WORDS: usize = 64;

/// ID3D12GraphicsCommandList::SetPipelineState.
pub(crate) fn set_pipeline_state(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::SetPipelineState,
) -> HResult<()> {
    let pipeline = objects.get(call.pipeline_state.into()).and_then(Object::as_pipeline_state).map(Arc::clone);
    let list = recording(context, objects, call.command_list)?;
    match pipeline {
        Some(pipeline) => list.pipeline = Some(pipeline),
        None => {
            list.failed = true;
            return no_such_object(context, "pipeline state", call.pipeline_state.into());
        }
    }
    Ok(())
}

/// ID3D12GraphicsCommandList::SetGraphicsRoot32BitConstants.
pub(crate) fn set_graphics_root_32bit_constants(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::SetGraphicsRoot32BitConstants,
) -> HResult<()> {
    let list = recording(context, objects, call.command_list)?;
    if list.graphics_root_signature != RootSignatureId::NULL {
        return outcome(
            context,
            list,
            call.command_list,
            in_root_signature(&call.src_data, call.dest_offset_in_32bit_values),
        );
    }
    let set =
        set(&mut list.graphics_constants, call.root_parameter_index, &call.src_data, call.dest_offset_in_32bit_values);
    outcome(context, list, call.command_list, set)
}

/// ID3D12GraphicsCommandList::SetComputeRoot32BitConstants.
pub(crate) fn set_compute_root_32bit_constants(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::SetComputeRoot32BitConstants,
) -> HResult<()> {
    let list = recording(context, objects, call.command_list)?;
    if list.compute_root_signature != RootSignatureId::NULL {
        return outcome(
            context,
            list,
            call.command_list,
            in_root_signature(&call.src_data, call.dest_offset_in_32bit_values),
        );
    }
    let set =
        set(&mut list.compute_constants, call.root_parameter_index, &call.src_data, call.dest_offset_in_32bit_values);
    outcome(context, list, call.command_list, set)
}

/// Checks constants of a list with a root signature, whose parameters the runtime does not read.
fn in_root_signature(data: &[u32], offset: u32) -> Result<(), &'static str> {
    let is_in = data.len() <= MAX_WORDS && offset as usize <= MAX_WORDS - data.len();
    if is_in { Ok(()) } else { Err("a root signature has at most 64 words") }
}

/// ID3D12GraphicsCommandList::DrawIndexedInstanced. Draws of shaders that the runtime reads have no indices.
pub(crate) fn draw_indexed_instanced(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::DrawIndexedInstanced,
) -> HResult<()> {
    let list = recording(context, objects, call.command_list)?;
    let lanes = call.index_count_per_instance.saturating_mul(call.instance_count);
    let drawn = draw(list, lanes, false);
    outcome(context, list, call.command_list, drawn)
}

/// ID3D12GraphicsCommandList::DrawInstanced.
pub(crate) fn draw_instanced(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::DrawInstanced,
) -> HResult<()> {
    let list = recording(context, objects, call.command_list)?;
    let lanes = call.vertex_count_per_instance.saturating_mul(call.instance_count);
    let drawn = draw(list, lanes, false);
    outcome(context, list, call.command_list, drawn)
}

/// ID3D12GraphicsCommandList::Dispatch.
pub(crate) fn dispatch(context: &mut Context<'_>, objects: &mut dyn Objects, call: &d3d12::Dispatch) -> HResult<()> {
    let list = recording(context, objects, call.command_list)?;
    let counts = [call.thread_group_count_x, call.thread_group_count_y, call.thread_group_count_z];
    // 65535 is D3D12_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION.
    let drawn = match counts.iter().find(|count| **count > 65535) {
        Some(_) => Err("a dispatch has at most 65535 thread groups in each dimension"),
        None => draw(list, counts.into_iter().fold(GROUP_THREADS, u32::saturating_mul), true),
    };
    outcome(context, list, call.command_list, drawn)
}

fn set(constants: &mut Vec<u32>, parameter: u32, data: &[u32], offset: u32) -> Result<(), &'static str> {
    if parameter != 0 {
        return Err("constants are root parameter 0, the only one there is");
    }
    let start = usize::try_from(offset).unwrap_or(usize::MAX);
    let end = start.checked_add(data.len()).filter(|end| *end <= MAX_CONSTANTS);
    let Some(end) = end else { return Err("the constants lie beyond the last that a shader can have") };
    if constants.len() < end {
        constants.resize(end, 0);
    }
    constants[start..end].copy_from_slice(data);
    Ok(())
}

fn draw(list: &mut CommandList, lanes: u32, compute: bool) -> Result<(), &'static str> {
    let Some(pipeline) = &list.pipeline else { return Err("no pipeline state is set") };
    // The driver has no shader to run; a pipeline state of a stream may be for either.
    if pipeline.opaque {
        return Ok(());
    }
    if pipeline.compute != compute {
        return Err("the pipeline state is for the other of draws and dispatches");
    }
    if lanes == 0 {
        return Ok(());
    }
    let set = if compute { &list.compute_constants } else { &list.graphics_constants };
    // Constants that were never set are 0 here; in Direct3D they are undefined.
    let bound = set.iter().copied().chain(std::iter::repeat(0)).take(pipeline.constants);
    // Consecutive draws with equal constants share them, which keeps submissions small.
    let last = list.constants.len().saturating_sub(pipeline.constants);
    let first_constant = if bound.clone().eq(list.constants[last..].iter().copied()) {
        last
    } else {
        list.constants.extend(bound);
        list.constants.len() - pipeline.constants
    };
    list.draws.push(DrawCommand {
        pipeline_state: pipeline.id,
        lane_count: lanes.min(MAX_LANES),
        num_constants: pipeline.constants as u32,
        first_constant: first_constant as u32,
    });
    Ok(())
}

fn outcome(
    context: &mut Context<'_>,
    list: &mut CommandList,
    id: CommandListId,
    outcome: Result<(), impl fmt::Display>,
) -> HResult<()> {
    outcome.or_else(|what| {
        list.failed = true;
        context.refuse(HResultCode::E_INVALIDARG, id, format_args!("Command list {}: {what}.", id.0))
    })
}
