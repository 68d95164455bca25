//! Restoration of a runtime's state from rundown records.

mod d3d11;
mod restored_d3d11;

use crate::context::Drivers;
use crate::execute::{AdapterState, RuntimeState};
use crate::records::{RestoreError, check_memory, check_number, invalid_value};
use crate::settings::Settings;
use crate::state::{CommandList, DescriptorHeap, Object, ObjectKind, Objects, PipelineState, ResourceState};
use restored_d3d11::Restored11;
use std::collections::BTreeMap;
use taut_schemas::{AdapterId, Decoder, EventCode, HeapId, Mark, ObjectId, ResourcePlacement, for_each_family, state};

/// State during its restoration.
pub(super) struct Restoring<'a> {
    settings: &'a Settings,
    drivers: &'a dyn Drivers,
    /// Number of adapters of the machine.
    adapters: usize,
    /// `None` before the first record.
    state: Option<RuntimeState>,
    /// Serialised driver state by adapter.
    written: BTreeMap<AdapterId, Vec<u8>>,
    /// Number of live resources by the heap they are placed in.
    placed: BTreeMap<HeapId, u64>,
    d3d11: Restored11,
}

/// A record that can be restored.
trait Restored: Mark {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError>;
}

/// A record and the result of its restoration.
struct Dispatch<'r, 'a> {
    restoring: &'r mut Restoring<'a>,
    code: EventCode,
    row: &'r [u8],
    taken_up: Option<Result<(), RestoreError>>,
}

impl Dispatch<'_, '_> {
    fn line<M: Restored>(&mut self) {
        if M::ID == self.code.id() {
            let record = M::decode(&mut Decoder::new(self.row));
            let record = record.map_err(|source| RestoreError::Row { record: M::NAME, source });
            self.taken_up = Some(record.and_then(|record| record.restore(self.restoring)));
        }
    }
}

macro_rules! lines {
    ([$dispatch:ident] $( $(#[$doc:meta])+ $id:literal $Name:ident $(was $was:ident)* { $($fields:tt)* } )*) => {
        $( $dispatch.line::<state::$Name>(); )*
    };
}

macro_rules! family {
    (marks state [$($list:ident),+] $dispatch:ident) => { $( taut_schemas::$list! { lines $dispatch } )+ };
    ($kind:ident $family:ident [$($list:ident),+] $dispatch:ident) => {};
}

/// Visits all families. A line of the family without an implementation of [`Restored`] does not compile.
macro_rules! families {
    ([$dispatch:ident] $(
        $(#[$doc:meta])+ $family:ident = $kind:ident $layer:ident $header:literal $first:literal..=$last:literal
            [$($list:ident),+];
    )+) => {
        $( family! { $kind $family [$($list),+] $dispatch } )+
    };
}

impl<'a> Restoring<'a> {
    /// Creates an empty state for a machine with these drivers.
    pub fn new(settings: &'a Settings, drivers: &'a dyn Drivers, adapters: usize) -> Restoring<'a> {
        let (written, placed) = (BTreeMap::new(), BTreeMap::new());
        Restoring { settings, drivers, adapters, state: None, written, placed, d3d11: Restored11::default() }
    }

    /// Restores the next record.
    pub fn record(&mut self, code: EventCode, row: &[u8]) -> Result<(), RestoreError> {
        let mut dispatch = Dispatch { restoring: self, code, row, taken_up: None };
        for_each_family!(families dispatch);
        let unknown =
            || invalid_value::<_, state::Rundown>("records that this build knows", format_args!("code {}", code.0));
        dispatch.taken_up.unwrap_or_else(unknown)
    }

    /// Returns the complete state, after checks that need all records.
    pub fn finish(mut self) -> Result<RuntimeState, RestoreError> {
        for (adapter, written) in std::mem::take(&mut self.written) {
            let driver = self.drivers.of(adapter);
            self.adapter::<state::DriverState>(adapter)?.queue.restore_driver(driver, &written)?;
        }
        self.finish_d3d11()?;
        let placed = std::mem::take(&mut self.placed);
        let state = self.whole::<state::Rundown>()?;
        state.display.check()?;
        for adapter in state.adapters() {
            adapter.device.check_placed(|heap| placed.get(&heap).copied().unwrap_or(0))?;
        }
        match self.state {
            Some(state) => Ok(state),
            None => invalid_value::<_, state::Rundown>("a Rundown", "no record"),
        }
    }

    fn whole<M: Mark>(&mut self) -> Result<&mut RuntimeState, RestoreError> {
        match &mut self.state {
            Some(state) => Ok(state),
            None => invalid_value::<_, M>("a Rundown before it", "none"),
        }
    }

    /// Returns the adapter of a record.
    fn adapter<M: Mark>(&mut self, adapter: AdapterId) -> Result<&mut AdapterState, RestoreError> {
        let adapters = self.adapters;
        if adapter == AdapterId::NULL || adapter.index() >= adapters {
            return invalid_value::<_, M>("an adapter of the machine", adapter.0);
        }
        Ok(self.whole::<M>()?.adapter_mut(adapter))
    }

    /// Returns the adapter of a record's object.
    fn adapter_of<M: Mark>(&mut self, object: impl Into<ObjectId>) -> Result<&mut AdapterState, RestoreError> {
        let number = check_number::<M>(object.into().0, self.adapters)?;
        self.adapter::<M>(AdapterId(AdapterId::split(number).0 as u64 + 1))
    }

    fn object<M: Mark>(&mut self, id: impl Into<ObjectId>, name: &str, kind: ObjectKind) -> Result<(), RestoreError> {
        let id = id.into();
        check_number::<M>(id.0, self.adapters)?;
        self.whole::<M>()?.objects.insert(id, Object::named(name, kind));
        Ok(())
    }
}

impl Restored for state::Rundown {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let state::Rundown { adapters, objects: _ } = self;
        if adapters as usize != restoring.adapters || restoring.state.is_some() {
            return invalid_value::<_, Self>("one rundown of as many adapters as the machine has", adapters);
        }
        restoring.state = Some(RuntimeState::new(restoring.adapters));
        Ok(())
    }
}

impl Restored for state::RundownEnd {
    fn restore(self, _: &mut Restoring<'_>) -> Result<(), RestoreError> {
        invalid_value::<_, Self>("records of a state before the end of its rundown", self.records)
    }
}

impl Restored for state::Adapter {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let adapters = restoring.adapters;
        restoring.adapter::<Self>(self.adapter)?.device.restore(&self, adapters)
    }
}

impl Restored for state::System {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.whole::<Self>()?.system.restore(&self)
    }
}

impl Restored for state::Event {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.whole::<Self>()?.system.restore_event(&self);
        Ok(())
    }
}

impl Restored for state::AddressSpace {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.adapter::<Self>(self.adapter)?.device.restore_memory(&self)
    }
}

impl Restored for state::Buffer {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        check_memory::<Self>(self.address.0, 0)?;
        check_memory::<Self>(self.end.0, 0)?;
        restoring.adapter_of::<Self>(self.resource)?.device.buffers.restore(&self);
        Ok(())
    }
}

impl Restored for state::HeapMemory {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let adapters = restoring.adapters;
        restoring.adapter_of::<Self>(self.heap)?.device.restore_heap(&self, adapters)
    }
}

impl Restored for state::Heap {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let state::Heap { heap, name, desc } = self;
        restoring.object::<Self>(heap, &name, ObjectKind::Heap(desc))
    }
}

impl Restored for state::Resource {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let resource = ResourceState::restore(&self)?;
        if self.placement == ResourcePlacement::PLACED {
            *restoring.placed.entry(self.heap).or_default() += 1;
        }
        restoring.object::<Self>(self.resource, &self.name, ObjectKind::Resource(resource))
    }
}

impl Restored for state::PipelineState {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let state::PipelineState { pipeline_state, name, command_list_part } = self;
        let kind = ObjectKind::PipelineState(PipelineState::restore(&command_list_part)?);
        restoring.object::<Self>(pipeline_state, &name, kind)
    }
}

impl Restored for state::CommandAllocator {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let state::CommandAllocator { command_allocator, name, list_type } = self;
        restoring.object::<Self>(command_allocator, &name, ObjectKind::CommandAllocator(list_type))
    }
}

impl Restored for state::CommandList {
    fn restore(mut self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let (id, name) = (self.command_list, std::mem::take(&mut self.name));
        let list = CommandList::restore(self)?;
        restoring.object::<Self>(id, &name, ObjectKind::CommandList(Box::new(list)))
    }
}

impl Restored for state::CommandQueue {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let state::CommandQueue { command_queue, name } = self;
        restoring.object::<Self>(command_queue, &name, ObjectKind::CommandQueue)
    }
}

impl Restored for state::Fence {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let state::Fence { fence, name } = self;
        restoring.object::<Self>(fence, &name, ObjectKind::Fence)
    }
}

impl Restored for state::RootSignature {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.object::<Self>(self.root_signature, &self.name, ObjectKind::RootSignature)
    }
}

impl Restored for state::QueryHeap {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.object::<Self>(self.query_heap, &self.name, ObjectKind::QueryHeap)
    }
}

impl Restored for state::CommandSignature {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.object::<Self>(self.command_signature, &self.name, ObjectKind::CommandSignature)
    }
}

impl Restored for state::DescriptorHeap {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let state::DescriptorHeap { descriptor_heap, name, desc, address } = self;
        restoring.object::<Self>(descriptor_heap, &name, ObjectKind::DescriptorHeap(DescriptorHeap { desc, address }))
    }
}

impl Restored for state::Submissions {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let adapters = restoring.adapters;
        restoring.adapter::<Self>(self.adapter)?.queue.restore(&self, adapters)
    }
}

impl Restored for state::QueueOperations {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.adapter_of::<Self>(self.command_queue)?.queue.restore_queue(&self);
        Ok(())
    }
}

impl Restored for state::Operation {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let drivers = restoring.drivers;
        let adapter = restoring.adapter_of::<Self>(self.command_queue)?;
        adapter.queue.restore_operation(drivers.of(adapter.device.adapter_id()), &self)
    }
}

impl Restored for state::FenceValues {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.adapter_of::<Self>(self.fence)?.queue.restore_fence(&self);
        Ok(())
    }
}

impl Restored for state::Tasks {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let (settings, adapters) = (restoring.settings, restoring.adapters);
        restoring.adapter::<Self>(self.adapter)?.queue.restore_tasks(settings, &self, adapters)
    }
}

impl Restored for state::Task {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let (settings, drivers) = (restoring.settings, restoring.drivers);
        let number = check_number::<Self>(self.task.0, restoring.adapters)?;
        let id = AdapterId(AdapterId::split(number).0 as u64 + 1);
        restoring.adapter::<Self>(id)?.queue.restore_task(settings, drivers.of(id), &self)
    }
}

impl Restored for state::DriverState {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.adapter::<Self>(self.adapter)?;
        restoring.written.entry(self.adapter).or_default().extend(self.state.0);
        Ok(())
    }
}

impl Restored for state::GraphicsKernel {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.whole::<Self>()?.display.restore(&self)
    }
}

impl Restored for state::KernelAdapter {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.whole::<Self>()?.display.restore_adapter(&self)
    }
}

impl Restored for state::Display {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.whole::<Self>()?.display.restore_display(&self)
    }
}

impl Restored for state::SwapChain {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.whole::<Self>()?.display.restore_chain(&self)
    }
}
