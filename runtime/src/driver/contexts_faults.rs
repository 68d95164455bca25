//! Injected faults of a driver with handles per context.

use super::contexts_model::{
    COMMANDS, CORE_LAYER, DIGEST, IC_HANDLE, IS_DEFERRED, Memory, NO_CORE_LAYER, PITCH, USED, at, report,
    reset_context, write_list_summary,
};
use super::model::Model;
use taut_schemas::d3d11_callbacks::{DisableDeferredStagingResourceDestruction, SetError};
use taut_schemas::{
    CpuAddress, CreateHandle, DriverHandle, HResultCode, MapType, RecordedCommands, d3d11_context_ddi as ddi,
};

/// Address distance between the memory of two contexts that were created one after another.
const CONTEXT_STRIDE: u64 = 1 << 32;
/// Offset of the use counter in an object's handle of the immediate context.
const USE_COUNTER: u64 = 32;
/// Offsets in a deferred context's memory of the device's handle and of the flag that memory has run out.
const IMMEDIATE_DEVICE: u64 = 40;
const OUT_OF_MEMORY_FLAG: u64 = 48;
/// Offsets in the device's memory of the creation counter and of the counters of commands per deferred context.
const CREATIONS: u64 = 48;
const COUNTS: u64 = 128;
/// Offset in a resource's handle of a deferred context of the address at which it was first mapped.
const FIRST_BASE: u64 = 16;
/// Size of a cache line in bytes.
const LINE_BYTES: u64 = 64;

impl Model {
    /// Applies the memory faults of a recorded command.
    pub(super) fn apply_command_faults(&self, memory: Memory<'_>, device: DriverHandle, objects: &[u64]) {
        let faults = &self.profile().faults;
        if memory.read_u64(at(device, IS_DEFERRED)) == 1 {
            let other = device.0.wrapping_sub(CONTEXT_STRIDE);
            if faults.walks_to_other_contexts && memory.read_u64(at(device, IMMEDIATE_DEVICE)) != other {
                memory.read_u64(other);
            }
            if faults.counts_contexts_on_one_line {
                let shared = memory.read_u64(at(device, IMMEDIATE_DEVICE));
                let place = device.0 / CONTEXT_STRIDE % 8;
                memory.write_u64(shared.wrapping_add(COUNTS + 8 * place), 1);
            }
            return;
        }
        for ic in objects.iter().filter(|object| **object != 0) {
            if faults.counts_next_to_read_only_data {
                let uses = memory.read_u64(ic.wrapping_add(USE_COUNTER));
                memory.write_u64(ic.wrapping_add(USE_COUNTER), uses.wrapping_add(1));
            }
            if faults.writes_read_only_data {
                let pitch = memory.read_u64(ic.wrapping_add(PITCH));
                memory.write_u64(ic.wrapping_add(PITCH), pitch);
            }
        }
    }

    /// Applies the memory faults of a handle that was just created.
    pub(super) fn apply_creation_faults(&self, memory: Memory<'_>, device: DriverHandle, handle: &CreateHandle) {
        let (faults, is_immediate) = (&self.profile().faults, handle.ic_handle.0 == 0);
        if faults.counts_creations && is_immediate {
            memory.write_u64(at(device, CREATIONS), 1);
        }
        // On a whole number of lines another handle may follow at once.
        if faults.writes_past_the_end && !is_immediate && !handle.size_bytes.is_multiple_of(LINE_BYTES) {
            memory.write_u64(at(handle.driver_handle, handle.size_bytes), 0);
        }
    }

    /// Applies the memory faults of a context that was just created.
    pub(super) fn apply_context_faults(&self, memory: Memory<'_>, call: &ddi::CreateDeferredContext) {
        if self.profile().faults.begins_with_leftovers {
            memory.write_u64(at(call.deferred_device, DIGEST), call.deferred_device.0);
        }
        let faults = &self.profile().faults;
        if faults.counts_contexts_on_one_line || faults.walks_to_other_contexts {
            memory.write_u64(at(call.deferred_device, IMMEDIATE_DEVICE), call.device.0);
        }
    }

    /// Resets a recycled context, completely unless the profile has a fault.
    pub(super) fn recycle(&self, memory: Memory<'_>, device: DriverHandle) {
        let faults = &self.profile().faults;
        if faults.recycles_nothing {
            memory.write_u64(at(device, USED), 0);
        } else if faults.leaks_used_budget {
            memory.write_u64(at(device, COMMANDS), 0);
            memory.write_u64(at(device, DIGEST), 0);
        } else {
            reset_context(memory, device);
        }
    }

    /// True if memory has run out before and the faulty driver never recovers.
    pub(super) fn has_failed_permanently(&self, memory: Memory<'_>, device: DriverHandle) -> bool {
        self.profile().faults.never_recovers && memory.read_u64(at(device, OUT_OF_MEMORY_FLAG)) == 1
    }

    /// Reports that memory is out or that the device is removed.
    pub(super) fn report_out_of_memory(&self, memory: Memory<'_>, device: DriverHandle, code: HResultCode) {
        let faults = &self.profile().faults;
        if faults.never_recovers {
            memory.write_u64(at(device, OUT_OF_MEMORY_FLAG), 1);
        }
        let core_layer =
            if faults.wrong_core_layer { NO_CORE_LAYER } else { DriverHandle(memory.read_u64(at(device, CORE_LAYER))) };
        for _ in 0..1 + u32::from(faults.reports_twice) {
            memory.set_error(&SetError { core_layer, code });
        }
    }

    /// Returns the address at which a resource is mapped.
    pub(super) fn mapped_at(&self, memory: Memory<'_>, call: &ddi::DynamicResourceMap) -> CpuAddress {
        let is_deferred = memory.read_u64(at(call.resource, IC_HANDLE)) != call.resource.0;
        if !self.profile().faults.discards_in_place || !is_deferred || call.map_type != MapType::WRITE_DISCARD {
            return call.base_address;
        }
        let first = memory.read_u64(at(call.resource, FIRST_BASE));
        if first == 0 {
            memory.write_u64(at(call.resource, FIRST_BASE), call.base_address.0);
            return call.base_address;
        }
        CpuAddress(first)
    }

    /// Applies the callback faults of a draw.
    pub(super) fn apply_draw_faults(&self, memory: Memory<'_>, device: DriverHandle) {
        let faults = &self.profile().faults;
        if faults.disables_staging_destruction && memory.read_u64(at(device, IS_DEFERRED)) == 1 {
            let core_layer = DriverHandle(memory.read_u64(at(device, CORE_LAYER)));
            memory.disable_deferred_staging_resource_destruction(&DisableDeferredStagingResourceDestruction {
                core_layer,
            });
        }
        if faults.reports_success {
            report(memory, device, HResultCode::S_OK);
        }
    }

    /// Writes the recorded commands into the memory of a list that is created again, or leaves the old contents there.
    pub(super) fn write_recycled_list_summary(
        &self,
        memory: Memory<'_>,
        deferred: DriverHandle,
        list: DriverHandle,
    ) -> RecordedCommands {
        if !self.profile().faults.keeps_old_lists {
            return write_list_summary(memory, deferred, list);
        }
        memory.write_u64(at(list, IC_HANDLE), list.0);
        let commands = memory.read_u64(at(deferred, COMMANDS)) as u32;
        RecordedCommands { commands, digest: memory.read_u64(at(deferred, DIGEST)) }
    }

    /// Returns the commands of an executed list, as a faulty driver reports them.
    pub(super) fn apply_execute_faults(
        &self,
        memory: Memory<'_>,
        device: DriverHandle,
        commands: RecordedCommands,
    ) -> RecordedCommands {
        let faults = &self.profile().faults;
        if faults.reports_in_lists {
            report(memory, device, HResultCode::E_INVALIDARG);
        }
        if faults.nests_nothing && memory.read_u64(at(device, IS_DEFERRED)) == 1 {
            return RecordedCommands::default();
        }
        commands
    }
}
