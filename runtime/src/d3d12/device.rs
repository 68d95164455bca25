//! The device: what all objects share, and how it comes to be.

use crate::context::Context;
use crate::d3d11::device_facts::D3d11State;
use crate::d3d11::state::D3d11Memory;
use crate::driver::caps::Caps;
use crate::driver::profile::DdiVersion;
use crate::kernel::DisplayState;
use crate::memory::buffer_map::BufferMap;
use crate::memory::slots::Slots;
use crate::memory::space::AddressSpace;
use taut_schemas::{
    AdapterId, CrossAdapterTier, DdiCapsType, DeviceId, HResult, HResultCode, HeapDesc, HeapId, MessageId, ObjectId,
    TightAlignmentTier, d3d12, d3d12_ddi,
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
    fn handle(&self) -> DeviceId {
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

    /// What the driver said when the device was created.
    pub(crate) fn adapter(&self) -> Option<&Adapter> {
        self.adapter.as_ref()
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
            context.ddi(d3d12_ddi::DestroyHeapAndResource { heap, ..Default::default() });
            self.memory.release(record.address, record.desc.size_bytes);
        }
    }
}

/// D3D12CreateDevice. The driver is asked for its capabilities once.
pub(crate) fn create_device(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    display: &mut DisplayState,
    call: &d3d12::CreateDevice,
) -> HResult<DeviceId> {
    device.is_adapter(context, call.adapter)?;
    if device.is_removed() {
        return Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED);
    }
    if context.driver.d3d12_ddi().is_none() {
        context.error(MessageId::UNKNOWN, format_args!("The adapter's driver has no Direct3D 12."));
        return Err(HResultCode::DXGI_ERROR_UNSUPPORTED);
    }
    if device.adapter.is_none() {
        let adapter = ask_adapter(context)?;
        check_kernel(context, display, device.id, &adapter.caps)?;
        device.adapter = Some(adapter);
    }
    let greatest = device.adapter.as_ref().map_or(0, |adapter| adapter.caps.max_feature_level);
    if call.minimum_feature_level > greatest {
        let wanted = call.minimum_feature_level;
        let text = format_args!("MinimumFeatureLevel is 0x{wanted:x}, but the adapter's greatest is 0x{greatest:x}.");
        context.error(MessageId::UNKNOWN, text);
        return Err(HResultCode::DXGI_ERROR_UNSUPPORTED);
    }
    Ok(device.handle())
}

/// Rule C-08: what the user-mode driver promises of cross-adapter textures, the kernel-mode driver has to have said.
fn check_kernel(context: &mut Context<'_>, display: &DisplayState, adapter: AdapterId, caps: &Caps) -> HResult<()> {
    if display.is_down(adapter) {
        context.error(MessageId::UNKNOWN, format_args!("Adapter {} does not work.", adapter.0));
        return Err(HResultCode::DXGI_ERROR_UNSUPPORTED);
    }
    let Some(tier) = display.started(adapter).map(|kernel| kernel.tier()) else { return Ok(()) };
    if !caps.cross_adapter_row_major_texture || tier >= CrossAdapterTier::TEXTURE {
        return Ok(());
    }
    context.error(
        MessageId::UNKNOWN,
        format_args!(
            "The user-mode driver says CrossAdapterRowMajorTextureSupported; the kernel-mode driver has tier {tier:?} of \
             cross-adapter resources, which has no textures."
        ),
    );
    Err(context.settings.kernel_tier_refusal.into())
}

/// Asks the driver for its capabilities; for tight alignment only one that has heard of it (rule A-10).
fn ask_adapter(context: &mut Context<'_>) -> HResult<Adapter> {
    let (ddi_version, background_0063) = ask_version(context)?;
    let mut caps = Caps { tight_alignment_tier: 0, ..Caps::default() };
    let types = [
        (DdiCapsType::ARCHITECTURE_INFO, true),
        (DdiCapsType::MEMORY_ARCHITECTURE, true),
        (DdiCapsType::D3D12_OPTIONS, true),
        (DdiCapsType::TIGHT_ALIGNMENT_TIER_0111, ddi_version >= DdiVersion::V0111),
    ];
    for (caps_type, _) in types.into_iter().filter(|(_, asked)| *asked) {
        let size_bytes = caps.encode(caps_type).len() as u32;
        let data = ask(context, caps_type, size_bytes)?;
        if !caps.decode(caps_type, &data) {
            let found = data.len();
            context.error(
                MessageId::UNKNOWN,
                format_args!("The driver answered GetCaps({caps_type:?}) with {found} bytes, not {size_bytes}."),
            );
            return Err(HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR);
        }
    }
    Ok(Adapter { ddi_version, background_0063, caps })
}

/// The newest version of the DDI that the driver speaks, and whether it speaks 0063 of background processing: it does
/// unless it names 0062 and not 0063 (ambiguity A4.4). A driver that names none cannot be used.
fn ask_version(context: &mut Context<'_>) -> HResult<(DdiVersion, bool)> {
    let versions = context.ddi(d3d12_ddi::GetSupportedVersions {}).map_or(Vec::new(), |supported| supported.versions);
    let old = versions.contains(&62) && !versions.contains(&63);
    let newest = versions.into_iter().max();
    newest.map(|newest| (DdiVersion(newest), !old)).ok_or_else(|| {
        context.error(MessageId::UNKNOWN, format_args!("The driver names no version of the DDI that it speaks."));
        HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR
    })
}

fn ask(context: &mut Context<'_>, caps_type: DdiCapsType, data_size_bytes: u32) -> HResult<Vec<u8>> {
    let answer = context.ddi(d3d12_ddi::GetCaps { caps_type, data_size_bytes });
    let data = answer.map_err(|code| {
        context.error(MessageId::UNKNOWN, format_args!("The driver answered GetCaps({caps_type:?}) with {code}."));
        HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR
    })?;
    Ok(data.0)
}
