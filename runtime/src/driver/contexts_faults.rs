//! What a driver with handles per context does that was told to do wrong.

use super::contexts_model::{
    COMMANDS, CORE_LAYER, DIGEST, IC_HANDLE, IS_DEFERRED, Memory, PITCH, USED, at, fresh, report, sum_up,
};
use super::model::Model;
use taut_schemas::d3d11_callbacks::{DisableDeferredStagingResourceDestruction, SetError};
use taut_schemas::{
    CpuAddress, CreateHandle, DriverHandle, HResultCode, MapType, RecordedCommands, d3d11_context_ddi as ddi,
};

/// The core-layer handle of no context.
pub(super) const NO_CORE_LAYER: DriverHandle = DriverHandle(u64::MAX);
/// How far the memory of the context that was created before lies from a context's own.
const CONTEXT_STRIDE: u64 = 1 << 32;
/// Where it counts uses, in the immediate context's handle of an object, and questions about its size.
const USES: u64 = 32;
pub(super) const QUESTIONS: u64 = 128;
/// Where in a deferred context's memory it keeps the device's handle, and that memory was out.
const IMMEDIATE_DEVICE: u64 = 40;
const WAS_OUT: u64 = 48;
/// Where in the device's memory it counts creations, and what each deferred context records.
const CREATIONS: u64 = 48;
const COUNTS: u64 = 128;
/// Where in a resource's handle of a deferred context it keeps where that was mapped first.
const FIRST_BASE: u64 = 16;
/// Bytes of a cache line.
const LINE_BYTES: u64 = 64;

impl Model {
    /// What a driver told to do wrong does with memory at each command.
    pub(super) fn go_astray(&self, memory: Memory<'_>, device: DriverHandle, objects: &[u64]) {
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
            if faults.counts_beside_read_only_data {
                let uses = memory.read_u64(ic.wrapping_add(USES));
                memory.write_u64(ic.wrapping_add(USES), uses.wrapping_add(1));
            }
            if faults.writes_read_only_data {
                let pitch = memory.read_u64(ic.wrapping_add(PITCH));
                memory.write_u64(ic.wrapping_add(PITCH), pitch);
            }
        }
    }

    /// With a handle that was just made.
    pub(super) fn begin_astray(&self, memory: Memory<'_>, device: DriverHandle, handle: &CreateHandle) {
        let (faults, is_immediate) = (&self.profile().faults, handle.ic_handle.0 == 0);
        if faults.counts_creations && is_immediate {
            memory.write_u64(at(device, CREATIONS), 1);
        }
        // On a whole number of lines another handle may follow at once.
        if faults.writes_behind_the_end && !is_immediate && !handle.size_bytes.is_multiple_of(LINE_BYTES) {
            memory.write_u64(at(handle.driver_handle, handle.size_bytes), 0);
        }
    }

    /// With a context that was just created.
    pub(super) fn create_astray(&self, memory: Memory<'_>, call: &ddi::CreateDeferredContext) {
        if self.profile().faults.begins_with_leftovers {
            memory.write_u64(at(call.deferred_device, DIGEST), call.deferred_device.0);
        }
        let faults = &self.profile().faults;
        if faults.counts_contexts_on_one_line || faults.walks_to_other_contexts {
            memory.write_u64(at(call.deferred_device, IMMEDIATE_DEVICE), call.device.0);
        }
    }

    /// A context is as if it had just been created, or not.
    pub(super) fn recycle(&self, memory: Memory<'_>, device: DriverHandle) {
        let faults = &self.profile().faults;
        if faults.recycles_as_it_is {
            memory.write_u64(at(device, USED), 0);
        } else if faults.keeps_what_it_took {
            memory.write_u64(at(device, COMMANDS), 0);
            memory.write_u64(at(device, DIGEST), 0);
        } else {
            fresh(memory, device);
        }
    }

    /// Memory was out before, which is remembered.
    pub(super) fn is_out_for_ever(&self, memory: Memory<'_>, device: DriverHandle) -> bool {
        self.profile().faults.never_recovers && memory.read_u64(at(device, WAS_OUT)) == 1
    }

    /// Reports that memory is out, or the device gone.
    pub(super) fn report_out(&self, memory: Memory<'_>, device: DriverHandle, code: HResultCode) {
        let faults = &self.profile().faults;
        if faults.never_recovers {
            memory.write_u64(at(device, WAS_OUT), 1);
        }
        let core_layer =
            if faults.wrong_core_layer { NO_CORE_LAYER } else { DriverHandle(memory.read_u64(at(device, CORE_LAYER))) };
        for _ in 0..1 + u32::from(faults.reports_twice) {
            memory.set_error(&SetError { core_layer, code });
        }
    }

    /// Where a resource was mapped.
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

    /// In a draw.
    pub(super) fn draw_astray(&self, memory: Memory<'_>, device: DriverHandle) {
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

    /// The memory of a list that is made again gets what the context has recorded, or keeps nothing of it.
    pub(super) fn sum_up_again(
        &self,
        memory: Memory<'_>,
        deferred: DriverHandle,
        list: DriverHandle,
    ) -> RecordedCommands {
        if !self.profile().faults.keeps_old_lists {
            return sum_up(memory, deferred, list);
        }
        memory.write_u64(at(list, IC_HANDLE), list.0);
        let commands = memory.read_u64(at(deferred, COMMANDS)) as u32;
        RecordedCommands { commands, digest: memory.read_u64(at(deferred, DIGEST)) }
    }

    /// What it says of a list that was executed.
    pub(super) fn execute_astray(
        &self,
        memory: Memory<'_>,
        device: DriverHandle,
        commands: RecordedCommands,
    ) -> RecordedCommands {
        let faults = &self.profile().faults;
        if faults.reports_of_lists {
            report(memory, device, HResultCode::E_INVALIDARG);
        }
        if faults.nests_nothing && memory.read_u64(at(device, IS_DEFERRED)) == 1 {
            return RecordedCommands::default();
        }
        commands
    }
}
