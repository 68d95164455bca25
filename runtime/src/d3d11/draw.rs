//! Draws, dispatches, clears, and UpdateSubresource.

use super::context_state::{ContextKind, ContextState};
use super::effect;
use super::emit::{emit, emit_now};
use super::held::{HoldTarget, begin, handle_for_call, hold};
use super::open;
use super::pipeline::emit_stale_bindings;
use crate::context::{Context, no_such_object};
use crate::state::{Content, ContextWork, D3d11Kind, D3d11Object, D3d11View, DeferredCommand, Objects};
use taut_schemas::{D3d11ContextId, HResult, HResultCode, HandleType, ObjectId, Usage, d3d11};

macro_rules! draws {
    ($( $(#[$doc:meta])+ $method:ident $Name:ident($call:ident) $draws:expr, $deferred_command:expr; )*) => { $(
        $(#[$doc])+
        pub(crate) fn $method(
            context: &mut Context<'_>,
            state: &mut ContextState,
            $call: &d3d11::$Name,
        ) -> HResult<()> {
            begin(context, state, $call.context)?;
            // The driver needs the current bindings before the draw.
            emit_stale_bindings(context, state);
            if let Some(is_anything) = $draws {
                effect::draw(state, is_anything);
            }
            emit(context, state, $deferred_command);
            Ok(())
        }
    )* };
}

draws! {
    /// ID3D11DeviceContext::Draw.
    draw Draw(call) Some(call.vertex_count > 0),
        DeferredCommand::Draw { vertex_count: call.vertex_count, start_vertex: call.start_vertex_location };
    /// ID3D11DeviceContext::DrawIndexed.
    draw_indexed DrawIndexed(call) Some(call.index_count > 0), DeferredCommand::DrawIndexed {
        index_count: call.index_count,
        start_index: call.start_index_location,
        base_vertex: call.base_vertex_location,
    };
    /// ID3D11DeviceContext::DrawInstanced.
    draw_instanced DrawInstanced(call) Some(call.vertex_count_per_instance.min(call.instance_count) > 0),
        DeferredCommand::DrawInstanced {
            counts: [call.vertex_count_per_instance, call.instance_count],
            starts: [call.start_vertex_location, call.start_instance_location],
        };
    /// ID3D11DeviceContext::DrawIndexedInstanced.
    draw_indexed_instanced DrawIndexedInstanced(call)
        Some(call.index_count_per_instance.min(call.instance_count) > 0), DeferredCommand::DrawIndexedInstanced {
            counts: [call.index_count_per_instance, call.instance_count],
            start_index: call.start_index_location,
            base_vertex: call.base_vertex_location,
            start_instance: call.start_instance_location,
        };
    /// ID3D11DeviceContext::Dispatch.
    dispatch Dispatch(call) None,
        DeferredCommand::Dispatch([call.thread_group_count_x, call.thread_group_count_y, call.thread_group_count_z]);
}

/// Object that a call names.
pub(crate) struct NamedObject {
    pub id: ObjectId,
    pub handle_type: HandleType,
    /// Kind in the text of an error.
    pub kind: &'static str,
}

/// Copies the state of an object that a call names, from the context's reference or the objects that the call has
/// locked.
pub(crate) fn named_object(
    context: &mut Context<'_>,
    state: &ContextState,
    objects: &mut dyn Objects,
    named: NamedObject,
) -> HResult<D3d11Object> {
    let NamedObject { id, handle_type, kind } = named;
    let held = state.held.get(&id).map(|held| held.object.clone());
    let locked = || if id == ObjectId::from(state.id) { None } else { open::find(objects, id).cloned() };
    let found = held.or_else(locked).filter(|object| object.kind.handle_type() == Some(handle_type));
    let Some(object) = found else { return no_such_object(context, kind, id) };
    if object.device != state.device {
        let text = format_args!("Object {} belongs to device {}, not to {}.", id.0, object.device.0, state.device.0);
        return context.refuse(HResultCode::E_INVALIDARG, id, text);
    }
    Ok(object)
}

/// Emits a DDI call that names an object without binding it: a deferred context adds a reference to the object, the
/// immediate context passes its handle on.
pub(crate) fn emit_for_object(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    id: ObjectId,
    deferred_command: DeferredCommand,
) -> HResult<()> {
    if state.deferred_commands.is_some() {
        hold(context, state, objects, HoldTarget { id, kind: "Direct3D 11 object", is: |_| true })?;
        emit(context, state, deferred_command);
    } else if let Some(handle) = handle_for_call(context, state, objects, id)? {
        let passes = state.kind == ContextKind::Immediate && !state.held.contains_key(&id);
        if passes {
            state.executing_handles.insert(id, handle);
        }
        emit_now(context, state, &deferred_command);
        if passes {
            state.executing_handles.remove(&id);
        }
        state.forget_passed_handles();
    }
    Ok(())
}

/// View that a clear call names.
struct ClearedView {
    context: D3d11ContextId,
    id: ObjectId,
    handle_type: HandleType,
}

/// The view of a clear call.
fn view(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    cleared: ClearedView,
) -> HResult<D3d11View> {
    let ClearedView { context: of, id, handle_type } = cleared;
    begin(context, state, of)?;
    let object =
        named_object(context, state, objects, NamedObject { id, handle_type, kind: "view that can be cleared so" })?;
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
    let view = view(
        context,
        state,
        objects,
        ClearedView { context: call.context, id, handle_type: HandleType::RENDERTARGETVIEW },
    )?;
    // Contents of a target with other than four channel values are not modelled.
    let colour = call.color.as_slice().try_into().map_or(Content::Unknown, Content::Colour);
    emit_for_object(
        context,
        state,
        objects,
        id,
        DeferredCommand::ClearTarget { view: call.view, color: call.color.clone() },
    )?;
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
    let view = view(
        context,
        state,
        objects,
        ClearedView { context: call.context, id, handle_type: HandleType::DEPTHSTENCILVIEW },
    )?;
    let d3d11::ClearDepthStencilView { clear_flags: flags, depth, stencil, .. } = *call;
    emit_for_object(
        context,
        state,
        objects,
        id,
        DeferredCommand::ClearDepth { view: call.view, flags, depth, stencil },
    )?;
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
    let view = view(
        context,
        state,
        objects,
        ClearedView { context: call.context, id, handle_type: HandleType::UNORDEREDACCESSVIEW },
    )?;
    emit_for_object(
        context,
        state,
        objects,
        id,
        DeferredCommand::ClearUnordered { view: call.view, values: call.values.clone() },
    )?;
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
    let object = named_object(
        context,
        state,
        objects,
        NamedObject { id, handle_type: HandleType::RESOURCE, kind: "Direct3D 11 resource" },
    )?;
    let D3d11Kind::Resource(resource) = &object.kind else { return Err(HResultCode::E_HANDLE) };
    // Dynamic, staging and immutable resources cannot be the destination of UpdateSubresource.
    if resource.desc.usage != Usage::DEFAULT || call.subresource >= resource.subresources() {
        let text = format_args!("UpdateSubresource: resource {} is no default one, or has no such subresource.", id.0);
        return context.refuse(HResultCode::E_INVALIDARG, id, text);
    }
    let (subresource, size_bytes) = (call.subresource, call.data.0.len() as u64);
    emit_for_object(
        context,
        state,
        objects,
        id,
        DeferredCommand::Update { resource: call.resource, subresource, size_bytes },
    )?;
    // Only contents of the first subresource are modelled.
    let content = if subresource == 0 { Content::bytes(&call.data.0) } else { Content::Unknown };
    effect::work(state, ContextWork::Fill { resource: call.resource, content });
    Ok(())
}
