//! Draws, dispatches, clears, and UpdateSubresource.

use super::context_state::{ContextKind, ContextState};
use super::effect;
use super::held::{begin, hold, pass};
use super::open;
use super::pipeline::refresh;
use super::tell::{issue, tell};
use crate::context::{Context, no_such};
use crate::state::{Content, D3d11Kind, D3d11Object, D3d11View, Objects, Token, Work};
use taut_schemas::{D3d11ContextId, HResult, HResultCode, HandleType, ObjectId, Usage, d3d11};

macro_rules! draws {
    ($( $(#[$doc:meta])+ $method:ident $Name:ident($call:ident) $draws:expr, $token:expr; )*) => { $(
        $(#[$doc])+
        pub(crate) fn $method(
            context: &mut Context<'_>,
            state: &mut ContextState,
            $call: &d3d11::$Name,
        ) -> HResult<()> {
            begin(context, state, $call.context)?;
            refresh(context, state);
            if let Some(is_anything) = $draws {
                effect::draw(state, is_anything);
            }
            tell(context, state, $token);
            Ok(())
        }
    )* };
}

draws! {
    /// ID3D11DeviceContext::Draw.
    draw Draw(call) Some(call.vertex_count > 0),
        Token::Draw { vertex_count: call.vertex_count, start_vertex: call.start_vertex_location };
    /// ID3D11DeviceContext::DrawIndexed.
    draw_indexed DrawIndexed(call) Some(call.index_count > 0), Token::DrawIndexed {
        index_count: call.index_count,
        start_index: call.start_index_location,
        base_vertex: call.base_vertex_location,
    };
    /// ID3D11DeviceContext::DrawInstanced.
    draw_instanced DrawInstanced(call) Some(call.vertex_count_per_instance.min(call.instance_count) > 0),
        Token::DrawInstanced {
            counts: [call.vertex_count_per_instance, call.instance_count],
            starts: [call.start_vertex_location, call.start_instance_location],
        };
    /// ID3D11DeviceContext::DrawIndexedInstanced.
    draw_indexed_instanced DrawIndexedInstanced(call)
        Some(call.index_count_per_instance.min(call.instance_count) > 0), Token::DrawIndexedInstanced {
            counts: [call.index_count_per_instance, call.instance_count],
            start_index: call.start_index_location,
            base_vertex: call.base_vertex_location,
            start_instance: call.start_instance_location,
        };
    /// ID3D11DeviceContext::Dispatch.
    dispatch Dispatch(call) None,
        Token::Dispatch([call.thread_group_count_x, call.thread_group_count_y, call.thread_group_count_z]);
}

/// What an object is that a call names, whether the context holds it or the call has locked it.
pub(crate) fn known(
    context: &mut Context<'_>,
    state: &ContextState,
    objects: &mut dyn Objects,
    (id, handle_type, kind): (ObjectId, HandleType, &str),
) -> HResult<D3d11Object> {
    let held = state.held.get(&id).map(|held| held.object.clone());
    let locked = || if id == ObjectId::from(state.id) { None } else { open::find(objects, id).cloned() };
    let found = held.or_else(locked).filter(|object| object.kind.handle_type() == Some(handle_type));
    let Some(object) = found else { return no_such(context, kind, id) };
    if object.device != state.device {
        let text = format_args!("Object {} belongs to device {}, not to {}.", id.0, object.device.0, state.device.0);
        return context.refuse(HResultCode::E_INVALIDARG, id, text);
    }
    Ok(object)
}

/// Tells the driver of a call that names an object and binds none: a deferred context holds the object, the immediate one passes
/// it on.
pub(crate) fn tell_of(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    (id, token): (ObjectId, Token),
) -> HResult<()> {
    if state.tokens.is_some() {
        hold(context, state, objects, (id, "Direct3D 11 object", |_| true))?;
        tell(context, state, token);
    } else if let Some(handle) = pass(context, state, objects, id)? {
        let passes = state.kind == ContextKind::Immediate && !state.held.contains_key(&id);
        if passes {
            state.playing.insert(id, handle);
        }
        issue(context, state, &token);
        if passes {
            state.playing.remove(&id);
        }
        state.passed();
    }
    Ok(())
}

/// The view that a clear names.
fn view(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    (of, id, handle_type): (D3d11ContextId, ObjectId, HandleType),
) -> HResult<D3d11View> {
    begin(context, state, of)?;
    let object = known(context, state, objects, (id, handle_type, "view that can be cleared so"))?;
    match object.kind {
        D3d11Kind::View(view) => Ok(view),
        _ => Err(HResultCode::E_HANDLE),
    }
}

/// ID3D11DeviceContext::ClearRenderTargetView.
pub(crate) fn clear_render_target_view(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::ClearRenderTargetView,
) -> HResult<()> {
    let id = ObjectId::from(call.view);
    let view = view(context, state, objects, (call.context, id, HandleType::RENDERTARGETVIEW))?;
    let colour = call.color.as_slice().try_into().map_or(Content::Unknown, Content::Colour);
    tell_of(context, state, objects, (id, Token::ClearTarget { view: call.view, color: call.color.clone() }))?;
    effect::work(state, effect::filled(&view, colour));
    Ok(())
}

/// ID3D11DeviceContext::ClearDepthStencilView.
pub(crate) fn clear_depth_stencil_view(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::ClearDepthStencilView,
) -> HResult<()> {
    let id = ObjectId::from(call.view);
    let view = view(context, state, objects, (call.context, id, HandleType::DEPTHSTENCILVIEW))?;
    let d3d11::ClearDepthStencilView { clear_flags: flags, depth, stencil, .. } = *call;
    tell_of(context, state, objects, (id, Token::ClearDepth { view: call.view, flags, depth, stencil }))?;
    effect::work(state, effect::filled(&view, Content::Unknown));
    Ok(())
}

/// ID3D11DeviceContext::ClearUnorderedAccessViewUint.
pub(crate) fn clear_unordered_access_view_uint(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::ClearUnorderedAccessViewUint,
) -> HResult<()> {
    let id = ObjectId::from(call.view);
    let view = view(context, state, objects, (call.context, id, HandleType::UNORDEREDACCESSVIEW))?;
    tell_of(context, state, objects, (id, Token::ClearUnordered { view: call.view, values: call.values.clone() }))?;
    effect::work(state, effect::filled(&view, Content::Unknown));
    Ok(())
}

/// ID3D11DeviceContext::UpdateSubresource.
pub(crate) fn update_subresource(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::UpdateSubresource,
) -> HResult<()> {
    begin(context, state, call.context)?;
    let id = ObjectId::from(call.resource);
    let object = known(context, state, objects, (id, HandleType::RESOURCE, "Direct3D 11 resource"))?;
    let D3d11Kind::Resource(resource) = &object.kind else { return Err(HResultCode::E_HANDLE) };
    if resource.desc.usage != Usage::DEFAULT || call.subresource >= resource.subresources() {
        let text = format_args!("UpdateSubresource: resource {} is no default one, or has no such subresource.", id.0);
        return context.refuse(HResultCode::E_INVALIDARG, id, text);
    }
    let (subresource, size_bytes) = (call.subresource, call.data.0.len() as u64);
    tell_of(context, state, objects, (id, Token::Update { resource: call.resource, subresource, size_bytes }))?;
    let content = if subresource == 0 { Content::bytes(&call.data.0) } else { Content::Unknown };
    effect::work(state, Work::Fill { resource: call.resource, content });
    Ok(())
}
