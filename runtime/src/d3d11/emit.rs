//! Emission of a context's DDI calls: at once, or deferred if the driver builds no command lists.

use super::context_state::ContextState;
use super::held::handle_of;
use crate::context::Context;
use crate::state::{BlendBinding, DeferredCommand};
use taut_schemas::{DriverHandle, ObjectId, d3d11_context_ddi as ddi};

/// Emits the DDI call, or records it as a deferred command.
pub(crate) fn emit(context: &mut Context<'_>, state: &mut ContextState, deferred_command: DeferredCommand) {
    if state.deferred_commands.is_some() {
        state.defer(|| deferred_command);
    } else {
        emit_now(context, state, &deferred_command);
    }
}

/// Returns the handles of all `objects`, or `None` if an object has no handle.
fn handles(context: &mut Context<'_>, state: &mut ContextState, objects: &[ObjectId]) -> Option<Vec<DriverHandle>> {
    objects.iter().map(|object| handle_of(context, state, *object)).collect()
}

/// Emits the DDI call of a command. `None` if the driver cannot get the call or did not complete it.
pub(crate) fn emit_now(
    context: &mut Context<'_>,
    state: &mut ContextState,
    deferred_command: &DeferredCommand,
) -> Option<()> {
    let (of, device) = (state.id, state.device_handle);
    match deferred_command {
        DeferredCommand::Blend(BlendBinding { state: blend_state, factor, sample_mask }) => {
            let blend_state = handle_of(context, state, (*blend_state).into())?;
            let (blend_factor, sample_mask) = (factor.clone(), *sample_mask);
            state.record(context, ddi::SetBlendState { context: of, device, blend_state, blend_factor, sample_mask })
        }
        DeferredCommand::Views { at: (stage, start_slot), views } => {
            let (stage, start_slot, views) = (*stage, *start_slot, handles(context, state, views)?);
            let set = ddi::SetShaderResources { context: of, device, stage, start_slot, views };
            state.record_at(context, stage, set)
        }
        DeferredCommand::Buffers { at: (stage, start_slot), buffers } => {
            let (stage, start_slot, buffers) = (*stage, *start_slot, handles(context, state, buffers)?);
            let set = ddi::SetConstantBuffers { context: of, device, stage, start_slot, buffers };
            state.record_at(context, stage, set)
        }
        DeferredCommand::Samplers { at: (stage, start_slot), samplers } => {
            let (stage, start_slot, samplers) = (*stage, *start_slot, handles(context, state, samplers)?);
            let set = ddi::SetSamplers { context: of, device, stage, start_slot, samplers };
            state.record_at(context, stage, set)
        }
        DeferredCommand::Shader { stage, shader } => {
            let (stage, shader) = (*stage, handle_of(context, state, (*shader).into())?);
            state.record_at(context, stage, ddi::SetShader { context: of, device, stage, shader })
        }
        DeferredCommand::Topology(_)
        | DeferredCommand::InputLayout(_)
        | DeferredCommand::VertexBuffers { .. }
        | DeferredCommand::IndexBuffer(_)
        | DeferredCommand::Rasterizer(_)
        | DeferredCommand::Viewports(_)
        | DeferredCommand::Scissors(_) => geometry(context, state, deferred_command),
        DeferredCommand::Targets(_)
        | DeferredCommand::Unordered { .. }
        | DeferredCommand::DepthStencil(_)
        | DeferredCommand::Predication(_) => outputs(context, state, deferred_command),
        DeferredCommand::Copy { destination, source } => {
            let (destination, source) = (*destination, *source);
            let destination = handle_of(context, state, destination.into())?;
            let source = handle_of(context, state, source.into())?;
            state.record(context, ddi::ResourceCopy { context: of, device, destination, source })
        }
        DeferredCommand::Unmap { resource, subresource } => {
            let (resource, subresource) = (handle_of(context, state, (*resource).into())?, *subresource);
            state.record(context, ddi::DynamicResourceUnmap { context: of, device, resource, subresource })
        }
        // Map and ExecuteCommandList emit their DDI calls themselves, because those depend on the call's result.
        DeferredCommand::Map { .. } | DeferredCommand::Execute(_) => None,
        _ => work(context, state, deferred_command),
    }
}

fn geometry(context: &mut Context<'_>, state: &mut ContextState, deferred_command: &DeferredCommand) -> Option<()> {
    let (of, device) = (state.id, state.device_handle);
    match deferred_command {
        DeferredCommand::InputLayout(layout) => {
            let input_layout = handle_of(context, state, (*layout).into())?;
            state.record(context, ddi::IaSetInputLayout { context: of, device, input_layout })
        }
        DeferredCommand::VertexBuffers { start, buffers } => {
            let ids: Vec<ObjectId> = buffers.iter().map(|bound| bound.buffer.into()).collect();
            let set = ddi::IaSetVertexBuffers {
                context: of,
                device,
                start_slot: *start,
                buffers: handles(context, state, &ids)?,
                strides_bytes: buffers.iter().map(|bound| bound.stride_bytes).collect(),
                offsets_bytes: buffers.iter().map(|bound| bound.offset_bytes).collect(),
            };
            state.record(context, set)
        }
        DeferredCommand::IndexBuffer(bound) => {
            let buffer = handle_of(context, state, bound.buffer.into())?;
            let (format, offset_bytes) = (bound.format, bound.offset_bytes);
            state.record(context, ddi::IaSetIndexBuffer { context: of, device, buffer, format, offset_bytes })
        }
        DeferredCommand::Topology(topology) => {
            state.record(context, ddi::IaSetTopology { context: of, device, topology: *topology })
        }
        DeferredCommand::Rasterizer(bound) => {
            let rasterizer_state = handle_of(context, state, (*bound).into())?;
            state.record(context, ddi::SetRasterizerState { context: of, device, rasterizer_state })
        }
        DeferredCommand::Viewports(viewports) => {
            state.record(context, ddi::SetViewports { context: of, device, viewports: viewports.clone() })
        }
        DeferredCommand::Scissors(rects) => {
            state.record(context, ddi::SetScissorRects { context: of, device, rects: rects.clone() })
        }
        _ => None,
    }
}

fn outputs(context: &mut Context<'_>, state: &mut ContextState, deferred_command: &DeferredCommand) -> Option<()> {
    let (of, device) = (state.id, state.device_handle);
    match deferred_command {
        DeferredCommand::Targets(targets) => {
            let ids: Vec<ObjectId> = targets.render_targets.iter().map(|view| (*view).into()).collect();
            let render_targets = handles(context, state, &ids)?;
            let depth_stencil = handle_of(context, state, targets.depth_stencil.into())?;
            state.record(context, ddi::SetRenderTargets { context: of, device, render_targets, depth_stencil })
        }
        DeferredCommand::Unordered { start, views } => {
            let (start_slot, views) = (*start, handles(context, state, views)?);
            state.record(context, ddi::CsSetUnorderedAccessViews { context: of, device, start_slot, views })
        }
        DeferredCommand::DepthStencil(bound) => {
            let depth_stencil_state = handle_of(context, state, bound.depth_stencil_state.into())?;
            let stencil_ref = bound.stencil_ref;
            let set = ddi::SetDepthStencilState { context: of, device, depth_stencil_state, stencil_ref };
            state.record(context, set)
        }
        DeferredCommand::Predication(bound) => {
            let query = handle_of(context, state, bound.predicate.into())?;
            state.record(context, ddi::SetPredication { context: of, device, query, value: bound.value })
        }
        _ => None,
    }
}

fn work(context: &mut Context<'_>, state: &mut ContextState, deferred_command: &DeferredCommand) -> Option<()> {
    let (of, device) = (state.id, state.device_handle);
    match deferred_command.clone() {
        DeferredCommand::Draw { vertex_count, start_vertex } => {
            state.record(context, ddi::Draw { context: of, device, vertex_count, start_vertex })
        }
        DeferredCommand::DrawIndexed { index_count, start_index, base_vertex } => {
            state.record(context, ddi::DrawIndexed { context: of, device, index_count, start_index, base_vertex })
        }
        DeferredCommand::DrawInstanced {
            counts: [vertex_count, instance_count],
            starts: [start_vertex, start_instance],
        } => {
            let draw =
                ddi::DrawInstanced { context: of, device, vertex_count, instance_count, start_vertex, start_instance };
            state.record(context, draw)
        }
        DeferredCommand::DrawIndexedInstanced {
            counts: [index_count, instance_count],
            start_index,
            base_vertex,
            start_instance,
        } => {
            let counts = (index_count, instance_count);
            let draw = ddi::DrawIndexedInstanced {
                context: of,
                device,
                index_count: counts.0,
                instance_count: counts.1,
                start_index,
                base_vertex,
                start_instance,
            };
            state.record(context, draw)
        }
        DeferredCommand::Dispatch([x, y, z]) => state.record(context, ddi::Dispatch { context: of, device, x, y, z }),
        DeferredCommand::ClearTarget { view, color } => {
            let view = handle_of(context, state, view.into())?;
            state.record(context, ddi::ClearRenderTargetView { context: of, device, view, color })
        }
        DeferredCommand::ClearDepth { view, flags, depth, stencil } => {
            let view = handle_of(context, state, view.into())?;
            state.record(context, ddi::ClearDepthStencilView { context: of, device, view, flags, depth, stencil })
        }
        DeferredCommand::ClearUnordered { view, values } => {
            let view = handle_of(context, state, view.into())?;
            state.record(context, ddi::ClearUnorderedAccessViewUint { context: of, device, view, values })
        }
        DeferredCommand::Update { resource, subresource, size_bytes } => {
            let resource = handle_of(context, state, resource.into())?;
            let update = ddi::ResourceUpdateSubresource { context: of, device, resource, subresource, size_bytes };
            state.record(context, update)
        }
        DeferredCommand::QueryBegin(query) => {
            let query = handle_of(context, state, query.into())?;
            state.record(context, ddi::QueryBegin { context: of, device, query })
        }
        DeferredCommand::QueryEnd(query) => {
            let query = handle_of(context, state, query.into())?;
            state.record(context, ddi::QueryEnd { context: of, device, query })
        }
        _ => None,
    }
}
