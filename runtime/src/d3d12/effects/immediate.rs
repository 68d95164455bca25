//! Effects of WriteBufferImmediate, and of bundles, which have no other commands with effects.

use super::{Effects, NoEffect};
use crate::memory::effect::{Extent, MemoryEffect, Rows, Texel};
use crate::memory::space::AddressSpace;
use crate::state::{Object, Objects};
use taut_schemas::{CommandListType, CpuAddress, WriteBufferImmediateParameter, d3d12};

/// Bytes of a value.
const VALUE_BYTES: u64 = 4;

/// D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_OUT, the last mode.
const LAST_MODE: u32 = 2;

/// ID3D12GraphicsCommandList2::WriteBufferImmediate. The writes follow one another on the GPU's thread, whatever their
/// modes.
pub fn write_buffer_immediate(memory: &AddressSpace, call: &d3d12::WriteBufferImmediate) -> Effects {
    if call.modes.iter().any(|mode| *mode > LAST_MODE) {
        return Err(NoEffect::Refused("a mode is unknown"));
    }
    call.params.iter().map(|parameter| write(memory, parameter)).collect()
}

fn write(memory: &AddressSpace, parameter: &WriteBufferImmediateParameter) -> Result<MemoryEffect, NoEffect> {
    let address = parameter.dest.0;
    if !address.is_multiple_of(VALUE_BYTES) {
        return Err(NoEffect::Refused("an address is not a multiple of 4"));
    }
    if !memory.has_in_page(address, VALUE_BYTES) {
        return Err(NoEffect::Refused("an address is not in memory of the adapter"));
    }
    let mut bytes = [0; 16];
    bytes[..4].copy_from_slice(&parameter.value.to_le_bytes());
    let dst =
        Rows { element_pitch_bytes: VALUE_BYTES, ..Rows::of_bytes(CpuAddress(AddressSpace::cpu_address(address))) };
    let extent = Extent { element_bytes: VALUE_BYTES, elements: 1, rows: 1, slices: 1 };
    Ok(MemoryEffect::Fill { dst, extent, texel: Texel { bytes, size_bytes: VALUE_BYTES as usize } })
}

/// ID3D12GraphicsCommandList::ExecuteBundle.
pub fn execute_bundle(objects: &dyn Objects, call: &d3d12::ExecuteBundle) -> Effects {
    let bundle = objects.get(call.bundle.into()).and_then(Object::as_command_list);
    let bundle = bundle.filter(|bundle| bundle.list_type == CommandListType::BUNDLE && !bundle.open && !bundle.failed);
    Ok(bundle.ok_or(NoEffect::NotExecuted)?.effects.to_vec())
}
