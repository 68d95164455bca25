//! A recording that the runtime kept is played on the immediate context (rule H-82).

use super::context_state::ContextState;
use super::held::handle_of;
use super::pipeline::unbind;
use super::tell::issue;
use crate::context::Context;
use crate::memory::space::AddressSpace;
use crate::state::{Bindings, D3d11Kind, D3d11Object, Recording, Token};
use std::collections::BTreeMap;
use std::sync::Arc;
use taut_schemas::{CpuAddress, D3d11ResourceId, DriverHandle, MapType, ObjectId, d3d11_context_ddi as ddi};

/// Plays a list: it begins with nothing bound, and leaves nothing bound (rules H-57 and H-66). What the application has bound is
/// told to the driver again when it is needed.
pub(crate) fn play(context: &mut Context<'_>, state: &mut ContextState, recording: &Arc<Recording>) {
    // Lists nest as deep as one likes.
    let mut open = vec![Playing::begin(context, state, recording)];
    while let Some(playing) = open.last_mut() {
        let recording = Arc::clone(&playing.recording);
        match recording.tokens.get(playing.next) {
            Some(token) => {
                playing.next += 1;
                if let Some(nested) = token_on(context, state, &recording, token) {
                    open.push(Playing::begin(context, state, nested));
                }
            }
            None => {
                open.pop().into_iter().for_each(|ended| ended.end(context, state));
                if !open.is_empty() {
                    // The recording around it binds anew what it needs: it did so when it was made.
                    state.bindings = Default::default();
                }
            }
        }
    }
}

/// A list that is being played.
struct Playing {
    recording: Arc<Recording>,
    /// The token that comes next.
    next: usize,
    /// What is bound, and which handles are known, around it.
    bound: Bindings,
    around: BTreeMap<ObjectId, DriverHandle>,
}

impl Playing {
    fn begin(context: &mut Context<'_>, state: &mut ContextState, recording: &Arc<Recording>) -> Playing {
        let bound = state.bindings.clone();
        unbind(context, state);
        let around = std::mem::take(&mut state.playing);
        learn(state, &recording.objects);
        Playing { recording: Arc::clone(recording), next: 0, bound, around }
    }

    fn end(self, context: &mut Context<'_>, state: &mut ContextState) {
        unbind(context, state);
        (state.playing, state.bindings) = (self.around, self.bound);
    }
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

/// Plays a call. Gives the list that is to be played now, if it executes one.
fn token_on<'a>(
    context: &mut Context<'_>,
    state: &mut ContextState,
    recording: &'a Recording,
    token: &Token,
) -> Option<&'a Arc<Recording>> {
    match token {
        Token::Map { resource, subresource, map_type } => {
            map(context, state, recording, (*resource, *subresource, *map_type));
        }
        Token::Execute(list) => {
            if let Some(D3d11Kind::CommandList(nested)) = recording.objects.get(&(*list).into()).map(|list| &list.kind)
            {
                return nested.recording.as_ref();
            }
        }
        token => {
            state.bindings.apply(token);
            issue(context, state, token);
        }
    }
    None
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
