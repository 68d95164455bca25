//! Accesses of the driver model to the fields of its data per object, as the profile describes them.

use super::contexts_field_table::{FieldUse, ModelField, TypeFields};
use super::contexts_model::{COMMANDS, Memory, at, report};
use super::model::Model;
use taut_schemas::{
    CreateHandle, DriverHandle, FieldPlacement, HResultCode, HandleType, SEPARATE_AREA, SEPARATE_AREA_BYTES,
};

/// Offset in a deferred context's memory of the used bytes of the area of separate fields.
const USED_AREA: u64 = 64;

fn read(memory: Memory<'_>, address: u64, size_bytes: u64) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(size_bytes).unwrap_or_default()];
    memory.read(address, &mut bytes);
    bytes
}

impl Model {
    /// Accesses the fields of the objects that a command names. `objects` are their handles of the immediate context.
    pub(super) fn access_fields(
        &self,
        memory: Memory<'_>,
        field_use: FieldUse,
        handles: &[DriverHandle],
        objects: &[u64],
    ) {
        let FieldUse { device, line } = field_use;
        let Some(of_type) = self.fields.of_call(line) else { return };
        let is_used = |field: &&ModelField| field.read_by.contains(&line) || field.written_by.contains(&line);
        let mut used: Vec<&ModelField> = of_type.fields.iter().filter(is_used).collect();
        if used.iter().any(|field| field.every_n > 1) {
            let commands = memory.read_u64(at(device, COMMANDS));
            used.retain(|field| commands.is_multiple_of(field.every_n));
        }
        let is_separate = |field: &&ModelField| field.place.placement == FieldPlacement::Separate;
        for (handle, object) in handles.iter().zip(objects).filter(|(handle, _)| handle.0 != 0) {
            let is_immediate = handle.0 == *object;
            let has_block = !is_immediate && used.iter().any(is_separate);
            let block = if has_block { memory.read_u64(at(*handle, of_type.layout.pointer_offset)) } else { 0 };
            for field in &used {
                let address = match field.place.placement {
                    _ if is_immediate => object.wrapping_add(field.place.immediate_offset),
                    FieldPlacement::Shared => object.wrapping_add(field.place.immediate_offset),
                    FieldPlacement::PerContext => at(*handle, field.place.deferred_offset),
                    FieldPlacement::Separate => block.wrapping_add(field.place.deferred_offset),
                };
                if field.read_by.contains(&line) {
                    read(memory, address, field.place.size_bytes);
                }
                if field.written_by.contains(&line) {
                    memory.write(address, &vec![0; usize::try_from(field.place.size_bytes).unwrap_or_default()]);
                }
            }
        }
    }

    /// Writes the fields of a new handle. A handle of the immediate context has all fields, which are the originals. A handle of
    /// a deferred context has its own fields; a read-only field is a copy of the original. Returns false and reports an error if the area of separate
    /// fields is full.
    pub(super) fn create_fields(
        &self,
        memory: Memory<'_>,
        device: DriverHandle,
        handle_type: HandleType,
        handle: &CreateHandle,
    ) -> bool {
        let Some(TypeFields { layout, .. }) = self.fields.of(handle_type) else { return true };
        if handle.ic_handle.0 == 0 {
            for place in &layout.fields {
                let bytes = vec![0; usize::try_from(place.size_bytes).unwrap_or_default()];
                memory.write(at(handle.driver_handle, place.immediate_offset), &bytes);
            }
            return true;
        }
        let mut block = 0;
        if layout.block_bytes > 0 {
            let used = memory.read_u64(at(device, USED_AREA));
            if used + layout.block_bytes > SEPARATE_AREA_BYTES {
                report(memory, device, HResultCode::E_OUTOFMEMORY);
                return false;
            }
            memory.write_u64(at(device, USED_AREA), used + layout.block_bytes);
            block = at(device, SEPARATE_AREA + used);
            memory.write_u64(at(handle.driver_handle, layout.pointer_offset), block);
        }
        for place in &layout.fields {
            let address = match place.placement {
                FieldPlacement::Shared => continue,
                FieldPlacement::PerContext => at(handle.driver_handle, place.deferred_offset),
                FieldPlacement::Separate => block.wrapping_add(place.deferred_offset),
            };
            let bytes = match place.is_mutable {
                true => vec![0; usize::try_from(place.size_bytes).unwrap_or_default()],
                false => read(memory, at(handle.ic_handle, place.immediate_offset), place.size_bytes),
            };
            memory.write(address, &bytes);
        }
        true
    }

    /// Releases the blocks of separate fields of a context that is created or recycled.
    pub(super) fn release_blocks(&self, memory: Memory<'_>, device: DriverHandle) {
        if self.fields.has_area {
            memory.write_u64(at(device, USED_AREA), 0);
        }
    }
}
