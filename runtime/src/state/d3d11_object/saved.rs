//! Direct3D 11 objects as rundown records.

use super::{D3d11CommandList, D3d11Device, D3d11Kind, D3d11Memory, D3d11Object, D3d11Resource, D3d11View};
use crate::records::{
    RestoreError, StateRecords, check_handle, check_handle_bytes, check_memory, check_number, invalid_value,
};
use crate::state::{IcHandle, Object, ObjectKind, StateDesc};
use std::sync::Arc;
use taut_schemas::{
    Bytes, D3d11CommandListId, D3d11ContextId, D3d11ContextStateId, D3d11DeviceId, D3d11InputLayoutId,
    D3d11ObjectState, D3d11QueryId, D3d11ResourceId, D3d11ResourceMemory, D3d11ShaderId, D3d11StateId, D3d11ViewId,
    Mark, ObjectId, state,
};

/// Max references to an object and maps of a resource in a record: far below overflow, since replay increments them.
const MAX_COUNT: u32 = u32::MAX / 4;

/// Validates a count that later calls may increment.
fn check_ref_count<M: Mark>(count: u32) -> Result<u32, RestoreError> {
    if count < MAX_COUNT { Ok(count) } else { invalid_value::<_, M>("fewer than 2^30 references or maps", count) }
}

/// Validates the address range of a resource's memory.
fn check_layout<M: Mark>(memory: &D3d11ResourceMemory) -> Result<(), RestoreError> {
    check_memory::<M>(memory.address, memory.layout.size_bytes)
}

impl D3d11Object {
    /// Writes the object's record.
    pub(crate) fn save(&self, ObjectId(id): ObjectId, name: String, records: &mut StateRecords) {
        let object = self.shared(name);
        match &self.kind {
            D3d11Kind::Device(device) => device.save(D3d11DeviceId(id), object, records),
            D3d11Kind::Context => records.put(&state::D3d11Context { context: D3d11ContextId(id), object }),
            D3d11Kind::Resource(resource) => resource.save(D3d11ResourceId(id), object, records),
            D3d11Kind::View(view) => {
                // The resource's own record has the copy of its state.
                let D3d11View { handle_type, mip, resource, resource_object: _ } = view;
                let (view, handle_type, mip, resource) = (D3d11ViewId(id), *handle_type, *mip, *resource);
                records.put(&state::D3d11View { view, object, handle_type, mip, resource });
            }
            D3d11Kind::State(desc) => {
                let state = D3d11StateId(id);
                match &**desc {
                    StateDesc::Blend(desc) => {
                        records.put(&state::D3d11BlendState { state, object, desc: desc.clone() });
                    }
                    StateDesc::DepthStencil(desc) => {
                        records.put(&state::D3d11DepthStencilState { state, object, desc: *desc });
                    }
                    StateDesc::Rasterizer(desc) => {
                        records.put(&state::D3d11RasterizerState { state, object, desc: *desc });
                    }
                    StateDesc::Sampler(desc) => records.put(&state::D3d11SamplerState { state, object, desc: *desc }),
                }
            }
            D3d11Kind::Shader(desc) => {
                records.put(&state::D3d11Shader { shader: D3d11ShaderId(id), object, desc: **desc });
            }
            D3d11Kind::InputLayout => {
                records.put(&state::D3d11InputLayout { input_layout: D3d11InputLayoutId(id), object });
            }
            D3d11Kind::Query(desc) => records.put(&state::D3d11Query { query: D3d11QueryId(id), object, desc: *desc }),
            D3d11Kind::CommandList(list) => list.save(D3d11CommandListId(id), object, records),
            D3d11Kind::ContextState => {
                records.put(&state::D3d11ContextState { context_state: D3d11ContextStateId(id), object });
            }
        }
    }

    /// The part of a record that all kinds of object share.
    fn shared(&self, name: String) -> D3d11ObjectState {
        let D3d11Object { device, count, pins, is_lost, kind: _, handle } = self;
        let (device, count, pins, is_lost) = (*device, *count, *pins, *is_lost);
        let none = D3d11ObjectState { name, device, count, pins, is_lost, ..D3d11ObjectState::default() };
        let Some(handle) = handle else { return none };
        // The size is left out: it is the length of the image.
        let IcHandle { address, size_bytes: _, deferred_bytes, image } = &**handle;
        D3d11ObjectState { handle: *address, deferred_size: *deferred_bytes, image: Bytes(image.to_vec()), ..none }
    }

    /// Restores an object from the record `M`.
    pub(crate) fn restore<M: Mark>(
        record: D3d11ObjectState,
        kind: D3d11Kind,
        adapters: usize,
    ) -> Result<Object, RestoreError> {
        let D3d11ObjectState { name, device, count, pins, is_lost, handle, deferred_size, image: Bytes(image) } =
            record;
        check_number::<M>(device.0, adapters)?;
        check_handle::<M>(handle)?;
        check_handle_bytes::<M>(deferred_size)?;
        let size_bytes = check_handle_bytes::<M>(image.len() as u64)?;
        let (count, pins) = (check_ref_count::<M>(count)?, check_ref_count::<M>(pins)?);
        let handle = (handle.0 != 0).then(|| {
            Arc::new(IcHandle { address: handle, size_bytes, deferred_bytes: deferred_size, image: image.into() })
        });
        let object = D3d11Object { device, count, pins, is_lost, kind, handle };
        Ok(Object::named(&name, ObjectKind::D3d11(Box::new(object))))
    }
}

impl D3d11Device {
    fn save(&self, device: D3d11DeviceId, object: D3d11ObjectState, records: &mut StateRecords) {
        let D3d11Device { flags, extensions, marked, contexts, immediate_counts } = self.clone();
        records.put(&state::D3d11Device { device, object, flags, extensions, marked, contexts, immediate_counts });
    }

    /// Restores a device from its record.
    pub(crate) fn restore(record: &state::D3d11Device) -> Result<D3d11Device, RestoreError> {
        let state::D3d11Device { device: _, object: _, flags, extensions, marked, contexts, immediate_counts } = record;
        let contexts = check_ref_count::<state::D3d11Device>(*contexts)?;
        let (flags, extensions, marked) = (*flags, *extensions, *marked);
        Ok(D3d11Device { flags, extensions, marked, contexts, immediate_counts: *immediate_counts })
    }
}

impl D3d11Resource {
    fn save(&self, resource: D3d11ResourceId, object: D3d11ObjectState, records: &mut StateRecords) {
        let D3d11Resource { desc, direct_access, address, layout, memory: memory_of, maps } = self.clone();
        let memory = D3d11ResourceMemory { address, layout };
        records.put(&state::D3d11Resource { resource, object, desc, direct_access, memory, memory_of, maps });
    }

    /// Restores a resource from its record.
    pub(crate) fn restore(record: &state::D3d11Resource) -> Result<D3d11Resource, RestoreError> {
        let state::D3d11Resource { resource: _, object: _, desc, direct_access, memory, memory_of, maps } = record;
        check_layout::<state::D3d11Resource>(memory)?;
        let maps = check_ref_count::<state::D3d11Resource>(*maps)?;
        let D3d11ResourceMemory { address, layout } = *memory;
        Ok(D3d11Resource { desc: *desc, direct_access: *direct_access, address, layout, memory: *memory_of, maps })
    }
}

impl D3d11Memory {
    /// The record of the memory.
    pub(crate) fn save(&self, resource: D3d11ResourceId) -> state::D3d11Memory {
        let D3d11Memory { address, layout, users, maps } = *self;
        state::D3d11Memory { resource, memory: D3d11ResourceMemory { address, layout }, users, maps }
    }

    /// Restores the memory from its record.
    pub(crate) fn restore(record: &state::D3d11Memory) -> Result<D3d11Memory, RestoreError> {
        let state::D3d11Memory { resource: _, memory, users, maps } = record;
        check_layout::<state::D3d11Memory>(memory)?;
        // Memory without a user would never be released.
        if *users == 0 {
            return invalid_value::<_, state::D3d11Memory>("memory with at least one user", users);
        }
        let D3d11ResourceMemory { address, layout } = *memory;
        let [users, maps] = [*users, *maps].map(check_ref_count::<state::D3d11Memory>);
        Ok(D3d11Memory { address, layout, users: users?, maps: maps? })
    }
}

impl D3d11CommandList {
    fn save(&self, command_list: D3d11CommandListId, object: D3d11ObjectState, records: &mut StateRecords) {
        let D3d11CommandList { commands, maps, recording, work, queries } = self;
        let id = ObjectId::from(command_list);
        for call in recording.iter().flat_map(|recording| &recording.deferred_commands) {
            records.put(&state::RecordedCall { recording: id, call: call.save() });
        }
        work.iter().for_each(|work| records.put(&state::RecordedEffect { recording: id, work: work.save() }));
        records.put(&state::D3d11CommandList {
            command_list,
            object,
            commands: *commands,
            maps: maps.iter().copied().collect(),
            queries: queries.iter().copied().collect(),
            is_stored: recording.is_some(),
            names: recording.iter().flat_map(|recording| recording.objects.keys().copied()).collect(),
        });
    }
}
