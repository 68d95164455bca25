//! Restored state of Direct3D 11 before its contexts are inserted.

use crate::d3d11::context_state::ContextState;
use crate::records::{RestoreError, invalid_value};
use crate::state::{ContextWork, DeferredCommand};
use std::collections::BTreeMap;
use taut_schemas::{D3d11ContextId, Mark, ObjectId};

/// Recorded calls of the next context or list, and the contexts so far.
#[derive(Default)]
pub(super) struct Restored11 {
    pub(super) recording: ObjectId,
    pub(super) calls: Vec<DeferredCommand>,
    pub(super) work: Vec<ContextWork>,
    pub(super) contexts: BTreeMap<ObjectId, ContextState>,
}

impl Restored11 {
    /// Returns the lists to which the calls of `recording` are appended.
    pub(super) fn of<M: Mark>(
        &mut self,
        recording: ObjectId,
    ) -> Result<(&mut Vec<DeferredCommand>, &mut Vec<ContextWork>), RestoreError> {
        if self.calls.is_empty() && self.work.is_empty() {
            self.recording = recording;
        }
        match self.recording == recording {
            true => Ok((&mut self.calls, &mut self.work)),
            false => invalid_value::<_, M>("the recording of one list or context at a time", recording.0),
        }
    }

    pub(super) fn take<M: Mark>(
        &mut self,
        recording: ObjectId,
    ) -> Result<(Vec<DeferredCommand>, Vec<ContextWork>), RestoreError> {
        let (calls, work) = self.of::<M>(recording)?;
        Ok((std::mem::take(calls), std::mem::take(work)))
    }

    pub(super) fn context<M: Mark>(&mut self, id: D3d11ContextId) -> Result<&mut ContextState, RestoreError> {
        match self.contexts.get_mut(&id.into()) {
            Some(context) => Ok(context),
            None => invalid_value::<_, M>("a context before it", id.0),
        }
    }
}
