//! Restoration of Direct3D 11 contexts.

use super::super::{Restored, Restoring};
use crate::d3d11::context_state::ContextState;
use crate::records::{RestoreError, check_number, invalid_value};
use taut_schemas::{ObjectId, state};

impl Restored for state::OpenContext {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let id = ObjectId::from(self.context);
        check_number::<Self>(id.0, restoring.adapters)?;
        restoring.check_driver::<Self>(id, self.has_handles)?;
        let (calls, work) = restoring.d3d11.take::<Self>(id)?;
        let facts = restoring.adapter_of::<Self>(id)?.device.d3d11.facts_of(self.device);
        let context = ContextState::restore(self, facts, calls, work)?;
        if restoring.d3d11.contexts.insert(id, context).is_some() {
            return invalid_value::<_, Self>("one record of each context", id.0);
        }
        Ok(())
    }
}

impl Restored for state::HandleBytes {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.d3d11.context::<Self>(self.context)?.memory.restore_bytes(self)
    }
}

impl Restored for state::HeldObject {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let object = restoring.known::<Self>(self.object)?;
        restoring.d3d11.context::<Self>(self.context)?.restore_held(&self, object)
    }
}

impl Restored for state::StoredBindings {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.d3d11.context::<Self>(self.context)?.restore_stored_bindings(&self);
        Ok(())
    }
}

impl Restored for state::BoundCall {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.d3d11.context::<Self>(self.context)?.restore_bound(self)
    }
}

impl Restored for state::ContextContents {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.d3d11.context::<Self>(self.context)?.contents.restore(&self);
        Ok(())
    }
}

impl Restored for state::ResourceContent {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.d3d11.context::<Self>(self.context)?.contents.restore_resource(self)
    }
}

impl Restored for state::QueryFound {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.d3d11.context::<Self>(self.context)?.contents.restore_query(&self)
    }
}
