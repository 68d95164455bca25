//! A context as rundown records.

use super::{ContextKind, ContextState};
use crate::d3d11::context_ref::ContextRef;
use crate::d3d11::table::Table;
use crate::memory::context_memory::{ContextMemory, HandleRange};
use crate::records::{RestoreError, StateRecords, check_handle, invalid_value};
use crate::state::{Bindings, ContextWork, D3d11Kind, D3d11Object, DeferredCommand, DeviceFacts};
use std::sync::Arc;
use taut_schemas::{
    AdapterId, D3d11ContextKind, DriverHandle, ExecutingHandle, FunctionTable, MappedDiscard, MappedSubresource,
    ObjectId, state,
};

impl ContextState {
    /// Writes the context's records. Writes no record if the context is absent.
    pub(crate) fn save(&self, records: &mut StateRecords) {
        let kind = match self.kind {
            ContextKind::Absent => return,
            ContextKind::Immediate => D3d11ContextKind::IMMEDIATE,
            ContextKind::Deferred => D3d11ContextKind::DEFERRED,
        };
        // `viewed` is left out: it is derived from `held`. `save_bindings` writes `held` and the bindings.
        let ContextState {
            id, device, kind: _, extended, lost, is_removal_unreported, poisoned, returned, maps, ..
        } = self;
        let ContextState { being_written, facts, device_handle, core_layer, table, memory, passing, .. } = self;
        let ContextState {
            held: _,
            viewed: _,
            bindings: _,
            current,
            stored_bindings: _,
            bindings_stale,
            deferred_commands,
            executing_handles,
            abandoned_objects,
            ..
        } = self;
        let ContextState { discarded, begun, queried, work, contents, .. } = self;
        let (context, recording) = (*id, ObjectId::from(*id));
        for call in deferred_commands.iter().flatten() {
            records.put(&state::RecordedCall { recording, call: call.save() });
        }
        work.iter().for_each(|work| records.put(&state::RecordedEffect { recording, work: work.save() }));
        let maps = maps.iter().map(|(resource, at)| MappedSubresource { resource: *resource, subresource: *at });
        let discarded = discarded.iter().map(|(of, at)| MappedDiscard { resource: *of, address: *at });
        let executing_handles =
            executing_handles.iter().map(|(object, handle)| ExecutingHandle { object: *object, handle: *handle });
        records.put(&state::OpenContext {
            context,
            device: *device,
            kind,
            has_handles: facts.is_some(),
            extended: *extended,
            lost: *lost,
            is_removal_unreported: *is_removal_unreported,
            poisoned: *poisoned,
            returned: *returned,
            maps: maps.collect(),
            being_written: being_written.iter().copied().map(taut_schemas::D3d11ResourceId).collect(),
            device_handle: *device_handle,
            core_layer: *core_layer,
            table: table.slots().to_vec(),
            passing: passing.clone(),
            current: *current,
            bindings_stale: *bindings_stale,
            defers_commands: deferred_commands.is_some(),
            executing_handles: executing_handles.collect(),
            abandoned_objects: abandoned_objects.clone(),
            discarded: discarded.collect(),
            begun: begun.iter().copied().collect(),
            queried: queried.iter().copied().collect(),
        });
        memory.save(adapter_of(recording), context, records);
        self.save_bindings(records);
        contents.save(context, records);
    }

    /// Writes the records of held objects and of bindings, current and stored.
    fn save_bindings(&self, records: &mut StateRecords) {
        let context = self.id;
        for (object, ContextRef { object: _, local, pinned }) in &self.held {
            let handle = local.unwrap_or_default();
            records.put(&state::HeldObject { context, object: *object, handle, pinned: *pinned });
        }
        let bound = |records: &mut StateRecords, context_state: ObjectId, bindings: &Bindings| {
            for call in bindings.save() {
                records.put(&state::BoundCall { context, context_state, call: call.save() });
            }
        };
        bound(records, ObjectId::NULL, &self.bindings);
        for (context_state, stored_bindings) in &self.stored_bindings {
            records.put(&state::StoredBindings { context, context_state: *context_state });
            bound(records, *context_state, stored_bindings);
        }
    }

    /// Restores a context from its record, with the commands and GPU work that were recorded in it.
    pub(crate) fn restore(
        record: state::OpenContext,
        facts: Option<Arc<DeviceFacts>>,
        calls: Vec<DeferredCommand>,
        work: Vec<ContextWork>,
    ) -> Result<ContextState, RestoreError> {
        let state::OpenContext {
            context: id, device, kind, has_handles, extended, lost, is_removal_unreported, ..
        } = record;
        let state::OpenContext { poisoned, returned, maps, being_written, device_handle, core_layer, .. } = record;
        let state::OpenContext {
            table,
            passing,
            current,
            bindings_stale,
            defers_commands,
            executing_handles,
            abandoned_objects,
            ..
        } = record;
        let state::OpenContext { discarded, begun, queried, .. } = record;
        let kind = match kind {
            D3d11ContextKind::IMMEDIATE => ContextKind::Immediate,
            D3d11ContextKind::DEFERRED => ContextKind::Deferred,
            other => return invalid_value::<_, state::OpenContext>("a kind of context", other.0),
        };
        if has_handles != facts.is_some() {
            return invalid_value::<_, state::OpenContext>("a context of a device whose driver is known", device.0);
        }
        // Only deferred contexts on a driver without command lists record commands; an immediate context has no
        // recorded work.
        if !defers_commands && !calls.is_empty() || kind == ContextKind::Immediate && !work.is_empty() {
            return invalid_value::<_, state::OpenContext>("a context that records", id.0);
        }
        for handle in
            passing.iter().chain([&device_handle]).chain(executing_handles.iter().map(|executing| &executing.handle))
        {
            check_handle::<state::OpenContext>(*handle)?;
        }
        let is_immediate = has_handles && kind == ContextKind::Immediate;
        Ok(ContextState {
            id,
            device,
            kind,
            extended,
            lost,
            is_removal_unreported,
            poisoned,
            returned,
            maps: maps.iter().map(|mapped| (mapped.resource, mapped.subresource)).collect(),
            being_written: being_written.iter().map(|resource| resource.0).collect(),
            facts,
            device_handle,
            core_layer,
            // Memory and references follow in records of their own.
            table: Table::new(&FunctionTable { slots: table }),
            memory: ContextMemory::new(HandleRange::default(), is_immediate),
            passing,
            current,
            bindings_stale,
            deferred_commands: defers_commands.then_some(calls),
            executing_handles: executing_handles.iter().map(|executing| (executing.object, executing.handle)).collect(),
            abandoned_objects,
            discarded: discarded.iter().map(|discarded| (discarded.resource, discarded.address)).collect(),
            begun: begun.into_iter().collect(),
            queried: queried.into_iter().collect(),
            work,
            ..ContextState::default()
        })
    }

    /// Restores the reference to an object from its record.
    pub(crate) fn restore_held(&mut self, record: &state::HeldObject, object: D3d11Object) -> Result<(), RestoreError> {
        let state::HeldObject { context: _, object: id, handle, pinned } = *record;
        check_handle::<state::HeldObject>(handle)?;
        if let D3d11Kind::View(view) = &object.kind {
            *self.viewed.entry(view.resource.into()).or_default() += 1;
        }
        let local = Some(handle).filter(|handle| *handle != DriverHandle::default());
        if self.held.insert(id, ContextRef { object, local, pinned }).is_some() {
            return invalid_value::<_, state::HeldObject>("an object that is held once", id.0);
        }
        Ok(())
    }

    /// Restores a state object's empty set of bindings from its record.
    pub(crate) fn restore_stored_bindings(&mut self, record: &state::StoredBindings) {
        self.stored_bindings.entry(record.context_state).or_default();
    }

    /// Restores one binding from its record.
    pub(crate) fn restore_bound(&mut self, record: state::BoundCall) -> Result<(), RestoreError> {
        let state::BoundCall { context: _, context_state, call } = record;
        let bindings = match context_state {
            ObjectId::NULL => Some(&mut self.bindings),
            state => self.stored_bindings.get_mut(&state),
        };
        let Some(bindings) = bindings else {
            return invalid_value::<_, state::BoundCall>("stored bindings", context_state.0);
        };
        bindings.apply(&DeferredCommand::restore::<state::BoundCall>(call)?);
        Ok(())
    }
}

/// The adapter whose object this is.
pub(crate) fn adapter_of(object: ObjectId) -> AdapterId {
    // An id contains the adapter's index; adapter ids start at 1.
    AdapterId(AdapterId::split(object.0).0 as u64 + 1)
}
