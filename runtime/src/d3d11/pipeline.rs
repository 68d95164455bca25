//! What a context binds, and draws with. Each Set is one function: it takes hold of what it names, and tells the driver.

use super::context_state::ContextState;
use super::held::{begin, handle_of, hold};
use crate::context::Context;
use crate::state::{Bindings, BlendBinding, D3d11Kind, Objects, Token};
use taut_schemas::{
    D3d11ResourceId, D3d11StateId, DriverHandle, HResult, ObjectId, ShaderStage, d3d11, d3d11_context_ddi as ddi,
};

/// ID3D11DeviceContext::OMSetBlendState.
pub(crate) fn om_set_blend_state(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::OMSetBlendState,
) -> HResult<()> {
    begin(context, state, call.context)?;
    let is = |kind: &D3d11Kind| matches!(kind, D3d11Kind::BlendState(_));
    if call.blend_state != D3d11StateId::NULL {
        hold(context, state, objects, (call.blend_state.into(), "blend state", is))?;
    }
    let (factor, sample_mask) = (call.blend_factor.clone(), call.sample_mask);
    state.bindings.blend = BlendBinding { state: call.blend_state, factor, sample_mask };
    set_blend(context, state);
    Ok(())
}

/// ID3D11DeviceContext::VSSetShaderResources and so on.
pub(crate) fn set_shader_resources(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::SetShaderResources,
) -> HResult<()> {
    begin(context, state, call.context)?;
    let is = |kind: &D3d11Kind| matches!(kind, D3d11Kind::View(_));
    for view in call.views.iter().filter(|view| view.0 != 0) {
        hold(context, state, objects, ((*view).into(), "shader resource view", is))?;
    }
    Bindings::set(&mut state.bindings.views, call.stage, call.start_slot, &call.views);
    let views: Vec<ObjectId> = call.views.iter().map(|view| (*view).into()).collect();
    set_views(context, state, (call.stage, call.start_slot), &views);
    Ok(())
}

/// ID3D11DeviceContext::VSSetConstantBuffers and so on.
pub(crate) fn set_constant_buffers(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::SetConstantBuffers,
) -> HResult<()> {
    begin(context, state, call.context)?;
    let is = |kind: &D3d11Kind| matches!(kind, D3d11Kind::Resource(_));
    for buffer in call.buffers.iter().filter(|buffer| **buffer != D3d11ResourceId::NULL) {
        hold(context, state, objects, ((*buffer).into(), "Direct3D 11 resource", is))?;
    }
    Bindings::set(&mut state.bindings.constant_buffers, call.stage, call.start_slot, &call.buffers);
    let buffers: Vec<ObjectId> = call.buffers.iter().map(|buffer| (*buffer).into()).collect();
    set_buffers(context, state, (call.stage, call.start_slot), &buffers);
    Ok(())
}

/// ID3D11DeviceContext::Draw.
pub(crate) fn draw(context: &mut Context<'_>, state: &mut ContextState, call: &d3d11::Draw) -> HResult<()> {
    begin(context, state, call.context)?;
    refresh(context, state);
    let d3d11::Draw { vertex_count, start_vertex_location: start_vertex, .. } = *call;
    if state.keep_token(|| Token::Draw { vertex_count, start_vertex }) {
        return Ok(());
    }
    let draw = ddi::Draw { context: state.id, device: state.device_handle, vertex_count, start_vertex };
    state.record(context, draw);
    Ok(())
}

/// ID3D11DeviceContext::ClearState.
pub(crate) fn clear_state(
    context: &mut Context<'_>,
    state: &mut ContextState,
    call: &d3d11::ClearState,
) -> HResult<()> {
    begin(context, state, call.context)?;
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
    for (stage, slot) in bound.views.keys() {
        set_views(context, state, (ShaderStage(*stage), *slot), &[ObjectId::NULL]);
    }
    for (stage, slot) in bound.constant_buffers.keys() {
        set_buffers(context, state, (ShaderStage(*stage), *slot), &[ObjectId::NULL]);
    }
    if bound.blend != BlendBinding::default() {
        set_blend(context, state);
    }
}

/// Tells the driver what is bound, if it has forgotten it: after a command list, or a recording that was finished (rules H-63
/// and H-64).
fn refresh(context: &mut Context<'_>, state: &mut ContextState) {
    // What is bound while the driver hears nothing is told when it does again.
    if state.is_silent() || !std::mem::take(&mut state.is_stale) {
        return;
    }
    let bound = state.bindings.clone();
    for ((stage, slot), view) in &bound.views {
        set_views(context, state, (ShaderStage(*stage), *slot), &[(*view).into()]);
    }
    for ((stage, slot), buffer) in &bound.constant_buffers {
        set_buffers(context, state, (ShaderStage(*stage), *slot), &[(*buffer).into()]);
    }
    if bound.blend != BlendBinding::default() {
        set_blend(context, state);
    }
}

/// Their handles, all of them or none.
fn handles(context: &mut Context<'_>, state: &mut ContextState, objects: &[ObjectId]) -> Option<Vec<DriverHandle>> {
    objects.iter().map(|object| handle_of(context, state, *object)).collect()
}

pub(crate) fn set_blend(context: &mut Context<'_>, state: &mut ContextState) {
    let bound = state.bindings.blend.clone();
    if state.keep_token(|| Token::Blend(bound)) {
        return;
    }
    let BlendBinding { state: blend_state, factor, sample_mask } = state.bindings.blend.clone();
    let Some(blend_state) = handle_of(context, state, blend_state.into()) else { return };
    let (of, device) = (state.id, state.device_handle);
    state.record(context, ddi::SetBlendState { context: of, device, blend_state, blend_factor: factor, sample_mask });
}

pub(crate) fn set_views(
    context: &mut Context<'_>,
    state: &mut ContextState,
    (stage, start_slot): (ShaderStage, u32),
    views: &[ObjectId],
) {
    if state.keep_token(|| Token::Views { at: (stage, start_slot), views: views.to_vec() }) {
        return;
    }
    let Some(views) = handles(context, state, views) else { return };
    let (of, device) = (state.id, state.device_handle);
    state.record_at(context, stage, ddi::SetShaderResources { context: of, device, stage, start_slot, views });
}

pub(crate) fn set_buffers(
    context: &mut Context<'_>,
    state: &mut ContextState,
    (stage, start_slot): (ShaderStage, u32),
    buffers: &[ObjectId],
) {
    if state.keep_token(|| Token::Buffers { at: (stage, start_slot), buffers: buffers.to_vec() }) {
        return;
    }
    let Some(buffers) = handles(context, state, buffers) else { return };
    let (of, device) = (state.id, state.device_handle);
    state.record_at(context, stage, ddi::SetConstantBuffers { context: of, device, stage, start_slot, buffers });
}
