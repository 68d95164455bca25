//! From records to the world of Direct3D 11. Objects come by ascending numbers, so what one is made of is there before it; contexts
//! come behind them.

mod context;
mod object;

use super::{Restored, Restoring};
use crate::d3d11::context_state::{ContextState, adapter_of};
use crate::memory::context_memory::HandleRange;
use crate::records::{RestoreError, check_number, unsound};
use crate::state::{D3d11Kind, D3d11Memory, D3d11Object, ListWork, Objects, Token, Work};
use std::collections::BTreeMap;
use taut_schemas::{AdapterId, D3d11CommandListId, D3d11ContextId, D3d11ObjectState, Mark, ObjectId, state};

/// What is recorded in the context or list that comes next, and contexts so far.
#[derive(Default)]
pub(super) struct Restored11 {
    recording: ObjectId,
    calls: Vec<Token>,
    work: Vec<Work>,
    contexts: BTreeMap<ObjectId, ContextState>,
}

impl Restored11 {
    /// Where that goes which `recording` recorded.
    fn of<M: Mark>(&mut self, recording: ObjectId) -> Result<(&mut Vec<Token>, &mut Vec<Work>), RestoreError> {
        if self.calls.is_empty() && self.work.is_empty() {
            self.recording = recording;
        }
        match self.recording == recording {
            true => Ok((&mut self.calls, &mut self.work)),
            false => unsound::<_, M>("the recording of one list or context at a time", recording.0),
        }
    }

    fn take<M: Mark>(&mut self, recording: ObjectId) -> Result<(Vec<Token>, Vec<Work>), RestoreError> {
        let (calls, work) = self.of::<M>(recording)?;
        Ok((std::mem::take(calls), std::mem::take(work)))
    }

    fn context<M: Mark>(&mut self, id: D3d11ContextId) -> Result<&mut ContextState, RestoreError> {
        match self.contexts.get_mut(&id.into()) {
            Some(context) => Ok(context),
            None => unsound::<_, M>("a context before it", id.0),
        }
    }
}

impl Restoring<'_> {
    /// Contexts find their places, now that everything is there.
    pub(super) fn finish_d3d11(&mut self) -> Result<(), RestoreError> {
        let Restored11 { recording, calls, work, contexts } = std::mem::take(&mut self.d3d11);
        if !calls.is_empty() || !work.is_empty() {
            return unsound::<_, state::RecordedCall>("a list or context behind what it recorded", recording.0);
        }
        let state = self.whole::<state::OpenContext>()?;
        for (id, context) in contexts {
            let object = state.objects.get(id).and_then(|object| object.as_d3d11());
            let object = object.filter(|object| matches!(object.kind, D3d11Kind::Context));
            if object.is_none_or(|object| object.device != context.device) {
                return unsound::<_, state::OpenContext>("a context that is alive, of its device", id.0);
            }
            state.insert_context(context);
        }
        Ok(())
    }

    fn d3d11_object<M: Mark>(
        &mut self,
        id: impl Into<ObjectId>,
        object: D3d11ObjectState,
        kind: D3d11Kind,
    ) -> Result<(), RestoreError> {
        let (id, adapters) = (id.into(), self.adapters);
        check_number::<M>(id.0, adapters)?;
        self.check_driver::<M>(id, object.handle.0 != 0)?;
        let object = D3d11Object::restore::<M>(object, kind, adapters)?;
        self.whole::<M>()?.objects.insert(id, object);
        Ok(())
    }

    /// The driver has what is asked of it when the object is used.
    fn check_driver<M: Mark>(&self, id: ObjectId, has_handles: bool) -> Result<(), RestoreError> {
        let driver = self.drivers.of(adapter_of(id));
        let has = driver.d3d11_ddi().is_some() && (!has_handles || driver.d3d11_context_ddi().is_some());
        if has { Ok(()) } else { unsound::<_, M>("a driver with Direct3D 11", id.0) }
    }

    /// An object of Direct3D 11 that is there already.
    fn known<M: Mark>(&mut self, id: ObjectId) -> Result<D3d11Object, RestoreError> {
        match self.whole::<M>()?.objects.get(id).and_then(|object| object.as_d3d11()) {
            Some(object) => Ok(object.clone()),
            None => unsound::<_, M>("an object of Direct3D 11 before it", id.0),
        }
    }

    /// What a list does that is there already.
    fn work_of(&self, list: D3d11CommandListId) -> Option<ListWork> {
        let object = self.state.as_ref()?.objects.get(list.into())?;
        match &object.as_d3d11()?.kind {
            D3d11Kind::CommandList(list) => Some(list.work.clone()),
            _ => None,
        }
    }

    /// The addresses of a context, or with null those of an adapter.
    fn range<M: Mark>(&mut self, adapter: AdapterId, id: D3d11ContextId) -> Result<&mut HandleRange, RestoreError> {
        match id {
            D3d11ContextId::NULL => Ok(&mut self.adapter::<M>(adapter)?.device.d3d11.handles),
            id => Ok(&mut self.d3d11.context::<M>(id)?.memory.range),
        }
    }
}

impl Restored for state::D3d11Devices {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.adapter::<Self>(self.adapter)?.device.d3d11.restore(&self)
    }
}

impl Restored for state::D3d11DeviceFacts {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        check_number::<Self>(self.device.0, restoring.adapters)?;
        restoring.check_driver::<Self>(self.device.into(), true)?;
        restoring.adapter_of::<Self>(self.device)?.device.d3d11.restore_facts(self)
    }
}

impl Restored for state::HandleRange {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.adapter::<Self>(self.adapter)?;
        let range = HandleRange::restore(&self, restoring.settings)?;
        *restoring.range::<Self>(self.adapter, self.context)? = range;
        Ok(())
    }
}

impl Restored for state::FreeHandles {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.range::<Self>(self.adapter, self.context)?.restore_free(&self)
    }
}

impl Restored for state::UnusedLists {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.adapter_of::<Self>(self.context)?.device.d3d11.restore_unused(&self)
    }
}

impl Restored for state::ListHolds {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let adapters = restoring.adapters;
        restoring.adapter_of::<Self>(self.command_list)?.device.d3d11.restore_list(self, adapters)
    }
}

impl Restored for state::D3d11Memory {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let memory = D3d11Memory::restore(&self)?;
        let id = check_number::<Self>(self.resource.0, restoring.adapters)?;
        restoring.adapter_of::<Self>(self.resource)?.device.d3d11_memory.insert(id, memory);
        Ok(())
    }
}
