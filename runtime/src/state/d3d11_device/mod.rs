//! Direct3D 11 devices on a driver with handles per context: properties from creation, and state that their objects
//! share.

mod handle_error;
mod saved;

use super::state_desc::StateDesc;
use crate::memory::context_memory::HandleRange;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use taut_schemas::{
    D3d11ContextId, D3d11DeviceId, D3d11StateId, DriverHandle, HResult, HResultCode, HandleSize, ObjectId,
    ThreadingCaps,
};

/// Properties of a device that never change.
#[derive(Debug)]
pub(crate) struct DeviceFacts {
    pub device: D3d11DeviceId,
    pub immediate: D3d11ContextId,
    /// Threading capabilities of the driver.
    pub caps: ThreadingCaps,
    /// hDevice of the immediate context.
    pub device_handle: DriverHandle,
    /// Sizes from CheckDeferredContextHandleSizes; empty if the driver has no deferred contexts.
    pub sizes: Vec<HandleSize>,
    /// Contents of the device handle's memory after creation.
    pub image: Arc<[u8]>,
}

impl DeviceFacts {
    /// True if the driver builds command lists, so that deferred contexts are its own.
    pub fn has_deferred_contexts(&self) -> bool {
        !self.sizes.is_empty()
    }
}

/// A command list in the device's state.
#[derive(Debug)]
pub(crate) struct ListRecord {
    /// The context that recorded the list.
    pub recorder: D3d11ContextId,
    /// Objects of the recording; the list pins each once.
    pub holds: Vec<ObjectId>,
}

/// State that all of an adapter's devices with handles per context share, under the device's lock.
#[derive(Debug, Default)]
pub(crate) struct D3d11State {
    /// Number of contexts so far.
    contexts: u64,
    /// Addresses of immediate-context handles.
    pub handles: HandleRange,
    /// The context whose call removed the device, until the removal is propagated to every object.
    pub removed_by: Option<D3d11ContextId>,
    /// Devices, with their numbers of live objects.
    pub devices: BTreeMap<u64, (Arc<DeviceFacts>, u64)>,
    /// State objects by device and description (rule H-12).
    pub states: BTreeMap<(u64, StateDesc), D3d11StateId>,
    /// Resources by their views.
    pub view_resources: BTreeMap<ObjectId, ObjectId>,
    pub lists: BTreeMap<ObjectId, ListRecord>,
    /// Context state objects that store bindings, with whether the object has ended since.
    pub stored_states: BTreeMap<ObjectId, bool>,
    /// Handles of unused lists, by the deferred context that recorded them: first those to recycle, then those
    /// recycled. A destroyed context has no entry.
    pub returned: BTreeMap<u64, [Vec<(DriverHandle, u64)>; 2]>,
}

impl D3d11State {
    /// Creates the state of an adapter.
    pub fn new(adapter: taut_schemas::AdapterId) -> D3d11State {
        D3d11State { handles: HandleRange::for_context(adapter, 0).unwrap_or_default(), ..D3d11State::default() }
    }

    /// True if no device was created so far.
    pub fn is_new(&self) -> bool {
        self.contexts == 0 && self.devices.is_empty()
    }

    /// Addresses for a new context, whose handles are multiples of `line_bytes`.
    pub fn new_range(&mut self, adapter: taut_schemas::AdapterId, line_bytes: u64) -> HResult<HandleRange> {
        self.contexts += 1;
        // Set before the first handle exists; every later call sets the same value.
        self.handles = std::mem::take(&mut self.handles).with_line_bytes(line_bytes);
        let range = HandleRange::for_context(adapter, self.contexts).ok_or(HResultCode::E_OUTOFMEMORY)?;
        Ok(range.with_line_bytes(line_bytes))
    }

    /// True if a context state object that stores bindings has ended.
    pub fn has_ended(&self, state: ObjectId) -> bool {
        self.stored_states.get(&state).is_some_and(|ended| *ended)
    }

    /// Visits objects and the objects that may end with them. A list with several holders is visited once.
    pub fn visit_ends(&self, objects: impl IntoIterator<Item = ObjectId>, visit: &mut dyn FnMut(ObjectId)) {
        // Neither collection allocates unless there are lists.
        let (mut nested, mut seen) = (Vec::new(), BTreeSet::new());
        let mut show = |object: ObjectId| {
            visit(object);
            if let Some(resource) = self.view_resources.get(&object) {
                visit(*resource);
            }
            (self.lists.contains_key(&object) && seen.insert(object)).then_some(object)
        };
        nested.extend(objects.into_iter().filter_map(&mut show));
        while let Some(list) = nested.pop() {
            let holds = self.lists.get(&list).map_or(&[][..], |list| &list.holds);
            nested.extend(holds.iter().filter_map(|held| show(*held)));
        }
    }
}
