//! The machine that checks run on: the runtime, and the driver under test behind a listener.

use super::contexts::{self, Found};
use super::sweep;
use super::tally::NotApplicable;
use super::watched::Watched;
use crate::context::Silent;
use crate::execute::{Execute, Machine};
use crate::placement::{MIB_4, ResourceClass, Shape};
use crate::settings::Settings;
use crate::state::Adapter;
use std::rc::Rc;
use std::sync::Arc;
use taut_schemas::{
    AdapterId, AllocationInfo, DeviceId, Driver, HResult, HeapDesc, HeapFlags, HeapId, HeapProperties, HeapType,
    ResourceDesc, ResourceFlags, ResourceId, d3d12,
};

/// What an invalid description's size is.
pub(crate) const INVALID_SIZE: u64 = u64::MAX;

/// Room for any one resource of the sweep.
const HEAP_BYTES: u64 = 1 << 42;

/// The device that the bench has.
pub(crate) const DEVICE: DeviceId = DeviceId(1);

pub(crate) struct Bench<'d> {
    pub watched: Arc<Watched<'d>>,
    machine: Machine<'d>,
    /// One heap for each kind of resource, made when first needed.
    heaps: [Option<HeapId>; 3],
    resources: Option<Rc<[ResourceDesc]>>,
    /// What was said of handles, once it was listened to.
    handles: Option<Found>,
}

impl<'d> Bench<'d> {
    /// A machine with this driver, its device created.
    ///
    /// # Errors
    /// The code that creating the device gives.
    pub fn new(driver: &'d dyn Driver, settings: &Settings) -> HResult<Bench<'d>> {
        let watched = Arc::new(Watched::new(driver));
        let settings = Settings { strict: false, ..settings.clone() };
        let mut bench = Bench {
            machine: Machine::new(settings, Arc::clone(&watched) as Arc<dyn Driver + 'd>),
            watched,
            heaps: [None; 3],
            resources: None,
            handles: None,
        };
        bench.call(&d3d12::CreateDevice::default())?;
        Ok(bench)
    }

    /// Makes a call; what was said to the driver before is forgotten.
    pub fn call<C: Execute>(&mut self, call: &C) -> C::Output {
        self.watched.clear();
        self.machine.call(call, &mut Silent)
    }

    /// The settings of the machine.
    pub fn settings(&self) -> &Settings {
        &self.machine.settings
    }

    /// The driver.
    pub fn driver(&self) -> Arc<dyn Driver + 'd> {
        Arc::clone(&self.watched) as Arc<dyn Driver + 'd>
    }

    /// What the driver's interface of contexts said in the program that is made for it.
    pub fn handle_audit(&mut self) -> Found {
        if let Some(found) = &self.handles {
            return Rc::clone(found);
        }
        let driver = self.driver();
        let found: Found = Rc::new(contexts::audited(driver, &self.machine.settings));
        self.handles = Some(Rc::clone(&found));
        found
    }

    /// What the driver said when the device was created.
    pub fn adapter(&self) -> Option<&Adapter> {
        self.machine.state.adapter(AdapterId::FIRST).device.adapter()
    }

    /// Says why, if the driver has no tight alignment.
    pub fn needs_tight(&self) -> Result<(), NotApplicable> {
        match self.adapter() {
            Some(adapter) if adapter.supports_tight_alignment() => Ok(()),
            adapter => {
                let version = adapter.map(|adapter| adapter.ddi_version.to_string()).unwrap_or_default();
                Err(NotApplicable(format!("the driver reports no tight alignment (DDI {version})")))
            }
        }
    }

    /// Whether the driver has tight alignment.
    pub fn is_tight(&self) -> bool {
        self.needs_tight().is_ok()
    }

    /// Every resource of the sweep that this adapter can have, without tight flag and alignment.
    pub fn resources(&mut self) -> Rc<[ResourceDesc]> {
        if let Some(resources) = &self.resources {
            return Rc::clone(resources);
        }
        let valid = sweep::resources().into_iter().filter(|desc| self.info(*desc).size_bytes != INVALID_SIZE);
        let resources: Rc<[ResourceDesc]> = valid.collect();
        self.resources = Some(Rc::clone(&resources));
        resources
    }

    /// GetResourceAllocationInfo of one resource.
    pub fn info(&mut self, desc: ResourceDesc) -> AllocationInfo {
        self.call(&d3d12::GetResourceAllocationInfo { device: DEVICE, visible_mask: 0, descs: vec![desc] })
    }

    /// CreateCommittedResource in a default heap.
    pub fn create_committed(&mut self, desc: ResourceDesc) -> HResult<ResourceId> {
        let heap_properties = HeapProperties { heap_type: HeapType::DEFAULT, ..Default::default() };
        self.call(&d3d12::CreateCommittedResource { device: DEVICE, heap_properties, desc, ..Default::default() })
    }

    /// CreatePlacedResource at the beginning of a heap.
    pub fn create_placed(&mut self, desc: ResourceDesc) -> HResult<ResourceId> {
        let heap = self.heap_for(&desc)?;
        self.call(&d3d12::CreatePlacedResource { device: DEVICE, heap, desc, ..Default::default() })
    }

    /// The alignment that GetDesc says; the resource is released.
    pub fn alignment_of(&mut self, resource: ResourceId) -> u64 {
        let alignment = self.call(&d3d12::GetDesc { resource }).map_or(0, |desc| desc.alignment_bytes);
        self.release(resource);
        alignment
    }

    pub fn release(&mut self, resource: ResourceId) {
        // It was created just now: it is there.
        let _ = self.call(&d3d12::ReleaseResource { resource });
    }

    /// A heap that takes such resources, on any resource heap tier.
    fn heap_for(&mut self, desc: &ResourceDesc) -> HResult<HeapId> {
        let shape = Shape::from(desc);
        let (at, denied) = match ResourceClass::of(&shape) {
            ResourceClass::Buffer => (0, HeapFlags::DENY_RT_DS_TEXTURES | HeapFlags::DENY_NON_RT_DS_TEXTURES),
            _ if shape.render_target_or_depth_stencil => {
                (1, HeapFlags::DENY_BUFFERS | HeapFlags::DENY_NON_RT_DS_TEXTURES)
            }
            _ => (2, HeapFlags::DENY_BUFFERS | HeapFlags::DENY_RT_DS_TEXTURES),
        };
        if let Some(heap) = self.heaps[at] {
            return Ok(heap);
        }
        let heap = self.create_heap(HEAP_BYTES, denied)?;
        self.heaps[at] = Some(heap);
        Ok(heap)
    }

    /// CreateHeap, aligned for any resource.
    pub fn create_heap(&mut self, size_bytes: u64, flags: HeapFlags) -> HResult<HeapId> {
        let properties = HeapProperties { heap_type: HeapType::DEFAULT, ..Default::default() };
        let desc = HeapDesc { size_bytes, properties, alignment_bytes: MIB_4, flags };
        self.call(&d3d12::CreateHeap { device: DEVICE, desc })
    }
}

/// The same resource with the tight flag.
pub(crate) fn tightened(desc: ResourceDesc) -> ResourceDesc {
    ResourceDesc { flags: desc.flags | ResourceFlags::USE_TIGHT_ALIGNMENT, ..desc }
}
