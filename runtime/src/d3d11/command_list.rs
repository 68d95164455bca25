//! Command lists: how a deferred context's recording becomes one, and what executing it does.

use super::context_state::{ContextKind, ContextState};
use super::deferred_context::count;
use super::effect;
use super::handle;
use super::held::{begin, close_all, handle_of, hold, pass};
use super::open::{self, find};
use super::play::play;
use super::query::end_open;
use super::table::Table;
use super::unpin::unpin;
use crate::context::{Context, no_such};
use crate::state::{
    Bindings, D3d11CommandList, D3d11Kind, D3d11Object, DeviceFacts, DeviceState, IcHandle, ListRecord, Object,
    Objects, Recording, Token, Work,
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
    let Some(facts) = state.facts.clone().filter(|_| state.kind == ContextKind::Deferred) else {
        let text = format_args!("FinishCommandList: context {} is the immediate one.", call.context.0);
        return context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, call.context, text);
    };
    if device.is_removed() || state.lost {
        return Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED);
    }
    for object in std::mem::take(&mut state.let_go) {
        unpin(context, device, objects, object);
    }
    let restore = call.restore_deferred_context_state;
    let was_poisoned = state.poisoned;
    end_open(context, state);
    end_maps(context, state);
    let recording = take_recording(state).map(Arc::new);
    let made = match state.is_silent() {
        true => Err(state.failure()),
        false if recording.is_some() => Ok((None, RecordedCommands::default())),
        false => create(context, device, &facts, state).map(|(handle, commands)| (Some(Arc::new(handle)), commands)),
    };
    close_all(context, state);
    if recording.is_none() && !matches!(made, Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED)) {
        recycle_context(context, &facts, state);
    }
    if state.lost {
        facts.noticed(device, HResultCode::DXGI_ERROR_DEVICE_REMOVED);
    }
    let (made, commands) = match made {
        Ok(made) => made,
        Err(code) => {
            throw_away(state, objects, restore);
            // Where it was known that nothing would come of it, the objects are locked.
            for object in if was_poisoned { std::mem::take(&mut state.let_go) } else { Vec::new() } {
                unpin(context, device, objects, object);
            }
            return Err(code);
        }
    };
    let (work, queries) = (std::mem::take(&mut state.work).into(), std::mem::take(&mut state.queried));
    let (held, maps) = begin_anew(state, objects, restore);
    let id = D3d11CommandListId(device.next_object().0);
    let kind = D3d11Kind::CommandList(D3d11CommandList { commands, maps, recording, work, queries });
    let object = D3d11Object { handle: made, ..D3d11Object::new(facts.device, kind) };
    objects.insert(id.into(), Object::d3d11(object));
    count(device, facts.device);
    device.d3d11.lists.insert(id.into(), ListRecord { maker: state.id, holds: held });
    if call.want_command_list {
        device.count_object();
        return Ok(id);
    }
    // Rule H-63: what was recorded is dropped. Nobody has heard of the list, whose number goes to another object.
    if let Some(object) = find(objects, id.into()) {
        (object.count, object.pins) = (0, 1);
    }
    unpin(context, device, objects, id.into());
    Ok(D3d11CommandListId::NULL)
}

/// What was recorded, where the runtime keeps it.
fn take_recording(state: &mut ContextState) -> Option<Recording> {
    let tokens = std::mem::take(state.tokens.as_mut()?);
    let objects = state.held.iter().map(|(id, held)| (*id, held.object.clone())).collect();
    Some(Recording { tokens, objects })
}

/// What is mapped is unmapped.
fn end_maps(context: &mut Context<'_>, state: &mut ContextState) {
    for (resource, subresource) in std::mem::take(&mut state.maps) {
        if state.keep_token(|| Token::Unmap { resource, subresource }) {
            continue;
        }
        if let Some(handle) = handle_of(context, state, resource.into()) {
            let (of, device) = (state.id, state.device_handle);
            state.record(context, ddi::DynamicResourceUnmap { context: of, device, resource: handle, subresource });
        }
    }
}

/// Gives the context back the lists that are out of use, and makes a new one: in the memory of one of them, if there is one.
fn create(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    facts: &DeviceFacts,
    state: &mut ContextState,
) -> HResult<(IcHandle, RecordedCommands)> {
    let (ic, ic_device, own) = (facts.immediate, facts.device_handle, state.device_handle);
    let [mut returned, mut cached] = device.d3d11.returned.remove(&state.id.0).unwrap_or_default();
    for (list, _) in &returned {
        // Rule H-55: on the context's own thread, of its own table.
        context.ddi(ddi::RecycleCommandList { context: state.id, device: own, command_list: *list });
    }
    cached.append(&mut returned);
    let reused = cached.pop();
    device.d3d11.returned.insert(state.id.0, [returned, cached]);
    let Some((address, size_bytes)) = reused else {
        let size =
            context.ddi(ddi::CalcPrivateCommandListSize { context: ic, device: ic_device, deferred_device: own });
        let kind = (HandleType::COMMANDLIST, size);
        let beside = Some(&mut state.memory);
        return handle::create(context, device, facts, kind, None, beside, |context, handle, memory| {
            let create = ddi::CreateCommandList { context: ic, device: ic_device, deferred_device: own, handle };
            context.ddi_on(memory, ContextKind::Immediate, create).ok()
        });
    };
    let mut bytes = vec![0; usize::try_from(size_bytes).map_err(|_| HResultCode::E_OUTOFMEMORY)?];
    let mut memory = crate::memory::context_memory::NewMemory {
        handle: address,
        bytes: &mut bytes,
        beside: Some(&mut state.memory),
    };
    let (of, command_list) = (ic, address);
    let create = ddi::RecycleCreateCommandList { context: of, device: ic_device, deferred_device: own, command_list };
    let told = context.ddi_on(&mut memory, ContextKind::Immediate, create).ok().and_then(|commands| commands);
    let commands = match told {
        Ok(commands) => commands,
        Err(code) => {
            // It stays out of use, for another list.
            if let Some([_, cached]) = device.d3d11.returned.get_mut(&state.id.0) {
                cached.push((address, size_bytes));
            }
            return Err(facts.noticed(device, code));
        }
    };
    let image: Arc<[u8]> = bytes.into();
    let known = (HandleType::COMMANDLIST, address, &image);
    // Rule H-27: the sizes of a region do not change; that of the handles in deferred contexts is asked again.
    let deferred_bytes = handle::deferred_size(context, device, facts, known)?;
    Ok((IcHandle { address, size_bytes, deferred_bytes, image }, commands))
}

/// The context is as if it had just been created; or, if its driver has no memory for that, as if it had run out of it at once.
fn recycle_context(context: &mut Context<'_>, facts: &DeviceFacts, state: &mut ContextState) {
    let recycle = ddi::RecycleCreateDeferredContext {
        context: facts.immediate,
        device: facts.device_handle,
        deferred_context: state.id,
        deferred_device: state.device_handle,
        core_layer: state.core_layer,
    };
    let told = context.ddi_on(&mut state.memory, ContextKind::Immediate, recycle).ok().and_then(|table| table);
    state.poisoned = told == Err(HResultCode::E_OUTOFMEMORY);
    match told {
        Ok(table) => state.table = Table::new(&table),
        Err(HResultCode::E_OUTOFMEMORY) => {}
        Err(_) => state.lose(),
    }
}

/// Nothing comes of the recording. What it held is let go of, but for what stays bound; that it was bound is the context's own
/// state, and stays (ambiguity A1.16).
fn throw_away(state: &mut ContextState, objects: &mut dyn Objects, restore: bool) {
    if !restore {
        state.bindings = Default::default();
    }
    let bound = state.bindings.objects();
    state.is_stale = state.bindings != Bindings::default();
    state.discarded.clear();
    state.work.clear();
    state.queried.clear();
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
                state.let_go(id);
                state.let_go.extend(pinned.then_some(id));
            }
        }
    }
}

/// The recording begins anew, with what is to be bound. Gives what the old one held, and which resources it mapped: the list takes
/// over the pins; what stays bound is pinned once more.
fn begin_anew(
    state: &mut ContextState,
    objects: &mut dyn Objects,
    restore: bool,
) -> (Vec<ObjectId>, BTreeSet<D3d11ResourceId>) {
    if !restore {
        state.bindings = Default::default();
    }
    let bound = state.bindings.objects();
    state.is_stale = state.bindings != Bindings::default();
    let held: Vec<ObjectId> = state.held.iter().filter(|(_, held)| held.pinned).map(|(id, _)| *id).collect();
    for id in state.held.keys().copied().collect::<Vec<_>>() {
        if !bound.contains(&id) {
            state.let_go(id);
        } else if let (Some(object), Some(held)) = (find(objects, id), state.held.get_mut(&id)) {
            object.pins += 1;
            // Even if a view held it before: that may be gone by now.
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
        return no_such(context, "command list", id);
    }
    let known = state.held.get(&id).map(|held| held.object.clone());
    let Some(object) = known.or_else(|| find(objects, id).cloned()) else {
        return no_such(context, "command list", id);
    };
    let D3d11Kind::CommandList(list) = &object.kind else { return no_such(context, "command list", id) };
    if object.device != state.device {
        let text = format_args!("Command list {} belongs to device {}.", id.0, object.device.0);
        return context.refuse(HResultCode::E_INVALIDARG, id, text);
    }
    if let Some(mapped) = list.maps.iter().find(|resource| state.is_mapped(**resource)) {
        let text = format_args!("Command list {} maps resource {}, which is mapped here.", id.0, mapped.0);
        return context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, id, text);
    }
    if let Some(query) = list.queries.iter().find(|query| state.begun.contains(query)) {
        let text = format_args!("Command list {} begins or ends query {}, which has begun here.", id.0, query.0);
        return context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, id, text);
    }
    state.queried.extend(&list.queries);
    let list_work = list.work.clone();
    if state.tokens.is_some() {
        hold(context, state, objects, (id, "command list", |_| true))?;
        state.keep_token(|| Token::Execute(call.command_list));
    } else if let Some(recording) = list.recording.clone() {
        let bound = state.bindings.clone();
        play(context, state, &recording);
        state.bindings = bound;
        state.passed();
    } else if let Some(command_list) = pass(context, state, objects, id)? {
        let (of, device) = (state.id, state.device_handle);
        let execute = ddi::CommandListExecute { context: of, device, command_list };
        state.record(context, execute);
        state.passed();
    }
    if let Some(code) = state.returned.take() {
        return Err(code);
    }
    if !list_work.is_empty() {
        effect::work(state, Work::List(call.command_list, list_work));
    }
    if !call.restore_context_state {
        effect::predicate(state, &PredicationBinding::default());
        state.bindings = Default::default();
    }
    // Rule H-57: the driver has nothing bound now.
    state.is_stale = state.bindings != Bindings::default();
    Ok(())
}
