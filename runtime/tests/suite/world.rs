//! Machine for tests that stores the events inside its calls.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use taut_runtime::{EventLog, ExecuteWith, Machine, Objects, Profile, RuleSet, Settings, driver};
use taut_schemas::{
    AllocationInfo, Call, DeviceId, Driver, HResult, HeapDesc, HeapFlags, HeapId, HeapProperties, HeapType, Mark,
    MessageId, ObjectId, ResourceDesc, ResourceId, d3d12, d3d12_ddi, mark,
};

/// Device of every machine.
pub const DEVICE: DeviceId = DeviceId(1);

/// Machine with a device, and the events of the last call.
pub struct World {
    pub machine: Machine<'static>,
    pub tap: EventLog,
}

impl Deref for World {
    type Target = Machine<'static>;

    fn deref(&self) -> &Machine<'static> {
        &self.machine
    }
}

impl DerefMut for World {
    fn deref_mut(&mut self) -> &mut Machine<'static> {
        &mut self.machine
    }
}

impl World {
    /// Creates a machine with this bundled driver and a device.
    pub fn new(driver_name: &str) -> World {
        World::with(driver(&Profile::named(driver_name).unwrap()), Settings::default())
    }

    /// Creates a machine under other rules.
    pub fn under(driver_name: &str, rules: RuleSet) -> World {
        let settings = Settings { rules, ..Settings::default() };
        World::with(driver(&Profile::named(driver_name).unwrap()), settings)
    }

    pub fn with(driver: Box<dyn Driver>, settings: Settings) -> World {
        let mut world = World { machine: Machine::new(settings, Arc::from(driver)), tap: EventLog::default() };
        assert_eq!(
            world.call(&d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() }),
            Ok(DEVICE)
        );
        world
    }

    /// Makes a call on exactly what its line locks. Clears the events of earlier calls.
    pub fn call<C: ExecuteWith>(&mut self, call: &C) -> C::Output {
        self.tap.events.clear();
        let output = self.machine.call(call, &mut self.tap);
        if let Some(remove) = self.machine.removal(call) {
            let _ = self.machine.call(&remove, &mut self.tap);
        }
        output
    }

    /// Makes a call with its derived input.
    pub fn call_with<C: ExecuteWith>(&mut self, call: &C, derived: C::DerivedInput) -> C::Output {
        self.tap.events.clear();
        self.machine.call_with(call, derived, &mut self.tap)
    }

    pub fn info(&mut self, desc: ResourceDesc) -> AllocationInfo {
        self.infos(&[desc])
    }

    pub fn infos(&mut self, descs: &[ResourceDesc]) -> AllocationInfo {
        self.call(&d3d12::GetResourceAllocationInfo { device: DEVICE, visible_mask: 0, descs: descs.to_vec() })
    }

    pub fn heap(&mut self, size_bytes: u64, alignment_bytes: u64, heap_type: HeapType, flags: HeapFlags) -> HeapId {
        let properties = HeapProperties { heap_type, ..Default::default() };
        self.try_heap(HeapDesc { size_bytes, properties, alignment_bytes, flags }).unwrap()
    }

    pub fn try_heap(&mut self, desc: HeapDesc) -> HResult<HeapId> {
        self.call(&d3d12::CreateHeap { device: DEVICE, desc })
    }

    pub fn committed(&mut self, desc: ResourceDesc) -> HResult<ResourceId> {
        self.committed_in(HeapType::DEFAULT, desc)
    }

    pub fn committed_in(&mut self, heap_type: HeapType, desc: ResourceDesc) -> HResult<ResourceId> {
        self.call(&d3d12::CreateCommittedResource {
            device: DEVICE,
            heap_properties: HeapProperties { heap_type, ..Default::default() },
            desc,
            initial_state: match heap_type {
                HeapType::UPLOAD => 0xac3,
                HeapType::READBACK => 0x400,
                _ => 0,
            },
            ..Default::default()
        })
    }

    pub fn placed(&mut self, heap: HeapId, heap_offset_bytes: u64, desc: ResourceDesc) -> HResult<ResourceId> {
        let device = DEVICE;
        self.call(&d3d12::CreatePlacedResource { device, heap, heap_offset_bytes, desc, ..Default::default() })
    }

    pub fn desc_of(&mut self, resource: ResourceId) -> ResourceDesc {
        self.call(&d3d12::GetDesc { resource }).unwrap()
    }

    pub fn address_of(&mut self, resource: ResourceId) -> u64 {
        self.call(&d3d12::GetGPUVirtualAddress { resource }).unwrap().0
    }

    pub fn release(&mut self, resource: ResourceId) {
        self.call(&d3d12::ReleaseResource { resource }).unwrap();
    }

    pub fn release_heap(&mut self, heap: HeapId) {
        self.call(&d3d12::ReleaseHeap { heap }).unwrap();
    }

    pub fn is_alive(&self, id: impl Into<ObjectId>) -> bool {
        self.state.objects.get(id.into()).is_some()
    }

    /// Returns the debug messages of the last call.
    pub fn messages(&self) -> Vec<mark::DebugMessage> {
        self.marks()
    }

    /// Returns the ids of the debug messages.
    pub fn message_ids(&self) -> Vec<MessageId> {
        self.messages().into_iter().map(|message| message.message_id).collect()
    }

    /// Returns the driver violations of the last call.
    pub fn violations(&self) -> Vec<mark::DriverViolation> {
        self.marks()
    }

    /// Returns the last call's marks of one kind.
    pub fn marks<M: Mark>(&self) -> Vec<M> {
        self.tap.marks()
    }

    /// Returns the arguments of the last call's DDI calls of one kind.
    pub fn ddi<C: Call>(&self) -> Vec<C> {
        self.tap.started()
    }

    /// Returns the last CheckResourceAllocationInfo of the last call: the only one, except for committed tight
    /// resources.
    pub fn check(&self) -> d3d12_ddi::CheckResourceAllocationInfo {
        self.ddi().pop().unwrap()
    }

    /// Returns the only CreateHeapAndResource of the last call.
    pub fn creation(&self) -> d3d12_ddi::CreateHeapAndResource {
        let mut creations = self.ddi();
        assert_eq!(creations.len(), 1);
        creations.remove(0)
    }
}
