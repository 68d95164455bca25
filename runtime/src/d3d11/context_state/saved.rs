//! A context as records.

use super::{ContextKind, ContextState};
use crate::d3d11::held::Held;
use crate::d3d11::table::Table;
use crate::memory::context_memory::{ContextMemory, HandleRange};
use crate::records::{RestoreError, StateRecords, check_handle, unsound};
use crate::state::{Bindings, D3d11Kind, D3d11Object, DeviceFacts, Token, Work};
use std::sync::Arc;
use taut_schemas::{
    AdapterId, D3d11ContextKind, DiscardedResource, DriverHandle, FunctionTable, MappedSubresource, ObjectId,
    PlayedHandle, state,
};

impl ContextState {
    /// Writes it down; nothing, if it is not there.
    pub(crate) fn save(&self, records: &mut StateRecords) {
        let kind = match self.kind {
            ContextKind::Absent => return,
            ContextKind::Immediate => D3d11ContextKind::IMMEDIATE,
            ContextKind::Deferred => D3d11ContextKind::DEFERRED,
        };
        // What is viewed follows from what is held.
        let ContextState { id, device, kind: _, extended, lost, is_to_tell, poisoned, returned, maps, .. } = self;
        let ContextState { being_written, facts, device_handle, core_layer, table, memory, passing, .. } = self;
        let ContextState { held, viewed: _, bindings, current, kept, is_stale, tokens, playing, let_go, .. } = self;
        let ContextState { discarded, begun, queried, work, contents, .. } = self;
        let (context, recording) = (*id, ObjectId::from(*id));
        for call in tokens.iter().flatten() {
            records.put(&state::RecordedCall { recording, call: call.save() });
        }
        work.iter().for_each(|work| records.put(&state::RecordedEffect { recording, work: work.save() }));
        let maps = maps.iter().map(|(resource, at)| MappedSubresource { resource: *resource, subresource: *at });
        let discarded = discarded.iter().map(|(of, at)| DiscardedResource { resource: *of, address: *at });
        let playing = playing.iter().map(|(object, handle)| PlayedHandle { object: *object, handle: *handle });
        records.put(&state::OpenContext {
            context,
            device: *device,
            kind,
            has_handles: facts.is_some(),
            extended: *extended,
            lost: *lost,
            is_to_tell: *is_to_tell,
            poisoned: *poisoned,
            returned: *returned,
            maps: maps.collect(),
            being_written: being_written.iter().copied().map(taut_schemas::D3d11ResourceId).collect(),
            device_handle: *device_handle,
            core_layer: *core_layer,
            table: table.slots().to_vec(),
            passing: passing.clone(),
            current: *current,
            is_stale: *is_stale,
            keeps_calls: tokens.is_some(),
            playing: playing.collect(),
            let_go: let_go.clone(),
            discarded: discarded.collect(),
            begun: begun.iter().copied().collect(),
            queried: queried.iter().copied().collect(),
        });
        memory.save(adapter_of(recording), context, records);
        for (object, Held { object: _, local, pinned }) in held {
            let handle = local.unwrap_or_default();
            records.put(&state::HeldObject { context, object: *object, handle, pinned: *pinned });
        }
        let bound = |records: &mut StateRecords, context_state: ObjectId, bindings: &Bindings| {
            for call in bindings.save() {
                records.put(&state::BoundCall { context, context_state, call: call.save() });
            }
        };
        bound(records, ObjectId::NULL, bindings);
        for (context_state, kept) in kept {
            records.put(&state::KeptBindings { context, context_state: *context_state });
            bound(records, *context_state, kept);
        }
        contents.save(context, records);
    }

    /// That of a record, in which this was recorded.
    pub(crate) fn restore(
        record: state::OpenContext,
        facts: Option<Arc<DeviceFacts>>,
        (calls, work): (Vec<Token>, Vec<Work>),
    ) -> Result<ContextState, RestoreError> {
        let state::OpenContext { context: id, device, kind, has_handles, extended, lost, is_to_tell, .. } = record;
        let state::OpenContext { poisoned, returned, maps, being_written, device_handle, core_layer, .. } = record;
        let state::OpenContext { table, passing, current, is_stale, keeps_calls, playing, let_go, .. } = record;
        let state::OpenContext { discarded, begun, queried, .. } = record;
        let kind = match kind {
            D3d11ContextKind::IMMEDIATE => ContextKind::Immediate,
            D3d11ContextKind::DEFERRED => ContextKind::Deferred,
            other => return unsound::<_, state::OpenContext>("a kind of context", other.0),
        };
        if has_handles != facts.is_some() {
            return unsound::<_, state::OpenContext>("a context of a device whose driver is known", device.0);
        }
        if !keeps_calls && !calls.is_empty() || kind == ContextKind::Immediate && !work.is_empty() {
            return unsound::<_, state::OpenContext>("a context that records", id.0);
        }
        for handle in passing.iter().chain([&device_handle]).chain(playing.iter().map(|played| &played.handle)) {
            check_handle::<state::OpenContext>(*handle)?;
        }
        let is_immediate = has_handles && kind == ContextKind::Immediate;
        Ok(ContextState {
            id,
            device,
            kind,
            extended,
            lost,
            is_to_tell,
            poisoned,
            returned,
            maps: maps.iter().map(|mapped| (mapped.resource, mapped.subresource)).collect(),
            being_written: being_written.iter().map(|resource| resource.0).collect(),
            facts,
            device_handle,
            core_layer,
            table: Table::new(&FunctionTable { slots: table }),
            memory: ContextMemory::new(HandleRange::default(), is_immediate),
            passing,
            current,
            is_stale,
            tokens: keeps_calls.then_some(calls),
            playing: playing.iter().map(|played| (played.object, played.handle)).collect(),
            let_go,
            discarded: discarded.iter().map(|discarded| (discarded.resource, discarded.address)).collect(),
            begun: begun.into_iter().collect(),
            queried: queried.into_iter().collect(),
            work,
            ..ContextState::default()
        })
    }

    /// Takes up a record of an object that is there.
    pub(crate) fn restore_held(&mut self, record: &state::HeldObject, object: D3d11Object) -> Result<(), RestoreError> {
        let state::HeldObject { context: _, object: id, handle, pinned } = *record;
        check_handle::<state::HeldObject>(handle)?;
        if let D3d11Kind::View(view) = &object.kind {
            *self.viewed.entry(view.resource.into()).or_default() += 1;
        }
        let local = Some(handle).filter(|handle| *handle != DriverHandle::default());
        if self.held.insert(id, Held { object, local, pinned }).is_some() {
            return unsound::<_, state::HeldObject>("an object that is held once", id.0);
        }
        Ok(())
    }

    /// Takes up a record.
    pub(crate) fn restore_kept(&mut self, record: &state::KeptBindings) {
        self.kept.entry(record.context_state).or_default();
    }

    /// Takes up a record.
    pub(crate) fn restore_bound(&mut self, record: state::BoundCall) -> Result<(), RestoreError> {
        let state::BoundCall { context: _, context_state, call } = record;
        let bindings = match context_state {
            ObjectId::NULL => Some(&mut self.bindings),
            state => self.kept.get_mut(&state),
        };
        let Some(bindings) = bindings else {
            return unsound::<_, state::BoundCall>("bindings that are kept", context_state.0);
        };
        bindings.apply(&Token::restore::<state::BoundCall>(call)?);
        Ok(())
    }
}

/// Whose object it is.
pub(crate) fn adapter_of(object: ObjectId) -> AdapterId {
    AdapterId(AdapterId::split(object.0).0 as u64 + 1)
}
