//! State that all objects of a device share.

mod saved;

use super::d3d11_device::D3d11State;
use super::d3d11_object::D3d11Memory;
use crate::context::Context;
use crate::driver::caps::Caps;
use crate::driver::ddi_version::DdiVersion;
use crate::memory::buffer_map::BufferMap;
use crate::memory::slots::Slots;
use crate::memory::space::AddressSpace;
use taut_schemas::{
    AdapterId, CpuDescriptorHandle, DeviceId, HResult, HResultCode, HeapDesc, HeapId, MessageId, ObjectId,
    TightAlignmentTier, d3d12_ddi,
};

/// Granularity of the addresses of descriptor heaps, in bytes, and before revision 4 the size of all descriptors.
pub(crate) const DESCRIPTOR_BYTES: u64 = 32;

/// Number of these units that an adapter has at most: addresses of adapters do not overlap.
const MAX_DESCRIPTORS: u64 = 1 << 40;

/// State that all objects of a device share: ids, heap memory and placements, the address space, capabilities.
#[derive(Debug)]
pub struct DeviceState {
    /// The adapter of the device.
    id: AdapterId,
    /// `None` until CreateDevice.
    adapter: Option<Adapter>,
    /// Id of the newest object.
    last_object: u64,
    /// Units of [`DESCRIPTOR_BYTES`] of the descriptor heaps so far.
    descriptors: u64,
    /// Reason of the device's removal, if it is removed.
    removed: Option<HResultCode>,
    pub(crate) heaps: Slots<HeapRecord>,
    pub(crate) memory: AddressSpace,
    /// Live buffers by address, needed only for rules about buffers bound by address.
    pub(crate) buffers: BufferMap,
    /// Memory of Direct3D 11 resources, by the resource that it was created for.
    pub(crate) d3d11_memory: Slots<D3d11Memory>,
    /// State shared by Direct3D 11 devices with handles per context.
    pub(crate) d3d11: D3d11State,
}

/// Properties that the driver reported when the device was created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adapter {
    /// Version of the DDI that the driver was opened with.
    pub ddi_version: DdiVersion,
    /// True if the driver implements SetBackgroundProcessingMode 0063, which has an output, instead of 0062.
    pub background_0063: bool,
    /// Capabilities, with [`Caps::tight_alignment_tier`] 0 unless the driver was queried for it.
    pub caps: Caps,
}

impl Adapter {
    /// True if the tight-alignment flag is legal (rule A-10).
    pub fn supports_tight_alignment(&self) -> bool {
        self.caps.tight_alignment_tier >= TightAlignmentTier::TIER_1.0
    }
}

/// A heap's memory and its placed resources. The record outlives the heap's last reference while a placed resource
/// lives.
#[derive(Debug)]
pub(crate) struct HeapRecord {
    /// The description from creation, with the alignment resolved.
    pub desc: HeapDesc,
    pub address: u64,
    /// Number of live placed resources.
    pub placed: u64,
    /// True once the heap's public reference count is 0.
    pub released: bool,
}

impl DeviceState {
    /// Creates the state of an adapter's device, before CreateDevice.
    pub fn new(adapter: AdapterId) -> DeviceState {
        DeviceState {
            id: adapter,
            adapter: None,
            last_object: adapter.numbers_from(),
            descriptors: 0,
            removed: None,
            heaps: Slots::default(),
            memory: AddressSpace::new(adapter),
            buffers: BufferMap::default(),
            d3d11_memory: Slots::default(),
            d3d11: D3d11State::new(adapter),
        }
    }

    /// The adapter of the device.
    pub(crate) fn adapter_id(&self) -> AdapterId {
        self.id
    }

    /// The device's handle: an adapter has one device, with the same id.
    pub(crate) fn handle(&self) -> DeviceId {
        DeviceId(self.id.0)
    }

    /// Validates the adapter that a call names; null names the first. Otherwise emits a message, and returns the error
    /// code.
    pub(crate) fn check_adapter(&self, context: &mut Context<'_>, requested: AdapterId) -> HResult<()> {
        if requested == self.id || requested == AdapterId::NULL {
            return Ok(());
        }
        context.error(MessageId::UNKNOWN, format_args!("There is no adapter {}.", requested.0));
        Err(HResultCode::DXGI_ERROR_NOT_FOUND)
    }

    /// The id that the next successful creation takes.
    pub fn next_object(&self) -> ObjectId {
        ObjectId(self.last_object + 1)
    }

    /// Visits every object id of the adapter so far.
    pub(crate) fn visit_ids(&self, visit: &mut dyn FnMut(ObjectId)) {
        // Ids are dense, so the newest id and the count determine all ids.
        let (_, count) = AdapterId::split(self.last_object);
        (0..count).for_each(|before| visit(ObjectId(self.last_object - before)));
    }

    /// The adapter, if `device` is this device and not removed. Otherwise emits a message, and returns the error code.
    pub(crate) fn open(&self, context: &mut Context<'_>, device: DeviceId) -> HResult<&Adapter> {
        let Some(adapter) = self.adapter.as_ref().filter(|_| device == self.handle()) else {
            let DeviceId(id) = device;
            context.error(MessageId::UNKNOWN, format_args!("There is no device {id}."));
            return Err(HResultCode::E_HANDLE);
        };
        if self.is_removed() { Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED) } else { Ok(adapter) }
    }

    /// Stores the driver's properties.
    pub(crate) fn set_adapter(&mut self, adapter: Adapter) {
        self.adapter = Some(adapter);
    }

    /// The driver's properties; `None` before CreateDevice.
    pub(crate) fn adapter(&self) -> Option<&Adapter> {
        self.adapter.as_ref()
    }

    /// True if a device exists or existed: it was created, or another object was.
    pub(crate) fn exists(&self) -> bool {
        self.adapter.is_some() || self.last_object > self.id.numbers_from()
    }

    /// Counts the object that took the id of [`DeviceState::next_object`].
    pub(crate) fn count_object(&mut self) {
        self.last_object += 1;
    }

    /// Takes addresses of descriptors, which no other heap of the machine has. `None` once they are used up.
    pub(crate) fn take_descriptors(&mut self, count: u32, size_bytes: u64) -> Option<CpuDescriptorHandle> {
        let first = self.descriptors;
        let units = size_bytes.checked_mul(count.into())?.div_ceil(DESCRIPTOR_BYTES);
        let end = first.checked_add(units).filter(|end| *end <= MAX_DESCRIPTORS)?;
        self.descriptors = end;
        let adapter = self.id.index() as u64 + 1;
        Some(CpuDescriptorHandle(adapter * MAX_DESCRIPTORS * DESCRIPTOR_BYTES + first * DESCRIPTOR_BYTES))
    }

    /// True if the device is removed.
    pub(crate) fn is_removed(&self) -> bool {
        self.removed.is_some()
    }

    /// Removes the device permanently because its driver broke a rule.
    pub(crate) fn remove(&mut self) {
        self.remove_because(HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR);
    }

    /// Removes the device permanently. Only the first reason is stored.
    pub(crate) fn remove_because(&mut self, reason: HResultCode) {
        self.removed.get_or_insert(reason);
    }

    /// The result of GetDeviceRemovedReason.
    pub(crate) fn removed_reason(&self) -> HResult<()> {
        self.removed.map_or(Ok(()), Err)
    }

    /// Destroys the device; the adapter may get another one.
    pub(crate) fn forget_adapter(&mut self) {
        // A new device starts without the old one's removal.
        (self.adapter, self.removed) = (None, None);
    }

    /// Releases a heap's memory and destroys the driver's heap, once the heap and all resources in it are released.
    pub(crate) fn destroy_heap_if_unused(&mut self, context: &mut Context<'_>, heap: HeapId) {
        if self.heaps.get(heap.0).is_some_and(|record| record.released && record.placed == 0)
            && let Some(record) = self.heaps.remove(heap.0)
        {
            let destroy = d3d12_ddi::DestroyHeapAndResource { heap, ..Default::default() };
            context.destroy(destroy, || self.memory.release(record.address, record.desc.size_bytes));
        }
    }
}
