//! Command lists: creation from the recording of a deferred context, and execution.

use super::context_state::{ContextKind, ContextState};
use super::deferred_context::count;
use super::effect;
use super::execute_deferred::execute_deferred;
use super::handle;
use super::handle::{HandleRequest, KnownHandle};
use super::held::{HoldTarget, begin, close_all, handle_for_call, handle_of, hold};
use super::open::{self, find};
use super::query::end_open;
use super::table::Table;
use super::unpin::unpin;
use crate::context::{Context, no_such_object};
use crate::state::{
    Bindings, ContextWork, D3d11CommandList, D3d11Kind, D3d11Object, DeferredCommand, DeviceFacts, DeviceState,
    IcHandle, ListRecord, Object, Objects, Recording,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use taut_schemas::{
    D3d11CommandListId, D3d11ResourceId, HResult, HResultCode, HandleType, ObjectId, PredicationBinding,
    RecordedCommands, d3d11, d3d11_context_ddi as ddi,
};

/// ID3D11DeviceContext::FinishCommandList, in the order of rule H-50.
pub(crate) fn finish_command_list(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::FinishCommandList,
) -> HResult<D3d11CommandListId> {
    open::begin(context, state, objects, call.context)?;
    // Rule H-62: the immediate context makes no command list.
    let Some(facts) = state.facts.clone().filter(|_| state.kind == ContextKind::Deferred) else {
        let text = format_args!("FinishCommandList: context {} is the immediate one.", call.context.0);
        return context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, call.context, text);
    };
    if device.is_removed() || state.lost {
        return Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED);
    }
    // Pins of an earlier discarded recording could not be dropped at once: that call did not have the objects' locks.
    for object in std::mem::take(&mut state.abandoned_objects) {
        unpin(context, device, objects, object);
    }
    let restore = call.restore_deferred_context_state;
    let was_poisoned = state.poisoned;
    // Rule H-50 gives the order: queries and maps end, unused lists are recycled, the list is created, handles are
    // closed, the context is recycled.
    end_open(context, state);
    unmap_all(context, state);
    let recording = take_recording(state).map(Arc::new);
    let created = match state.skips_driver() {
        true => Err(state.failure()),
        false if recording.is_some() => Ok((None, RecordedCommands::default())),
        false => create(context, device, &facts, state).map(|(handle, commands)| (Some(Arc::new(handle)), commands)),
    };
    // Handles are closed also after a failure: the next recording opens its own.
    close_all(context, state);
    // An emulated context has no counterpart in the driver, and a removed device gets no more calls.
    if recording.is_none() && !matches!(created, Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED)) {
        recycle_context(context, &facts, state);
    }
    if state.lost {
        facts.handle_error(device, HResultCode::DXGI_ERROR_DEVICE_REMOVED);
    }
    let (created, commands) = match created {
        Ok(created) => created,
        Err(code) => {
            discard_recording(state, objects, restore);
            // After an out-of-memory error the call locked the objects in advance, so their pins are dropped here.
            for object in if was_poisoned { std::mem::take(&mut state.abandoned_objects) } else { Vec::new() } {
                unpin(context, device, objects, object);
            }
            return Err(code);
        }
    };
    let (work, queries) = (std::mem::take(&mut state.work).into(), std::mem::take(&mut state.queried));
    let (held, maps) = restart_recording(state, objects, restore);
    let id = D3d11CommandListId(device.next_object().0);
    let kind = D3d11Kind::CommandList(D3d11CommandList { commands, maps, recording, work, queries });
    let object = D3d11Object { handle: created, ..D3d11Object::new(facts.device, kind) };
    objects.insert(id.into(), Object::d3d11(object));
    count(device, facts.device);
    device.d3d11.lists.insert(id.into(), ListRecord { recorder: state.id, holds: held });
    if call.want_command_list {
        device.count_object();
        return Ok(id);
    }
    // Rule H-63: the recording is discarded. The caller never gets the list's id, so the id is used again.
    if let Some(object) = find(objects, id.into()) {
        (object.count, object.pins) = (0, 1);
    }
    unpin(context, device, objects, id.into());
    Ok(D3d11CommandListId::NULL)
}

/// Takes the deferred commands, if the runtime records them instead of the driver.
fn take_recording(state: &mut ContextState) -> Option<Recording> {
    let deferred_commands = std::mem::take(state.deferred_commands.as_mut()?);
    let objects = state.held.iter().map(|(id, held)| (*id, held.object.clone())).collect();
    Some(Recording { deferred_commands, objects })
}

/// Unmaps all mapped subresources.
fn unmap_all(context: &mut Context<'_>, state: &mut ContextState) {
    for (resource, subresource) in std::mem::take(&mut state.maps) {
        // With deferred commands the unmap is recorded, for the execution of the list.
        if state.defer(|| DeferredCommand::Unmap { resource, subresource }) {
            continue;
        }
        if let Some(handle) = handle_of(context, state, resource.into()) {
            let (of, device) = (state.id, state.device_handle);
            state.record(context, ddi::DynamicResourceUnmap { context: of, device, resource: handle, subresource });
        }
    }
}

/// Returns unused lists to the context, then creates a list, in the memory of an unused list if there is one.
fn create(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    facts: &DeviceFacts,
    state: &mut ContextState,
) -> HResult<(IcHandle, RecordedCommands)> {
    let (ic, ic_device, own) = (facts.immediate, facts.device_handle, state.device_handle);
    let [mut returned, mut cached] = device.d3d11.returned.remove(&state.id.0).unwrap_or_default();
    for (list, _) in &returned {
        // Rule H-55: recycled on the thread of the context that recorded the list, through that context's table.
        context.ddi(ddi::RecycleCommandList { context: state.id, device: own, command_list: *list });
    }
    cached.append(&mut returned);
    let reused = cached.pop();
    device.d3d11.returned.insert(state.id.0, [returned, cached]);
    let Some((address, size_bytes)) = reused else {
        let size =
            context.ddi(ddi::CalcPrivateCommandListSize { context: ic, device: ic_device, deferred_device: own });
        let request = HandleRequest {
            other_memory: Some(&mut state.memory),
            ..HandleRequest::new(HandleType::COMMANDLIST, size)
        };
        return handle::create(context, device, facts, request, |context, handle, memory| {
            let create = ddi::CreateCommandList { context: ic, device: ic_device, deferred_device: own, handle };
            context.ddi_on(memory, ContextKind::Immediate, create).ok()
        });
    };
    let mut bytes = vec![0; usize::try_from(size_bytes).map_err(|_| HResultCode::E_OUTOFMEMORY)?];
    let mut memory = crate::memory::context_memory::NewMemory {
        handle: address,
        bytes: &mut bytes,
        other_memory: Some(&mut state.memory),
    };
    let (of, command_list) = (ic, address);
    let create = ddi::RecycleCreateCommandList { context: of, device: ic_device, deferred_device: own, command_list };
    let reply = context.ddi_on(&mut memory, ContextKind::Immediate, create).ok().and_then(|commands| commands);
    let commands = match reply {
        Ok(commands) => commands,
        Err(code) => {
            // The memory stays cached for a later list.
            if let Some([_, cached]) = device.d3d11.returned.get_mut(&state.id.0) {
                cached.push((address, size_bytes));
            }
            return Err(facts.handle_error(device, code));
        }
    };
    let image: Arc<[u8]> = bytes.into();
    let known = KnownHandle { handle_type: HandleType::COMMANDLIST, address, image: &image };
    // Rule H-27: the sizes of a region do not change; only the size of handles in deferred contexts is queried again.
    let deferred_bytes = handle::deferred_size(context, device, facts, known)?;
    Ok((IcHandle { address, size_bytes, deferred_bytes, image }, commands))
}

/// Resets the context to its state after creation; if the driver has no memory for that, marks it as poisoned.
fn recycle_context(context: &mut Context<'_>, facts: &DeviceFacts, state: &mut ContextState) {
    let recycle = ddi::RecycleCreateDeferredContext {
        context: facts.immediate,
        device: facts.device_handle,
        deferred_context: state.id,
        deferred_device: state.device_handle,
        core_layer: state.core_layer,
    };
    let reply = context.ddi_on(&mut state.memory, ContextKind::Immediate, recycle).ok().and_then(|table| table);
    state.poisoned = reply == Err(HResultCode::E_OUTOFMEMORY);
    match reply {
        Ok(table) => state.table = Table::new(&table),
        Err(HResultCode::E_OUTOFMEMORY) => {}
        Err(_) => state.mark_device_removed(),
    }
}

/// Discards the recording. References are dropped except for bound objects: bindings are the context's own state and
/// persist (rule X-08).
fn discard_recording(state: &mut ContextState, objects: &mut dyn Objects, restore: bool) {
    if !restore {
        state.bindings = Default::default();
    }
    let bound = state.bindings.objects();
    state.bindings_stale = state.bindings != Bindings::default();
    state.discarded.clear();
    state.work.clear();
    state.queried.clear();
    // A bound resource that only a view referred to gets a pin of its own: the view may be released.
    for id in state.held.keys().copied().collect::<Vec<_>>() {
        let Some(held) = state.held.get_mut(&id) else { continue };
        match (bound.contains(&id), held.pinned) {
            (true, false) => {
                if let Some(object) = find(objects, id) {
                    object.pins += 1;
                    held.pinned = true;
                }
            }
            (true, true) => {}
            (false, pinned) => {
                state.remove_ref(id);
                state.abandoned_objects.extend(pinned.then_some(id));
            }
        }
    }
}

/// Starts a new recording with the bindings that persist. Returns the objects that the old recording pinned and the
/// resources it mapped: the list takes over those pins, and bound objects are pinned again.
fn restart_recording(
    state: &mut ContextState,
    objects: &mut dyn Objects,
    restore: bool,
) -> (Vec<ObjectId>, BTreeSet<D3d11ResourceId>) {
    if !restore {
        state.bindings = Default::default();
    }
    let bound = state.bindings.objects();
    state.bindings_stale = state.bindings != Bindings::default();
    let held: Vec<ObjectId> = state.held.iter().filter(|(_, held)| held.pinned).map(|(id, _)| *id).collect();
    for id in state.held.keys().copied().collect::<Vec<_>>() {
        if !bound.contains(&id) {
            state.remove_ref(id);
        } else if let (Some(object), Some(held)) = (find(objects, id), state.held.get_mut(&id)) {
            object.pins += 1;
            // Pinned even if only a view referred to the resource before: that view may be gone by now.
            held.pinned = true;
        }
    }
    (held, std::mem::take(&mut state.discarded).into_keys().collect())
}

/// ID3D11DeviceContext::ExecuteCommandList (rules H-57 to H-59 and H-64 to H-66).
pub(crate) fn execute_command_list(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::ExecuteCommandList,
) -> HResult<()> {
    begin(context, state, call.context)?;
    let id = ObjectId::from(call.command_list);
    if id == ObjectId::from(state.id) {
        return no_such_object(context, "command list", id);
    }
    let known = state.held.get(&id).map(|held| held.object.clone());
    let Some(object) = known.or_else(|| find(objects, id).cloned()) else {
        return no_such_object(context, "command list", id);
    };
    let D3d11Kind::CommandList(list) = &object.kind else { return no_such_object(context, "command list", id) };
    if object.device != state.device {
        let text = format_args!("Command list {} belongs to device {}.", id.0, object.device.0);
        return context.refuse(HResultCode::E_INVALIDARG, id, text);
    }
    // Rule H-58 excludes both of these states.
    if let Some(mapped) = list.maps.iter().find(|resource| state.is_mapped(**resource)) {
        let text = format_args!("Command list {} maps resource {}, which is mapped here.", id.0, mapped.0);
        return context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, id, text);
    }
    if let Some(query) = list.queries.iter().find(|query| state.begun.contains(query)) {
        let text = format_args!("Command list {} begins or ends query {}, which has begun here.", id.0, query.0);
        return context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, id, text);
    }
    // Through the list, this context's recording contains these queries too.
    state.queried.extend(&list.queries);
    let list_work = list.work.clone();
    if state.deferred_commands.is_some() {
        hold(context, state, objects, HoldTarget { id, kind: "command list", is: |_| true })?;
        state.defer(|| DeferredCommand::Execute(call.command_list));
    } else if let Some(recording) = list.recording.clone() {
        // The list must not see or change the caller's bindings, whatever it binds itself (rules H-57 and H-66).
        let bound = state.bindings.clone();
        execute_deferred(context, state, &recording);
        state.bindings = bound;
        state.forget_passed_handles();
    } else if let Some(command_list) = handle_for_call(context, state, objects, id)? {
        let (of, device) = (state.id, state.device_handle);
        let execute = ddi::CommandListExecute { context: of, device, command_list };
        state.record(context, execute);
        state.forget_passed_handles();
    }
    if let Some(code) = state.returned.take() {
        return Err(code);
    }
    if !list_work.is_empty() {
        effect::work(state, ContextWork::List(call.command_list, list_work));
    }
    if !call.restore_context_state {
        effect::predicate(state, &PredicationBinding::default());
        state.bindings = Default::default();
    }
    // Rule H-57: after the list, the driver has nothing bound.
    state.bindings_stale = state.bindings != Bindings::default();
    Ok(())
}
