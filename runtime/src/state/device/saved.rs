//! Device state as rundown records.

use super::{Adapter, DeviceState, HeapRecord};
use crate::driver::caps::Caps;
use crate::driver::ddi_version::DdiVersion;
use crate::memory::buffer_map::BufferMap;
use crate::memory::space::AddressSpace;
use crate::records::{RestoreError, StateRecords, check_count, check_memory, check_number, invalid_value};
use taut_schemas::{
    AdapterDevice, AdapterId, D3d11ResourceId, GpuVirtualAddress, HResultCode, HeapId, ObjectId, state,
};

impl DeviceState {
    /// Writes the records.
    pub(crate) fn save(&self, records: &mut StateRecords) {
        let DeviceState { id, adapter, last_object, descriptors, removed, heaps, memory, buffers, d3d11_memory, d3d11 } =
            self;
        let reported = adapter.as_ref().map(|Adapter { ddi_version, background_0063, caps }| {
            (AdapterDevice { ddi_version: ddi_version.0, background_0063: *background_0063 }, caps.words())
        });
        let (device, caps) = reported.unzip();
        let removed = removed.unwrap_or_default();
        let (last_object, caps) = (ObjectId(*last_object), caps.unwrap_or_default());
        records.put(&state::Adapter { adapter: *id, last_object, removed, device, caps, descriptors: *descriptors });
        records.put(&memory.save(*id, buffers));
        buffers.save().for_each(|buffer| records.put(&buffer));
        for (id, HeapRecord { desc, address, placed, released }) in heaps.iter() {
            records.put(&state::HeapMemory {
                heap: HeapId(id),
                desc: *desc,
                address: GpuVirtualAddress(*address),
                placed: *placed,
                released: *released,
            });
        }
        for (id, memory) in d3d11_memory.iter() {
            records.put(&memory.save(D3d11ResourceId(id)));
        }
        d3d11.save(*id, records);
    }

    /// Restores the device from its record.
    pub(crate) fn restore(&mut self, record: &state::Adapter, adapters: usize) -> Result<(), RestoreError> {
        let state::Adapter { adapter: _, last_object, removed, device, caps, descriptors } = record;
        self.last_object = check_number::<state::Adapter>(last_object.0, adapters)?;
        // An id of another adapter would let two devices create the same ids.
        if AdapterId::split(self.last_object).0 != self.id.index() {
            return invalid_value::<_, state::Adapter>("an object of the adapter", self.last_object);
        }
        self.descriptors = check_count::<state::Adapter>(*descriptors)?;
        self.removed = (*removed != HResultCode::S_OK).then_some(*removed);
        self.adapter = match device {
            None => None,
            Some(AdapterDevice { ddi_version, background_0063 }) => {
                let Some(caps) = Caps::from_words(caps) else {
                    return invalid_value::<_, state::Adapter>("a word for each member of the caps", caps.len());
                };
                Some(Adapter { ddi_version: DdiVersion(*ddi_version), background_0063: *background_0063, caps })
            }
        };
        Ok(())
    }

    /// Restores the address space from its record, which precedes the records of its allocations.
    pub(crate) fn restore_memory(&mut self, record: &state::AddressSpace) -> Result<(), RestoreError> {
        self.memory = AddressSpace::restore(record)?;
        self.buffers = BufferMap::after(record.longest_buffer);
        Ok(())
    }

    /// Restores a heap from its record.
    pub(crate) fn restore_heap(&mut self, record: &state::HeapMemory, adapters: usize) -> Result<(), RestoreError> {
        let state::HeapMemory { heap, desc, address, placed, released } = *record;
        check_memory::<state::HeapMemory>(address.0, desc.size_bytes)?;
        check_count::<state::HeapMemory>(placed)?;
        let id = check_number::<state::HeapMemory>(heap.0, adapters)?;
        self.heaps.insert(id, HeapRecord { desc, address: address.0, placed, released });
        Ok(())
    }

    /// Validates each heap's number of placed resources; `placed` counts the resources that have a record.
    pub(crate) fn check_placed(&self, placed: impl Fn(HeapId) -> u64) -> Result<(), RestoreError> {
        let wrong = self.heaps.iter().find(|(id, heap)| placed(HeapId(*id)) != heap.placed);
        let Some((id, heap)) = wrong else { return Ok(()) };
        let found = format_args!("{} in heap {id}", heap.placed);
        invalid_value::<_, state::HeapMemory>("as many placed resources as have a record", found)
    }
}
