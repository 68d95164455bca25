//! State that an adapter's Direct3D 11 devices share, as rundown records.

use super::{D3d11State, DeviceFacts, ListRecord};
use crate::records::{RestoreError, StateRecords, check_count, check_handle, check_handle_bytes, check_number};
use std::sync::Arc;
use taut_schemas::{AdapterId, Bytes, D3d11ContextId, D3d11ContextStateId, D3d11DeviceId, DriverHandle};
use taut_schemas::{StoredContextState, UnusedHandle, state};

impl D3d11State {
    /// Writes the records. Writes no record if no device was created.
    pub(crate) fn save(&self, adapter: AdapterId, records: &mut StateRecords) {
        if self.is_new() {
            return;
        }
        // The omitted fields are in the records of state objects and views.
        let D3d11State { contexts, handles, removed_by, devices, states: _, view_resources: _, .. } = self;
        let D3d11State { lists, stored_states, returned, .. } = self;
        let stored_states = stored_states.iter();
        let stored_states = stored_states.map(|(state, has_ended)| StoredContextState {
            context_state: D3d11ContextStateId(state.0),
            has_ended: *has_ended,
        });
        records.put(&state::D3d11Devices {
            adapter,
            contexts: *contexts,
            removed_by: removed_by.unwrap_or_default(),
            stored_states: stored_states.collect(),
        });
        handles.save(adapter, D3d11ContextId::NULL, records);
        devices.values().for_each(|(facts, objects)| facts.save(*objects, records));
        for (id, ListRecord { recorder, holds }) in lists {
            let command_list = taut_schemas::D3d11CommandListId(id.0);
            records.put(&state::ListHolds { command_list, recorder: *recorder, objects: holds.clone() });
        }
        for (context, [out_of_use, returned]) in returned {
            let unused = |handles: &[(DriverHandle, u64)]| {
                handles.iter().map(|(handle, size)| UnusedHandle { handle: *handle, size: *size }).collect()
            };
            let context = D3d11ContextId(*context);
            let (out_of_use, returned) = (unused(out_of_use), unused(returned));
            records.put(&state::UnusedLists { context, out_of_use, returned });
        }
    }

    /// Restores the state from its record.
    pub(crate) fn restore(&mut self, record: &state::D3d11Devices) -> Result<(), RestoreError> {
        let state::D3d11Devices { adapter: _, contexts, removed_by, stored_states } = record;
        self.contexts = check_count::<state::D3d11Devices>(*contexts)?;
        self.removed_by = Some(*removed_by).filter(|context| *context != D3d11ContextId::NULL);
        let stored_states = stored_states.iter();
        self.stored_states = stored_states.map(|stored| (stored.context_state.into(), stored.has_ended)).collect();
        Ok(())
    }

    /// Restores a device's properties from their record.
    pub(crate) fn restore_facts(&mut self, record: state::D3d11DeviceFacts) -> Result<(), RestoreError> {
        let (device, objects) = (record.device, record.objects);
        let facts = DeviceFacts::restore(record)?;
        self.devices.insert(device.0, (Arc::new(facts), check_count::<state::D3d11DeviceFacts>(objects)?));
        Ok(())
    }

    /// Restores a command list from its record.
    pub(crate) fn restore_list(&mut self, record: state::ListHolds, adapters: usize) -> Result<(), RestoreError> {
        let state::ListHolds { command_list, recorder, objects: holds } = record;
        check_number::<state::ListHolds>(recorder.0, adapters)?;
        self.lists.insert(command_list.into(), ListRecord { recorder, holds });
        Ok(())
    }

    /// Restores a context's unused lists from their record.
    pub(crate) fn restore_unused(&mut self, record: &state::UnusedLists) -> Result<(), RestoreError> {
        let state::UnusedLists { context, out_of_use, returned } = record;
        let mut lists: [Vec<(DriverHandle, u64)>; 2] = Default::default();
        for (to, from) in lists.iter_mut().zip([out_of_use, returned]) {
            for UnusedHandle { handle, size } in from {
                check_handle::<state::UnusedLists>(*handle)?;
                check_handle_bytes::<state::UnusedLists>(*size)?;
                to.push((*handle, *size));
            }
        }
        self.returned.insert(context.0, lists);
        Ok(())
    }

    /// The properties of a device.
    pub(crate) fn facts_of(&self, device: D3d11DeviceId) -> Option<Arc<DeviceFacts>> {
        self.devices.get(&device.0).map(|(facts, _)| Arc::clone(facts))
    }
}

impl DeviceFacts {
    fn save(&self, objects: u64, records: &mut StateRecords) {
        let DeviceFacts { device, immediate, caps, device_handle, sizes, image } = self;
        records.put(&state::D3d11DeviceFacts {
            device: *device,
            immediate_context: *immediate,
            caps: *caps,
            device_handle: *device_handle,
            sizes: sizes.clone(),
            image: Bytes(image.to_vec()),
            objects,
        });
    }

    fn restore(record: state::D3d11DeviceFacts) -> Result<DeviceFacts, RestoreError> {
        let state::D3d11DeviceFacts { device, immediate_context, caps, device_handle, sizes, image, objects: _ } =
            record;
        check_handle::<state::D3d11DeviceFacts>(device_handle)?;
        check_handle_bytes::<state::D3d11DeviceFacts>(image.0.len() as u64)?;
        let (immediate, image) = (immediate_context, image.0.into());
        Ok(DeviceFacts { device, immediate, caps, device_handle, sizes, image })
    }
}
