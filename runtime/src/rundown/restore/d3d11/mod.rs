//! Restoration of Direct3D 11 objects. Objects come in ascending order of their ids, so an object's dependencies
//! precede it; contexts follow all objects.

mod context;
mod object;

use super::restored_d3d11::Restored11;
use super::{Restored, Restoring};
use crate::d3d11::context_state::adapter_of;
use crate::memory::context_memory::HandleRange;
use crate::records::{RestoreError, check_number, invalid_value};
use crate::state::{D3d11Kind, D3d11Memory, D3d11Object, ListWork, Objects};
use taut_schemas::{AdapterId, D3d11CommandListId, D3d11ContextId, D3d11ObjectState, Mark, ObjectId, state};

impl Restoring<'_> {
    /// Inserts the contexts after all objects are restored.
    pub(super) fn finish_d3d11(&mut self) -> Result<(), RestoreError> {
        let Restored11 { recording, calls, work, contexts } = std::mem::take(&mut self.d3d11);
        if !calls.is_empty() || !work.is_empty() {
            return invalid_value::<_, state::RecordedCall>("a list or context after its recorded calls", recording.0);
        }
        let state = self.whole::<state::OpenContext>()?;
        for (id, context) in contexts {
            let object = state.objects.get(id).and_then(|object| object.as_d3d11());
            let object = object.filter(|object| matches!(object.kind, D3d11Kind::Context));
            if object.is_none_or(|object| object.device != context.device) {
                return invalid_value::<_, state::OpenContext>("a context that is alive, of its device", id.0);
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

    /// Checks that the driver has the DDIs that calls on the object will need.
    fn check_driver<M: Mark>(&self, id: ObjectId, has_handles: bool) -> Result<(), RestoreError> {
        let driver = self.drivers.of(adapter_of(id));
        let has = driver.d3d11_ddi().is_some() && (!has_handles || driver.d3d11_context_ddi().is_some());
        if has { Ok(()) } else { invalid_value::<_, M>("a driver with Direct3D 11", id.0) }
    }

    /// Returns a Direct3D 11 object that was restored before.
    fn known<M: Mark>(&mut self, id: ObjectId) -> Result<D3d11Object, RestoreError> {
        match self.whole::<M>()?.objects.get(id).and_then(|object| object.as_d3d11()) {
            Some(object) => Ok(object.clone()),
            None => invalid_value::<_, M>("an object of Direct3D 11 before it", id.0),
        }
    }

    /// Returns the work of a command list that was restored before.
    fn work_of(&self, list: D3d11CommandListId) -> Option<ListWork> {
        let object = self.state.as_ref()?.objects.get(list.into())?;
        match &object.as_d3d11()?.kind {
            D3d11Kind::CommandList(list) => Some(list.work.clone()),
            _ => None,
        }
    }

    /// Returns the handle range of a context, or of the adapter for the null id.
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
