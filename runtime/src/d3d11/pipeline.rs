//! What a context binds. Each Set takes hold of what it names, settles hazards, and tells the driver.

use super::context_state::ContextState;
use super::effect::predicate;
use super::hazards;
use super::held::{begin, hold};
use super::tell::tell;
use crate::context::Context;
use crate::state::{Bindings, BlendBinding, D3d11Kind, Objects, Token};
use taut_schemas::{
    D3d11ContextId, DepthStencilStateBinding, HResult, HResultCode, HandleType, IndexBufferBinding, ObjectId,
    PredicationBinding, RenderTargetBinding, d3d11,
};

/// Slots of a kind that a stage has at most (D3D11_COMMONSHADER_INPUT_RESOURCE_SLOT_COUNT, the greatest of them).
const SLOTS: usize = 128;

/// D3D11_SIMULTANEOUS_RENDER_TARGET_COUNT.
const TARGETS: usize = 8;

macro_rules! sets {
    ($( $(#[$doc:meta])+ $method:ident $Name:ident($call:ident) $token:expr; )*) => { $(
        $(#[$doc])+
        pub(crate) fn $method(
            context: &mut Context<'_>,
            state: &mut ContextState,
            objects: &mut dyn Objects,
            $call: &d3d11::$Name,
        ) -> HResult<()> {
            bind(context, state, objects, ($call.context, stringify!($Name), $token))
        }
    )* };
}

/// Any of these as objects.
fn ids<T: Copy + Into<ObjectId>>(of: &[T]) -> Vec<ObjectId> {
    of.iter().map(|of| (*of).into()).collect()
}

sets! {
    /// ID3D11DeviceContext::OMSetBlendState.
    om_set_blend_state OMSetBlendState(call) Token::Blend(BlendBinding {
        state: call.blend_state,
        factor: call.blend_factor.clone(),
        sample_mask: call.sample_mask,
    });
    /// ID3D11DeviceContext::VSSetShaderResources and so on.
    set_shader_resources SetShaderResources(call)
        Token::Views { at: (call.stage, call.start_slot), views: ids(&call.views) };
    /// ID3D11DeviceContext::VSSetConstantBuffers and so on.
    set_constant_buffers SetConstantBuffers(call)
        Token::Buffers { at: (call.stage, call.start_slot), buffers: ids(&call.buffers) };
    /// ID3D11DeviceContext::VSSetSamplers and so on.
    set_samplers SetSamplers(call)
        Token::Samplers { at: (call.stage, call.start_slot), samplers: ids(&call.samplers) };
    /// ID3D11DeviceContext::VSSetShader and so on.
    set_shader SetShader(call) Token::Shader { stage: call.stage, shader: call.shader };
    /// ID3D11DeviceContext::IASetInputLayout.
    ia_set_input_layout IASetInputLayout(call) Token::InputLayout(call.input_layout);
    /// ID3D11DeviceContext::IASetVertexBuffers.
    ia_set_vertex_buffers IASetVertexBuffers(call)
        Token::VertexBuffers { start: call.start_slot, buffers: call.vertex_buffers.clone() };
    /// ID3D11DeviceContext::IASetIndexBuffer.
    ia_set_index_buffer IASetIndexBuffer(call) Token::IndexBuffer(IndexBufferBinding {
        buffer: call.index_buffer,
        format: call.format,
        offset_bytes: call.offset_bytes,
    });
    /// ID3D11DeviceContext::IASetPrimitiveTopology.
    ia_set_primitive_topology IASetPrimitiveTopology(call) Token::Topology(call.topology);
    /// ID3D11DeviceContext::RSSetState.
    rs_set_state RSSetState(call) Token::Rasterizer(call.rasterizer_state);
    /// ID3D11DeviceContext::RSSetViewports.
    rs_set_viewports RSSetViewports(call) Token::Viewports(call.viewports.clone());
    /// ID3D11DeviceContext::RSSetScissorRects.
    rs_set_scissor_rects RSSetScissorRects(call) Token::Scissors(call.rects.clone());
    /// ID3D11DeviceContext::OMSetRenderTargets.
    om_set_render_targets OMSetRenderTargets(call) Token::Targets(RenderTargetBinding {
        render_targets: call.render_targets.clone(),
        depth_stencil: call.depth_stencil,
    });
    /// ID3D11DeviceContext::OMSetDepthStencilState.
    om_set_depth_stencil_state OMSetDepthStencilState(call) Token::DepthStencil(DepthStencilStateBinding {
        depth_stencil_state: call.depth_stencil_state,
        stencil_ref: call.stencil_ref,
    });
    /// ID3D11DeviceContext::CSSetUnorderedAccessViews.
    cs_set_unordered_access_views CSSetUnorderedAccessViews(call)
        Token::Unordered { start: call.start_slot, views: ids(&call.views) };
    /// ID3D11DeviceContext::SetPredication.
    set_predication SetPredication(call)
        Token::Predication(PredicationBinding { predicate: call.predicate, value: call.value });
}

/// Binds what a call names.
fn bind(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    (id, name, mut token): (D3d11ContextId, &str, Token),
) -> HResult<()> {
    begin(context, state, id)?;
    if !has_slots(&token) {
        let text = format_args!("{name}: there is no such stage or slot.");
        return context.refuse(HResultCode::E_INVALIDARG, id, text);
    }
    for (object, handle_type, kind) in named(&token) {
        let is = |of: &D3d11Kind| of.handle_type() == Some(handle_type);
        hold(context, state, objects, (object, kind, is))?;
    }
    if let Token::Predication(bound) = &token {
        predicate(state, bound);
    }
    hazards::settle(context, state, &mut token);
    state.bindings.apply(&token);
    tell(context, state, token);
    Ok(())
}

/// The stage and the slots are there.
fn has_slots(token: &Token) -> bool {
    let fits = |start: u32, count: usize| start as usize + count <= SLOTS;
    match token {
        Token::Views { at, views: of } | Token::Buffers { at, buffers: of } | Token::Samplers { at, samplers: of } => {
            at.0.0 <= 5 && fits(at.1, of.len())
        }
        Token::Shader { stage, .. } => stage.0 <= 5,
        Token::VertexBuffers { start, buffers } => fits(*start, buffers.len()),
        Token::Unordered { start, views } => fits(*start, views.len()),
        Token::Targets(targets) => targets.render_targets.len() <= TARGETS,
        _ => true,
    }
}

/// The objects that a call binds, each with what it has to be.
fn named(token: &Token) -> Vec<(ObjectId, HandleType, &'static str)> {
    let all = |of: &[ObjectId], handle_type: HandleType, kind: &'static str| {
        of.iter().map(|object| (*object, handle_type, kind)).collect::<Vec<_>>()
    };
    let resource = (HandleType::RESOURCE, "Direct3D 11 resource");
    let mut objects = match token {
        Token::Blend(blend) => all(&[blend.state.into()], HandleType::BLENDSTATE, "blend state"),
        Token::Views { views, .. } => all(views, HandleType::SHADERRESOURCEVIEW, "shader resource view"),
        Token::Buffers { buffers, .. } => all(buffers, resource.0, resource.1),
        Token::Samplers { samplers, .. } => all(samplers, HandleType::SAMPLERSTATE, "sampler"),
        Token::Shader { shader, .. } => all(&[(*shader).into()], HandleType::SHADER, "shader"),
        Token::InputLayout(layout) => all(&[(*layout).into()], HandleType::ELEMENTLAYOUT, "input layout"),
        Token::VertexBuffers { buffers, .. } => {
            buffers.iter().map(|bound| (bound.buffer.into(), resource.0, resource.1)).collect()
        }
        Token::IndexBuffer(bound) => all(&[bound.buffer.into()], resource.0, resource.1),
        Token::Rasterizer(state) => all(&[(*state).into()], HandleType::RASTERIZERSTATE, "rasterizer state"),
        Token::Targets(targets) => {
            let mut objects = all(&ids(&targets.render_targets), HandleType::RENDERTARGETVIEW, "render target view");
            objects.push((targets.depth_stencil.into(), HandleType::DEPTHSTENCILVIEW, "depth-stencil view"));
            objects
        }
        Token::Unordered { views, .. } => all(views, HandleType::UNORDEREDACCESSVIEW, "unordered access view"),
        Token::DepthStencil(bound) => {
            all(&[bound.depth_stencil_state.into()], HandleType::DEPTHSTENCILSTATE, "depth-stencil state")
        }
        Token::Predication(bound) => all(&[bound.predicate.into()], HandleType::QUERY, "predicate"),
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

/// Nothing is bound any more.
pub(crate) fn unbind(context: &mut Context<'_>, state: &mut ContextState) {
    let bound = std::mem::take(&mut state.bindings);
    // Bindings that the driver was not told of are not taken back either.
    if std::mem::take(&mut state.is_stale) {
        return;
    }
    for token in bound.clearing() {
        tell(context, state, token);
    }
}

/// Tells the driver what is bound, if it has forgotten it: after a command list, or a recording that was finished (rules H-63
/// and H-64).
pub(crate) fn refresh(context: &mut Context<'_>, state: &mut ContextState) {
    // What is bound while the driver hears nothing is told when it does again.
    if state.is_silent() || !std::mem::take(&mut state.is_stale) {
        return;
    }
    for token in Bindings::tokens(&state.bindings) {
        tell(context, state, token);
    }
}
