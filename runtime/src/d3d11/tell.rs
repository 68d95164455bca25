//! A call of a context as its driver hears of it: told at once, or kept where the driver builds no command lists.

use super::context_state::ContextState;
use super::held::handle_of;
use crate::context::Context;
use crate::state::{BlendBinding, Token};
use taut_schemas::{DriverHandle, ObjectId, d3d11_context_ddi as ddi};

/// Tells the driver, or keeps the call.
pub(crate) fn tell(context: &mut Context<'_>, state: &mut ContextState, token: Token) {
    if state.tokens.is_some() {
        state.keep_token(|| token);
    } else {
        issue(context, state, &token);
    }
}

/// Their handles, all of them or none.
fn handles(context: &mut Context<'_>, state: &mut ContextState, objects: &[ObjectId]) -> Option<Vec<DriverHandle>> {
    objects.iter().map(|object| handle_of(context, state, *object)).collect()
}

/// Makes the call of the driver. `None` if it cannot be made, or nothing came of it.
pub(crate) fn issue(context: &mut Context<'_>, state: &mut ContextState, token: &Token) -> Option<()> {
    let (of, device) = (state.id, state.device_handle);
    match token {
        Token::Blend(BlendBinding { state: blend_state, factor, sample_mask }) => {
            let blend_state = handle_of(context, state, (*blend_state).into())?;
            let (blend_factor, sample_mask) = (factor.clone(), *sample_mask);
            state.record(context, ddi::SetBlendState { context: of, device, blend_state, blend_factor, sample_mask })
        }
        Token::Views { at: (stage, start_slot), views } => {
            let (stage, start_slot, views) = (*stage, *start_slot, handles(context, state, views)?);
            let set = ddi::SetShaderResources { context: of, device, stage, start_slot, views };
            state.record_at(context, stage, set)
        }
        Token::Buffers { at: (stage, start_slot), buffers } => {
            let (stage, start_slot, buffers) = (*stage, *start_slot, handles(context, state, buffers)?);
            let set = ddi::SetConstantBuffers { context: of, device, stage, start_slot, buffers };
            state.record_at(context, stage, set)
        }
        Token::Samplers { at: (stage, start_slot), samplers } => {
            let (stage, start_slot, samplers) = (*stage, *start_slot, handles(context, state, samplers)?);
            let set = ddi::SetSamplers { context: of, device, stage, start_slot, samplers };
            state.record_at(context, stage, set)
        }
        Token::Shader { stage, shader } => {
            let (stage, shader) = (*stage, handle_of(context, state, (*shader).into())?);
            state.record_at(context, stage, ddi::SetShader { context: of, device, stage, shader })
        }
        Token::Topology(_)
        | Token::InputLayout(_)
        | Token::VertexBuffers { .. }
        | Token::IndexBuffer(_)
        | Token::Rasterizer(_)
        | Token::Viewports(_)
        | Token::Scissors(_) => geometry(context, state, token),
        Token::Targets(_) | Token::Unordered { .. } | Token::DepthStencil(_) | Token::Predication(_) => {
            outputs(context, state, token)
        }
        Token::Copy { destination, source } => {
            let (destination, source) = (*destination, *source);
            let destination = handle_of(context, state, destination.into())?;
            let source = handle_of(context, state, source.into())?;
            state.record(context, ddi::ResourceCopy { context: of, device, destination, source })
        }
        Token::Unmap { resource, subresource } => {
            let (resource, subresource) = (handle_of(context, state, (*resource).into())?, *subresource);
            state.record(context, ddi::DynamicResourceUnmap { context: of, device, resource, subresource })
        }
        // These have no call of their own, or one that answers.
        Token::Map { .. } | Token::Execute(_) => None,
        _ => work(context, state, token),
    }
}

fn geometry(context: &mut Context<'_>, state: &mut ContextState, token: &Token) -> Option<()> {
    let (of, device) = (state.id, state.device_handle);
    match token {
        Token::InputLayout(layout) => {
            let input_layout = handle_of(context, state, (*layout).into())?;
            state.record(context, ddi::IaSetInputLayout { context: of, device, input_layout })
        }
        Token::VertexBuffers { start, buffers } => {
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
        Token::IndexBuffer(bound) => {
            let buffer = handle_of(context, state, bound.buffer.into())?;
            let (format, offset_bytes) = (bound.format, bound.offset_bytes);
            state.record(context, ddi::IaSetIndexBuffer { context: of, device, buffer, format, offset_bytes })
        }
        Token::Topology(topology) => {
            state.record(context, ddi::IaSetTopology { context: of, device, topology: *topology })
        }
        Token::Rasterizer(bound) => {
            let rasterizer_state = handle_of(context, state, (*bound).into())?;
            state.record(context, ddi::SetRasterizerState { context: of, device, rasterizer_state })
        }
        Token::Viewports(viewports) => {
            state.record(context, ddi::SetViewports { context: of, device, viewports: viewports.clone() })
        }
        Token::Scissors(rects) => {
            state.record(context, ddi::SetScissorRects { context: of, device, rects: rects.clone() })
        }
        _ => None,
    }
}

fn outputs(context: &mut Context<'_>, state: &mut ContextState, token: &Token) -> Option<()> {
    let (of, device) = (state.id, state.device_handle);
    match token {
        Token::Targets(targets) => {
            let ids: Vec<ObjectId> = targets.render_targets.iter().map(|view| (*view).into()).collect();
            let render_targets = handles(context, state, &ids)?;
            let depth_stencil = handle_of(context, state, targets.depth_stencil.into())?;
            state.record(context, ddi::SetRenderTargets { context: of, device, render_targets, depth_stencil })
        }
        Token::Unordered { start, views } => {
            let (start_slot, views) = (*start, handles(context, state, views)?);
            state.record(context, ddi::CsSetUnorderedAccessViews { context: of, device, start_slot, views })
        }
        Token::DepthStencil(bound) => {
            let depth_stencil_state = handle_of(context, state, bound.depth_stencil_state.into())?;
            let stencil_ref = bound.stencil_ref;
            let set = ddi::SetDepthStencilState { context: of, device, depth_stencil_state, stencil_ref };
            state.record(context, set)
        }
        Token::Predication(bound) => {
            let query = handle_of(context, state, bound.predicate.into())?;
            state.record(context, ddi::SetPredication { context: of, device, query, value: bound.value })
        }
        _ => None,
    }
}

fn work(context: &mut Context<'_>, state: &mut ContextState, token: &Token) -> Option<()> {
    let (of, device) = (state.id, state.device_handle);
    match token.clone() {
        Token::Draw { vertex_count, start_vertex } => {
            state.record(context, ddi::Draw { context: of, device, vertex_count, start_vertex })
        }
        Token::DrawIndexed { index_count, start_index, base_vertex } => {
            state.record(context, ddi::DrawIndexed { context: of, device, index_count, start_index, base_vertex })
        }
        Token::DrawInstanced { counts: [vertex_count, instance_count], starts: [start_vertex, start_instance] } => {
            let draw =
                ddi::DrawInstanced { context: of, device, vertex_count, instance_count, start_vertex, start_instance };
            state.record(context, draw)
        }
        Token::DrawIndexedInstanced {
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
        Token::Dispatch([x, y, z]) => state.record(context, ddi::Dispatch { context: of, device, x, y, z }),
        Token::ClearTarget { view, color } => {
            let view = handle_of(context, state, view.into())?;
            state.record(context, ddi::ClearRenderTargetView { context: of, device, view, color })
        }
        Token::ClearDepth { view, flags, depth, stencil } => {
            let view = handle_of(context, state, view.into())?;
            state.record(context, ddi::ClearDepthStencilView { context: of, device, view, flags, depth, stencil })
        }
        Token::ClearUnordered { view, values } => {
            let view = handle_of(context, state, view.into())?;
            state.record(context, ddi::ClearUnorderedAccessViewUint { context: of, device, view, values })
        }
        Token::Update { resource, subresource, size_bytes } => {
            let resource = handle_of(context, state, resource.into())?;
            let update = ddi::ResourceUpdateSubresource { context: of, device, resource, subresource, size_bytes };
            state.record(context, update)
        }
        Token::QueryBegin(query) => {
            let query = handle_of(context, state, query.into())?;
            state.record(context, ddi::QueryBegin { context: of, device, query })
        }
        Token::QueryEnd(query) => {
            let query = handle_of(context, state, query.into())?;
            state.record(context, ddi::QueryEnd { context: of, device, query })
        }
        _ => None,
    }
}
