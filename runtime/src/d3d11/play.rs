//! A recording that the runtime kept is played on the immediate context (rule H-82).

use super::context_state::ContextState;
use super::held::handle_of;
use super::pipeline::{set_blend, set_buffers, set_views, unbind};
use crate::context::Context;
use crate::memory::space::AddressSpace;
use crate::state::{D3d11Kind, D3d11Object, Recording, Token};
use std::collections::BTreeMap;
use taut_schemas::{
    CpuAddress, D3d11ResourceId, DriverHandle, MapType, ObjectId, ShaderStage, d3d11_context_ddi as ddi,
};

/// Plays a list: it begins with nothing bound, and leaves nothing bound (rules H-57 and H-66). What the application has bound is
/// told to the driver again when it is needed.
pub(crate) fn play(context: &mut Context<'_>, state: &mut ContextState, recording: &Recording) {
    let bound = state.bindings.clone();
    unbind(context, state);
    let around = std::mem::take(&mut state.playing);
    learn(state, &recording.objects);
    for token in &recording.tokens {
        token_on(context, state, recording, token);
    }
    unbind(context, state);
    state.playing = around;
    state.bindings = bound;
}

/// The driver may reach what is behind the handles of these objects until [`ContextState::passed`].
fn learn(state: &mut ContextState, objects: &BTreeMap<ObjectId, D3d11Object>) {
    for (id, object) in objects {
        let of = match &object.kind {
            D3d11Kind::View(view) => Some(&*view.resource_object),
            _ => None,
        };
        for handle in [Some(object), of].into_iter().flatten().filter_map(|object| object.handle.as_ref()) {
            if !state.memory.knows(handle.address) {
                state.memory.know(handle.address, &handle.image);
                state.passing.push(handle.address);
            }
        }
        if let Some(handle) = &object.handle {
            state.playing.insert(*id, handle.address);
        }
    }
}

fn token_on(context: &mut Context<'_>, state: &mut ContextState, recording: &Recording, token: &Token) {
    let (of, device) = (state.id, state.device_handle);
    let slots = |(stage, start): (ShaderStage, u32)| (stage, start);
    match token {
        Token::Copy { destination, source } => {
            let named = [*destination, *source].map(|id| handle_of(context, state, id.into()));
            if let [Some(destination), Some(source)] = named {
                state.record(context, ddi::ResourceCopy { context: of, device, destination, source });
            }
        }
        Token::Blend(blend) => {
            state.bindings.blend = blend.clone();
            set_blend(context, state);
        }
        Token::Views { at, views } => {
            let ids: Vec<_> = views.iter().map(|view| taut_schemas::D3d11ViewId(view.0)).collect();
            crate::state::Bindings::set(&mut state.bindings.views, at.0, at.1, &ids);
            set_views(context, state, slots(*at), views);
        }
        Token::Buffers { at, buffers } => {
            let ids: Vec<_> = buffers.iter().map(|buffer| D3d11ResourceId(buffer.0)).collect();
            crate::state::Bindings::set(&mut state.bindings.constant_buffers, at.0, at.1, &ids);
            set_buffers(context, state, slots(*at), buffers);
        }
        Token::Draw { vertex_count, start_vertex } => {
            let (vertex_count, start_vertex) = (*vertex_count, *start_vertex);
            state.record(context, ddi::Draw { context: of, device, vertex_count, start_vertex });
        }
        Token::Map { resource, subresource, map_type } => {
            map(context, state, recording, (*resource, *subresource, *map_type));
        }
        Token::Unmap { resource, subresource } => {
            if let Some(handle) = handle_of(context, state, (*resource).into()) {
                let subresource = *subresource;
                state.record(context, ddi::DynamicResourceUnmap { context: of, device, resource: handle, subresource });
            }
        }
        Token::Execute(list) => {
            if let Some(D3d11Kind::CommandList(nested)) = recording.objects.get(&(*list).into()).map(|list| &list.kind)
                && let Some(nested) = nested.recording.clone()
            {
                play(context, state, &nested);
                // The recording binds anew what it needs: it did so when it was made.
                state.bindings = Default::default();
            }
        }
    }
}

/// The contents that were written while it was recorded become the resource's.
fn map(
    context: &mut Context<'_>,
    state: &mut ContextState,
    recording: &Recording,
    (resource, subresource, map_type): (D3d11ResourceId, u32, MapType),
) {
    let Some(D3d11Kind::Resource(known)) = recording.objects.get(&resource.into()).map(|object| &object.kind) else {
        return;
    };
    let base_address = CpuAddress(AddressSpace::cpu_address(known.address));
    let Some(handle) = handle_of(context, state, resource.into()) else { return };
    let (of, device): (_, DriverHandle) = (state.id, state.device_handle);
    let (resource, context_id) = (handle, of);
    let map = ddi::DynamicResourceMap { context: context_id, device, resource, subresource, map_type, base_address };
    state.record(context, map);
}
