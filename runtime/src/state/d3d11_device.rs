//! What a device's driver with handles per context said when it was created, and what its objects share.

mod saved;

use super::device::DeviceState;
use super::state_desc::StateDesc;
use crate::memory::context_memory::HandleRange;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use taut_schemas::{
    D3d11ContextId, D3d11DeviceId, D3d11StateId, DriverHandle, HResult, HResultCode, HandleSize, ObjectId,
    ThreadingCaps,
};

/// What does not change as long as a device lives.
#[derive(Debug)]
pub(crate) struct DeviceFacts {
    pub device: D3d11DeviceId,
    pub immediate: D3d11ContextId,
    /// What the driver can do on several threads.
    pub caps: ThreadingCaps,
    /// hDevice of the immediate context.
    pub device_handle: DriverHandle,
    /// What CheckDeferredContextHandleSizes told; none where there are no deferred contexts.
    pub sizes: Vec<HandleSize>,
    /// What the memory behind the device's handle held when its creation was over.
    pub image: Arc<[u8]>,
}

impl DeviceFacts {
    /// Passes an error of a creation on. One that says that the device is gone removes it, and the shell is to tell the rest.
    pub fn noticed(&self, device: &mut DeviceState, code: HResultCode) -> HResultCode {
        if code == HResultCode::DXGI_ERROR_DEVICE_REMOVED {
            device.remove_because(code);
            device.d3d11.removed_by = Some(self.immediate);
        }
        code
    }

    /// Its driver builds command lists, so there are deferred contexts.
    pub fn has_deferred_contexts(&self) -> bool {
        !self.sizes.is_empty()
    }
}

/// A command list, as the device knows it.
#[derive(Debug)]
pub(crate) struct ListRecord {
    /// The context that made it.
    pub maker: D3d11ContextId,
    /// What it recorded: it holds each once.
    pub holds: Vec<ObjectId>,
}

/// What all of an adapter's devices with handles per context share, under the device's lock.
#[derive(Debug, Default)]
pub(crate) struct D3d11State {
    /// Contexts there have been.
    contexts: u64,
    /// The addresses of the immediate contexts' handles.
    pub handles: HandleRange,
    /// The context in whose call the device was removed, until every object knows.
    pub removed_by: Option<D3d11ContextId>,
    /// Devices, and how many of their objects live.
    pub devices: BTreeMap<u64, (Arc<DeviceFacts>, u64)>,
    /// State objects by device and description (rule H-12).
    pub states: BTreeMap<(u64, StateDesc), D3d11StateId>,
    /// Resources by their views.
    pub view_resources: BTreeMap<ObjectId, ObjectId>,
    pub lists: BTreeMap<ObjectId, ListRecord>,
    /// The states of immediate contexts that keep bindings, and whether they have ended since.
    pub kept_states: BTreeMap<ObjectId, bool>,
    /// Handles of lists that are out of use, by the deferred context that made them: first those that it has not got back, then
    /// those that it has. A context that is gone has no entry.
    pub returned: BTreeMap<u64, [Vec<(DriverHandle, u64)>; 2]>,
}

impl D3d11State {
    /// That of an adapter.
    pub fn new(adapter: taut_schemas::AdapterId) -> D3d11State {
        D3d11State { handles: HandleRange::of(adapter, 0).unwrap_or_default(), ..D3d11State::default() }
    }

    /// There has been no device.
    pub fn is_new(&self) -> bool {
        self.contexts == 0 && self.devices.is_empty()
    }

    /// The addresses of a new context, whose handles are whole lines of this size.
    pub fn new_range(&mut self, adapter: taut_schemas::AdapterId, line_bytes: u64) -> HResult<HandleRange> {
        self.contexts += 1;
        // It is set before the first handle, and never changes.
        self.handles = std::mem::take(&mut self.handles).of_lines(line_bytes);
        let range = HandleRange::of(adapter, self.contexts).ok_or(HResultCode::E_OUTOFMEMORY)?;
        Ok(range.of_lines(line_bytes))
    }

    /// A state of an immediate context that kept bindings is gone.
    pub fn has_ended(&self, state: ObjectId) -> bool {
        self.kept_states.get(&state).is_some_and(|ended| *ended)
    }

    /// Shows objects, and what may end with them. A list that is held in many ways is shown once.
    pub fn visit_ends(&self, objects: impl IntoIterator<Item = ObjectId>, visit: &mut dyn FnMut(ObjectId)) {
        // Neither allocates unless there are lists.
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
