//! Pipeline state of a context. Each Set call adds references, resolves hazards, and emits the DDI call.

use super::context_state::ContextState;
use super::effect::predicate;
use super::emit::emit;
use super::hazards;
use super::held::{HoldTarget, begin, hold};
use crate::context::Context;
use crate::state::{Bindings, BlendBinding, D3d11Kind, DeferredCommand, Objects};
use taut_schemas::{
    D3d11ContextId, DepthStencilStateBinding, HResult, HResultCode, HandleType, IndexBufferBinding, ObjectId,
    PredicationBinding, RenderTargetBinding, d3d11,
};

/// Max slots of a kind per stage (D3D11_COMMONSHADER_INPUT_RESOURCE_SLOT_COUNT, the largest of the slot counts).
const SLOTS: usize = 128;

/// D3D11_SIMULTANEOUS_RENDER_TARGET_COUNT.
const TARGETS: usize = 8;

macro_rules! sets {
    ($( $(#[$doc:meta])+ $method:ident $Name:ident($call:ident) $deferred_command:expr; )*) => { $(
        $(#[$doc])+
        pub(crate) fn $method(
            context: &mut Context<'_>,
            state: &mut ContextState,
            objects: &mut dyn Objects,
            $call: &d3d11::$Name,
        ) -> HResult<()> {
            bind(context, state, objects, BindCall { context: $call.context, name: stringify!($Name), deferred_command: $deferred_command })
        }
    )* };
}

/// Converts ids of one type to object ids.
fn ids<T: Copy + Into<ObjectId>>(of: &[T]) -> Vec<ObjectId> {
    of.iter().map(|of| (*of).into()).collect()
}

sets! {
    /// ID3D11DeviceContext::OMSetBlendState.
    om_set_blend_state OMSetBlendState(call) DeferredCommand::Blend(BlendBinding {
        state: call.blend_state,
        factor: call.blend_factor.clone(),
        sample_mask: call.sample_mask,
    });
    /// ID3D11DeviceContext::VSSetShaderResources and so on.
    set_shader_resources SetShaderResources(call)
        DeferredCommand::Views { at: (call.stage, call.start_slot), views: ids(&call.views) };
    /// ID3D11DeviceContext::VSSetConstantBuffers and so on.
    set_constant_buffers SetConstantBuffers(call)
        DeferredCommand::Buffers { at: (call.stage, call.start_slot), buffers: ids(&call.buffers) };
    /// ID3D11DeviceContext::VSSetSamplers and so on.
    set_samplers SetSamplers(call)
        DeferredCommand::Samplers { at: (call.stage, call.start_slot), samplers: ids(&call.samplers) };
    /// ID3D11DeviceContext::VSSetShader and so on.
    set_shader SetShader(call) DeferredCommand::Shader { stage: call.stage, shader: call.shader };
    /// ID3D11DeviceContext::IASetInputLayout.
    ia_set_input_layout IASetInputLayout(call) DeferredCommand::InputLayout(call.input_layout);
    /// ID3D11DeviceContext::IASetVertexBuffers.
    ia_set_vertex_buffers IASetVertexBuffers(call)
        DeferredCommand::VertexBuffers { start: call.start_slot, buffers: call.vertex_buffers.clone() };
    /// ID3D11DeviceContext::IASetIndexBuffer.
    ia_set_index_buffer IASetIndexBuffer(call) DeferredCommand::IndexBuffer(IndexBufferBinding {
        buffer: call.index_buffer,
        format: call.format,
        offset_bytes: call.offset_bytes,
    });
    /// ID3D11DeviceContext::IASetPrimitiveTopology.
    ia_set_primitive_topology IASetPrimitiveTopology(call) DeferredCommand::Topology(call.topology);
    /// ID3D11DeviceContext::RSSetState.
    rs_set_state RSSetState(call) DeferredCommand::Rasterizer(call.rasterizer_state);
    /// ID3D11DeviceContext::RSSetViewports.
    rs_set_viewports RSSetViewports(call) DeferredCommand::Viewports(call.viewports.clone());
    /// ID3D11DeviceContext::RSSetScissorRects.
    rs_set_scissor_rects RSSetScissorRects(call) DeferredCommand::Scissors(call.rects.clone());
    /// ID3D11DeviceContext::OMSetRenderTargets.
    om_set_render_targets OMSetRenderTargets(call) DeferredCommand::Targets(RenderTargetBinding {
        render_targets: call.render_targets.clone(),
        depth_stencil: call.depth_stencil,
    });
    /// ID3D11DeviceContext::OMSetDepthStencilState.
    om_set_depth_stencil_state OMSetDepthStencilState(call) DeferredCommand::DepthStencil(DepthStencilStateBinding {
        depth_stencil_state: call.depth_stencil_state,
        stencil_ref: call.stencil_ref,
    });
    /// ID3D11DeviceContext::CSSetUnorderedAccessViews.
    cs_set_unordered_access_views CSSetUnorderedAccessViews(call)
        DeferredCommand::Unordered { start: call.start_slot, views: ids(&call.views) };
    /// ID3D11DeviceContext::SetPredication.
    set_predication SetPredication(call)
        DeferredCommand::Predication(PredicationBinding { predicate: call.predicate, value: call.value });
}

/// Call that binds objects.
struct BindCall<'n> {
    context: D3d11ContextId,
    name: &'n str,
    deferred_command: DeferredCommand,
}

/// Binds the objects that `deferred_command` names.
fn bind(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: BindCall<'_>,
) -> HResult<()> {
    let BindCall { context: id, name, mut deferred_command } = call;
    begin(context, state, id)?;
    // Stages are 0 to 5: vertex, hull, domain, geometry, pixel, compute.
    if !has_slots(&deferred_command) {
        let text = format_args!("{name}: there is no such stage or slot.");
        return context.refuse(HResultCode::E_INVALIDARG, id, text);
    }
    for (object, handle_type, kind) in named(&deferred_command) {
        let is = |of: &D3d11Kind| of.handle_type() == Some(handle_type);
        hold(context, state, objects, HoldTarget { id: object, kind, is })?;
    }
    // Work that follows depends on the predicate, in contents as well as in the driver.
    if let DeferredCommand::Predication(bound) = &deferred_command {
        predicate(state, bound);
    }
    // Rule H-83 applies before the binding: the driver never has an input and an output of one resource bound at once.
    hazards::resolve(context, state, &mut deferred_command);
    state.bindings.apply(&deferred_command);
    emit(context, state, deferred_command);
    Ok(())
}

/// True if the shader stage and the slots exist.
fn has_slots(deferred_command: &DeferredCommand) -> bool {
    let fits = |start: u32, count: usize| start as usize + count <= SLOTS;
    match deferred_command {
        DeferredCommand::Views { at, views: of }
        | DeferredCommand::Buffers { at, buffers: of }
        | DeferredCommand::Samplers { at, samplers: of } => at.0.0 <= 5 && fits(at.1, of.len()),
        DeferredCommand::Shader { stage, .. } => stage.0 <= 5,
        DeferredCommand::VertexBuffers { start, buffers } => fits(*start, buffers.len()),
        DeferredCommand::Unordered { start, views } => fits(*start, views.len()),
        DeferredCommand::Targets(targets) => targets.render_targets.len() <= TARGETS,
        _ => true,
    }
}

/// The objects that a command binds, each with its required handle type and the name of that type.
fn named(deferred_command: &DeferredCommand) -> Vec<(ObjectId, HandleType, &'static str)> {
    let all = |of: &[ObjectId], handle_type: HandleType, kind: &'static str| {
        of.iter().map(|object| (*object, handle_type, kind)).collect::<Vec<_>>()
    };
    let resource = (HandleType::RESOURCE, "Direct3D 11 resource");
    let mut objects = match deferred_command {
        DeferredCommand::Blend(blend) => all(&[blend.state.into()], HandleType::BLENDSTATE, "blend state"),
        DeferredCommand::Views { views, .. } => all(views, HandleType::SHADERRESOURCEVIEW, "shader resource view"),
        DeferredCommand::Buffers { buffers, .. } => all(buffers, resource.0, resource.1),
        DeferredCommand::Samplers { samplers, .. } => all(samplers, HandleType::SAMPLERSTATE, "sampler"),
        DeferredCommand::Shader { shader, .. } => all(&[(*shader).into()], HandleType::SHADER, "shader"),
        DeferredCommand::InputLayout(layout) => all(&[(*layout).into()], HandleType::ELEMENTLAYOUT, "input layout"),
        DeferredCommand::VertexBuffers { buffers, .. } => {
            buffers.iter().map(|bound| (bound.buffer.into(), resource.0, resource.1)).collect()
        }
        DeferredCommand::IndexBuffer(bound) => all(&[bound.buffer.into()], resource.0, resource.1),
        DeferredCommand::Rasterizer(state) => all(&[(*state).into()], HandleType::RASTERIZERSTATE, "rasterizer state"),
        DeferredCommand::Targets(targets) => {
            let mut objects = all(&ids(&targets.render_targets), HandleType::RENDERTARGETVIEW, "render target view");
            objects.push((targets.depth_stencil.into(), HandleType::DEPTHSTENCILVIEW, "depth-stencil view"));
            objects
        }
        DeferredCommand::Unordered { views, .. } => {
            all(views, HandleType::UNORDEREDACCESSVIEW, "unordered access view")
        }
        DeferredCommand::DepthStencil(bound) => {
            all(&[bound.depth_stencil_state.into()], HandleType::DEPTHSTENCILSTATE, "depth-stencil state")
        }
        DeferredCommand::Predication(bound) => all(&[bound.predicate.into()], HandleType::QUERY, "predicate"),
        _ => Vec::new(),
    };
    objects.retain(|(object, ..)| *object != ObjectId::NULL);
    objects
}

/// ID3D11DeviceContext::ClearState.
pub(crate) fn clear_state(
    context: &mut Context<'_>,
    state: &mut ContextState,
    call: &d3d11::ClearState,
) -> HResult<()> {
    begin(context, state, call.context)?;
    predicate(state, &PredicationBinding::default());
    unbind(context, state);
    Ok(())
}

/// Removes all bindings.
pub(crate) fn unbind(context: &mut Context<'_>, state: &mut ContextState) {
    let bound = std::mem::take(&mut state.bindings);
    // The driver does not have stale bindings, so they need no clearing calls.
    if std::mem::take(&mut state.bindings_stale) {
        return;
    }
    for deferred_command in bound.clearing() {
        emit(context, state, deferred_command);
    }
}

/// Emits all bindings again if the driver no longer has them: after a command list, or after a finished recording
/// (rules H-63 and H-64).
pub(crate) fn emit_stale_bindings(context: &mut Context<'_>, state: &mut ContextState) {
    // The flag persists while the driver gets no calls, so that the bindings are emitted later.
    if state.skips_driver() || !std::mem::take(&mut state.bindings_stale) {
        return;
    }
    for deferred_command in Bindings::deferred_commands(&state.bindings) {
        emit(context, state, deferred_command);
    }
}
