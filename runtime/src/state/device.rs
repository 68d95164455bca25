//! The device: what all objects share.

mod saved;

use super::d3d11_device::D3d11State;
use super::d3d11_object::D3d11Memory;
use crate::context::Context;
use crate::driver::caps::Caps;
use crate::driver::profile::DdiVersion;
use crate::memory::buffer_map::BufferMap;
use crate::memory::slots::Slots;
use crate::memory::space::AddressSpace;
use taut_schemas::{
    AdapterId, DeviceId, HResult, HResultCode, HeapDesc, HeapId, MessageId, ObjectId, TightAlignmentTier, d3d12_ddi,
};

/// What all objects of a device share: numbering, heaps' memory and placements, the address space, capabilities.
#[derive(Debug)]
pub struct DeviceState {
    /// Whose device it is.
    id: AdapterId,
    /// None until CreateDevice.
    adapter: Option<Adapter>,
    /// The last object created.
    last_object: u64,
    /// Why it was removed, if it was.
    removed: Option<HResultCode>,
    pub(crate) heaps: Slots<HeapRecord>,
    pub(crate) memory: AddressSpace,
    /// Live buffers by address, kept only for rules that bind buffers by address.
    pub(crate) buffers: BufferMap,
    /// The memory of Direct3D 11 resources, by the resource it was created for.
    pub(crate) d3d11_memory: Slots<D3d11Memory>,
    /// What Direct3D 11 devices with handles per context share.
    pub(crate) d3d11: D3d11State,
}

/// What the driver said when the device was created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Adapter {
    pub ddi_version: DdiVersion,
    /// It takes SetBackgroundProcessingMode as of 0063, which answers, not as of 0062.
    pub background_0063: bool,
    /// With [`Caps::tight_alignment_tier`] 0 unless the driver was asked for it.
    pub caps: Caps,
}

impl Adapter {
    /// Whether the tight flag is legal (rule A-10).
    pub fn supports_tight_alignment(&self) -> bool {
        self.caps.tight_alignment_tier >= TightAlignmentTier::TIER_1.0
    }
}

/// A heap's memory and what lies in it. It outlives the heap's final release while a placed resource lives.
#[derive(Debug)]
pub(crate) struct HeapRecord {
    /// As created, alignment resolved.
    pub desc: HeapDesc,
    pub address: u64,
    /// Live placed resources.
    pub placed: u64,
    /// The heap's public reference count has come to 0.
    pub released: bool,
}

impl DeviceState {
    /// The device of an adapter, before it is created.
    pub fn new(adapter: AdapterId) -> DeviceState {
        DeviceState {
            id: adapter,
            adapter: None,
            last_object: adapter.numbers_from(),
            removed: None,
            heaps: Slots::default(),
            memory: AddressSpace::new(adapter),
            buffers: BufferMap::default(),
            d3d11_memory: Slots::default(),
            d3d11: D3d11State::new(adapter),
        }
    }

    /// Whose device it is.
    pub(crate) fn adapter_id(&self) -> AdapterId {
        self.id
    }

    /// The device's handle: an adapter has one device, numbered as it is.
    pub(crate) fn handle(&self) -> DeviceId {
        DeviceId(self.id.0)
    }

    /// Whether this is the adapter that a call asks for; null asks for the first. Otherwise says so, and gives the code to
    /// return.
    pub(crate) fn is_adapter(&self, context: &mut Context<'_>, asked: AdapterId) -> HResult<()> {
        if asked == self.id || asked == AdapterId::NULL {
            return Ok(());
        }
        context.error(MessageId::UNKNOWN, format_args!("There is no adapter {}.", asked.0));
        Err(HResultCode::DXGI_ERROR_NOT_FOUND)
    }

    /// The id that the next successful creation takes.
    pub fn next_object(&self) -> ObjectId {
        ObjectId(self.last_object + 1)
    }

    /// Shows every number that an object has been given.
    pub(crate) fn visit_numbers(&self, visit: &mut dyn FnMut(ObjectId)) {
        let (_, count) = AdapterId::split(self.last_object);
        (0..count).for_each(|before| visit(ObjectId(self.last_object - before)));
    }

    /// The adapter, if `device` is the device and still there. Otherwise says so, and gives the code to return.
    pub(crate) fn open(&self, context: &mut Context<'_>, device: DeviceId) -> HResult<&Adapter> {
        let Some(adapter) = self.adapter.as_ref().filter(|_| device == self.handle()) else {
            let DeviceId(id) = device;
            context.error(MessageId::UNKNOWN, format_args!("There is no device {id}."));
            return Err(HResultCode::E_HANDLE);
        };
        if self.is_removed() { Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED) } else { Ok(adapter) }
    }

    /// What the driver said, now that it was asked.
    pub(crate) fn know(&mut self, adapter: Adapter) {
        self.adapter = Some(adapter);
    }

    /// What the driver said when the device was created.
    pub(crate) fn adapter(&self) -> Option<&Adapter> {
        self.adapter.as_ref()
    }

    /// There is a device, of whichever kind, or was: something has been created on it.
    pub(crate) fn is_there(&self) -> bool {
        self.adapter.is_some() || self.last_object > self.id.numbers_from()
    }

    /// Counts the object that [`DeviceState::next_object`] announced.
    pub(crate) fn count_object(&mut self) {
        self.last_object += 1;
    }

    /// Whether the device was taken away.
    pub(crate) fn is_removed(&self) -> bool {
        self.removed.is_some()
    }

    /// Takes the device away for good: its driver broke a rule.
    pub(crate) fn remove(&mut self) {
        self.remove_because(HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR);
    }

    /// Takes the device away for good. The first reason stays.
    pub(crate) fn remove_because(&mut self, reason: HResultCode) {
        self.removed.get_or_insert(reason);
    }

    /// What GetDeviceRemovedReason answers.
    pub(crate) fn removed_reason(&self) -> HResult<()> {
        self.removed.map_or(Ok(()), Err)
    }

    /// The device is destroyed; the adapter may have another one.
    pub(crate) fn forget_adapter(&mut self) {
        (self.adapter, self.removed) = (None, None);
    }

    /// Gives a heap's memory back and tells the driver, once neither the heap nor a resource in it is left.
    pub(crate) fn destroy_heap_if_unused(&mut self, context: &mut Context<'_>, heap: HeapId) {
        if self.heaps.get(heap.0).is_some_and(|record| record.released && record.placed == 0)
            && let Some(record) = self.heaps.remove(heap.0)
        {
            let destroy = d3d12_ddi::DestroyHeapAndResource { heap, ..Default::default() };
            context.destroy(destroy, || self.memory.release(record.address, record.desc.size_bytes));
        }
    }
}
