//! A recording that the runtime kept is played on the immediate context (rule H-82).

use super::context_state::ContextState;
use super::held::handle_of;
use super::pipeline::unbind;
use super::tell::issue;
use crate::context::Context;
use crate::memory::space::AddressSpace;
use crate::state::{D3d11Kind, D3d11Object, Recording, Token};
use std::collections::BTreeMap;
use taut_schemas::{CpuAddress, D3d11ResourceId, DriverHandle, MapType, ObjectId, d3d11_context_ddi as ddi};

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
    match token {
        Token::Map { resource, subresource, map_type } => {
            map(context, state, recording, (*resource, *subresource, *map_type));
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
        token => {
            state.bindings.apply(token);
            issue(context, state, token);
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
