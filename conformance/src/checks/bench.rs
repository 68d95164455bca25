//! Machine for checks: the runtime, and the tested driver below a recording layer.

use super::context_program::{self, Found};
use super::ddi_recorder::DdiRecorder;
use super::sweep;
use super::tally::NotApplicable;
use std::rc::Rc;
use std::sync::Arc;
use taut_runtime::inspect::{Adapter, capabilities};
use taut_runtime::placement::{MIB_4, ResourceClass, Shape};
use taut_runtime::{Execute, Machine};
use taut_runtime::{NullTap, Revision, Settings};
use taut_schemas::{
    AdapterId, AllocationInfo, DeviceId, Driver, HResult, HeapDesc, HeapFlags, HeapId, HeapProperties, HeapType,
    ResourceDesc, ResourceFlags, ResourceId, d3d12,
};

/// Size that the runtime reports for an invalid description.
pub(crate) const INVALID_SIZE: u64 = u64::MAX;

/// Size of heaps in bytes: enough for every resource of the sweep.
const HEAP_BYTES: u64 = 1 << 42;

/// Device of the bench.
pub(crate) const DEVICE: DeviceId = DeviceId(1);

pub(crate) struct Bench<'d> {
    pub ddi_recorder: Arc<DdiRecorder<'d>>,
    machine: Machine<'d>,
    /// Heap per kind of resource, created on first use.
    heaps: [Option<HeapId>; 3],
    resources: Option<Rc<[ResourceDesc]>>,
    /// Audit of context handles, once it has run.
    handles: Option<Found>,
}

impl<'d> Bench<'d> {
    /// Creates a machine with this driver and a device.
    ///
    /// # Errors
    /// The error code of the device's creation.
    pub fn new(driver: &'d dyn Driver, settings: &Settings) -> HResult<Bench<'d>> {
        let (ddi_recorder, revision) = (Arc::new(DdiRecorder::new(driver)), settings.revision);
        // In strict mode, a violation would remove the device that later checks use.
        let settings = Settings { strict: false, ..settings.clone() };
        let mut bench = Bench {
            machine: Machine::new(settings, Arc::clone(&ddi_recorder) as Arc<dyn Driver + 'd>),
            ddi_recorder,
            heaps: [None; 3],
            resources: None,
            handles: None,
        };
        // A contradiction between the two drivers has its own check (C-08). With the query of a kernel-mode driver that was not
        // started, no other check would have a device.
        bench.machine.settings.revision = Revision::CHAIN_OWNERS.min(revision);
        bench.call(&d3d12::CreateDevice::default())?;
        bench.machine.settings.revision = revision;
        Ok(bench)
    }

    /// Executes a call, after clearing the record of the driver's calls.
    pub fn call<C: Execute>(&mut self, call: &C) -> C::Output {
        self.ddi_recorder.clear();
        self.machine.call(call, &mut NullTap)
    }

    /// Returns the settings of the machine.
    pub fn settings(&self) -> &Settings {
        &self.machine.settings
    }

    /// Returns the driver.
    pub fn driver(&self) -> Arc<dyn Driver + 'd> {
        Arc::clone(&self.ddi_recorder) as Arc<dyn Driver + 'd>
    }

    /// Runs the program for context handles once. Returns the audit of its DDI calls.
    pub fn handle_audit(&mut self) -> Found {
        if let Some(found) = &self.handles {
            return Rc::clone(found);
        }
        let driver = self.driver();
        let found: Found = Rc::new(context_program::audited(driver, &self.machine.settings));
        self.handles = Some(Rc::clone(&found));
        found
    }

    /// Returns the driver's data from the creation of the device.
    pub fn adapter(&self) -> Option<&Adapter> {
        capabilities(&self.machine.state.adapter(AdapterId::FIRST).device)
    }

    /// Checks that the driver supports tight alignment, and returns the reason if not.
    pub fn require_tight(&self) -> Result<(), NotApplicable> {
        match self.adapter() {
            Some(adapter) if adapter.supports_tight_alignment() => Ok(()),
            adapter => {
                let version = adapter.map(|adapter| adapter.ddi_version.to_string()).unwrap_or_default();
                Err(NotApplicable(format!("the driver reports no tight alignment (DDI {version})")))
            }
        }
    }

    /// True if the driver supports tight alignment.
    pub fn is_tight(&self) -> bool {
        self.require_tight().is_ok()
    }

    /// Returns the resources of the sweep that are valid on this adapter, without tight flag and alignment.
    pub fn resources(&mut self) -> Rc<[ResourceDesc]> {
        if let Some(resources) = &self.resources {
            return Rc::clone(resources);
        }
        let valid = sweep::resources().into_iter().filter(|desc| self.info(*desc).size_bytes != INVALID_SIZE);
        let resources: Rc<[ResourceDesc]> = valid.collect();
        self.resources = Some(Rc::clone(&resources));
        resources
    }

    /// Calls GetResourceAllocationInfo for one resource.
    pub fn info(&mut self, desc: ResourceDesc) -> AllocationInfo {
        self.call(&d3d12::GetResourceAllocationInfo { device: DEVICE, visible_mask: 0, descs: vec![desc] })
    }

    /// Calls CreateCommittedResource in a default heap.
    pub fn create_committed(&mut self, desc: ResourceDesc) -> HResult<ResourceId> {
        let heap_properties = HeapProperties { heap_type: HeapType::DEFAULT, ..Default::default() };
        self.call(&d3d12::CreateCommittedResource { device: DEVICE, heap_properties, desc, ..Default::default() })
    }

    /// Calls CreatePlacedResource at the beginning of a heap.
    pub fn create_placed(&mut self, desc: ResourceDesc) -> HResult<ResourceId> {
        let heap = self.heap_for(&desc)?;
        self.call(&d3d12::CreatePlacedResource { device: DEVICE, heap, desc, ..Default::default() })
    }

    /// Returns the alignment that GetDesc reports, and releases the resource.
    pub fn alignment_of(&mut self, resource: ResourceId) -> u64 {
        let alignment = self.call(&d3d12::GetDesc { resource }).map_or(0, |desc| desc.alignment_bytes);
        self.release(resource);
        alignment
    }

    pub fn release(&mut self, resource: ResourceId) {
        // The resource was created just now, so this cannot fail.
        let _ = self.call(&d3d12::ReleaseResource { resource });
    }

    /// Returns a heap for this kind of resource, on any resource heap tier.
    fn heap_for(&mut self, desc: &ResourceDesc) -> HResult<HeapId> {
        let shape = Shape::from(desc);
        let (at, denied) = match ResourceClass::new(&shape) {
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

    /// Calls CreateHeap with an alignment for any resource.
    pub fn create_heap(&mut self, size_bytes: u64, flags: HeapFlags) -> HResult<HeapId> {
        let properties = HeapProperties { heap_type: HeapType::DEFAULT, ..Default::default() };
        let desc = HeapDesc { size_bytes, properties, alignment_bytes: MIB_4, flags };
        self.call(&d3d12::CreateHeap { device: DEVICE, desc })
    }
}

/// Returns the description with the tight flag.
pub(crate) fn tightened(desc: ResourceDesc) -> ResourceDesc {
    ResourceDesc { flags: desc.flags | ResourceFlags::USE_TIGHT_ALIGNMENT, ..desc }
}
