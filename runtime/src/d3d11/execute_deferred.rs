//! Execution of a recording of deferred commands on the immediate context (rule H-82).

use super::context_state::ContextState;
use super::emit::emit_now;
use super::held::handle_of;
use super::pipeline::unbind;
use crate::context::Context;
use crate::memory::space::AddressSpace;
use crate::state::{Bindings, D3d11Kind, D3d11Object, DeferredCommand, Recording};
use std::collections::BTreeMap;
use std::sync::Arc;
use taut_schemas::{CpuAddress, D3d11ResourceId, DriverHandle, MapType, ObjectId, d3d11_context_ddi as ddi};

/// Executes a list, which begins and ends with nothing bound (rules H-57 and H-66). The application's bindings are
/// emitted again when they are needed.
pub(crate) fn execute_deferred(context: &mut Context<'_>, state: &mut ContextState, recording: &Arc<Recording>) {
    // Lists nest to any depth, so nested lists are kept in a `Vec` instead of on the call stack.
    let mut open = vec![ExecutingList::begin(context, state, recording)];
    while let Some(playing) = open.last_mut() {
        let recording = Arc::clone(&playing.recording);
        match recording.deferred_commands.get(playing.next) {
            Some(deferred_command) => {
                playing.next += 1;
                if let Some(nested) = execute_command(context, state, &recording, deferred_command) {
                    open.push(ExecutingList::begin(context, state, nested));
                }
            }
            None => {
                open.pop().into_iter().for_each(|ended| ended.end(context, state));
                if !open.is_empty() {
                    // The outer recording contains Set calls for all it needs after this point: they were recorded in
                    // it (rule H-64).
                    state.bindings = Default::default();
                }
            }
        }
    }
}

/// A recording in execution.
struct ExecutingList {
    recording: Arc<Recording>,
    /// Index of the next command.
    next: usize,
    /// The bindings and handles to restore at the end.
    bound: Bindings,
    around: BTreeMap<ObjectId, DriverHandle>,
}

impl ExecutingList {
    fn begin(context: &mut Context<'_>, state: &mut ContextState, recording: &Arc<Recording>) -> ExecutingList {
        let bound = state.bindings.clone();
        // Rule H-66: a list starts with nothing bound, so old bindings are cleared in the driver.
        unbind(context, state);
        let around = std::mem::take(&mut state.executing_handles);
        make_handles_valid(state, &recording.objects);
        ExecutingList { recording: Arc::clone(recording), next: 0, bound, around }
    }

    fn end(self, context: &mut Context<'_>, state: &mut ContextState) {
        unbind(context, state);
        // Rule H-57: the list's bindings do not remain for the outer recording or the application.
        (state.executing_handles, state.bindings) = (self.around, self.bound);
    }
}

/// Makes the handles of these objects valid in the context's memory until [`ContextState::forget_passed_handles`].
fn make_handles_valid(state: &mut ContextState, objects: &BTreeMap<ObjectId, D3d11Object>) {
    for (id, object) in objects {
        let of = match &object.kind {
            D3d11Kind::View(view) => Some(&*view.resource_object),
            _ => None,
        };
        for handle in [Some(object), of].into_iter().flatten().filter_map(|object| object.handle.as_ref()) {
            if !state.memory.is_valid_handle(handle.address) {
                state.memory.add_valid_handle(handle.address, &handle.image);
                state.passing.push(handle.address);
            }
        }
        if let Some(handle) = &object.handle {
            state.executing_handles.insert(*id, handle.address);
        }
    }
}

/// Executes a command. Returns the nested recording if the command executes one.
fn execute_command<'a>(
    context: &mut Context<'_>,
    state: &mut ContextState,
    recording: &'a Recording,
    deferred_command: &DeferredCommand,
) -> Option<&'a Arc<Recording>> {
    match deferred_command {
        DeferredCommand::Map { resource, subresource, map_type } => {
            map(
                context,
                state,
                recording,
                MappedSubresource { resource: *resource, subresource: *subresource, map_type: *map_type },
            );
        }
        DeferredCommand::Execute(list) => {
            if let Some(D3d11Kind::CommandList(nested)) = recording.objects.get(&(*list).into()).map(|list| &list.kind)
            {
                return nested.recording.as_ref();
            }
        }
        deferred_command => {
            state.bindings.apply(deferred_command);
            emit_now(context, state, deferred_command);
        }
    }
    None
}

/// Subresource of a recorded map call.
struct MappedSubresource {
    resource: D3d11ResourceId,
    subresource: u32,
    map_type: MapType,
}

/// Maps the resource again, so that it takes over the contents that were written during recording.
fn map(context: &mut Context<'_>, state: &mut ContextState, recording: &Recording, mapped: MappedSubresource) {
    let MappedSubresource { resource, subresource, map_type } = mapped;
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
