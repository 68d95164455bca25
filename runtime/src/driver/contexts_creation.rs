//! Creation of an object's handles by the driver model: their first words and fields.

use super::contexts_model::{DEPENDENCY, IC_HANDLE, Memory, at};
use super::model::Model;
use taut_schemas::{BindFlags, CreateHandle, DriverHandle, HandleType};

/// Minimum size of a handle that has room for [`DEPENDENCY`].
const BYTES_WITH_DEPENDENCY: u64 = 16;

impl Model {
    /// Writes the beginning of a new handle. Returns true for a handle of the immediate context, `None` if memory is
    /// out.
    pub(super) fn begin(
        &self,
        memory: Memory<'_>,
        device: DriverHandle,
        handle_type: HandleType,
        handle: &CreateHandle,
    ) -> Option<bool> {
        let is_immediate = handle.ic_handle.0 == 0;
        if !is_immediate && !self.charge(memory, device, self.context_handles(|handles| handles.open_bytes)) {
            return None;
        }
        // The handle of the immediate context identifies the object, whichever context uses it.
        let own = if is_immediate { handle.driver_handle } else { handle.ic_handle };
        memory.write_u64(at(handle.driver_handle, IC_HANDLE), own.0);
        if !self.create_fields(memory, device, handle_type, handle) {
            return None;
        }
        self.apply_creation_faults(memory, device, handle);
        Some(is_immediate)
    }

    /// Writes the beginning of a new view's handle.
    pub(super) fn begin_view(
        &self,
        memory: Memory<'_>,
        device: DriverHandle,
        handle_type: HandleType,
        handle: &CreateHandle,
    ) {
        let Some(is_immediate) = self.begin(memory, device, handle_type, handle) else { return };
        if is_immediate || self.has_dependency(handle_type) {
            memory.write_u64(at(handle.driver_handle, DEPENDENCY), handle.dependency_handle.0);
        }
    }

    /// True if a view's handle of a deferred context has room for its resource's handle, without its fields.
    pub(super) fn has_dependency(&self, handle_type: HandleType) -> bool {
        let listed = self.context_handles(|handles| handles.listed_size_of(handle_type, BindFlags::NONE));
        listed.size_bytes >= BYTES_WITH_DEPENDENCY
    }
}
