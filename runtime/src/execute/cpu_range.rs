//! CPU address ranges of resources, for a shell that maps real memory at them.

use super::Locked;
use crate::d3d11::context_state::ContextState;
use crate::d3d12;
use crate::memory::effect::{Extent, Rows};
use crate::memory::space::{AddressSpace, MemoryChange};
use crate::state::{D3d11Kind, DeviceState, ObjectKind};
use taut_schemas::{CopyBox, CpuAddress, D3d11ResourceId, ObjectId};

/// Range of CPU addresses as Map returns them. The addresses are simulated: a shell may map real bytes to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CpuRange {
    /// First address; 0 for an empty range.
    pub address: CpuAddress,
    pub size_bytes: u64,
}

impl CpuRange {
    fn new(address: u64, size_bytes: u64) -> CpuRange {
        CpuRange { address: CpuAddress(AddressSpace::cpu_address(address)), size_bytes }
    }
}

impl Locked<'_> {
    /// Returns the CPU range of a resource's memory, mapped or not. `None` if the object is no resource, has no
    /// mappable memory, or is not locked.
    pub fn cpu_range(&self, object: ObjectId) -> Option<CpuRange> {
        if let Some(range) = self.context.as_ref().and_then(|context| context.mapped_range(object)) {
            return Some(range);
        }
        match &self.objects.as_ref().or(self.unpinned.as_ref())?.get(object)?.kind {
            ObjectKind::Resource(resource) if resource.mappable && resource.is_linear() => {
                Some(CpuRange::new(resource.address, resource.size_bytes))
            }
            ObjectKind::D3d11(d3d11) => match &d3d11.kind {
                D3d11Kind::Resource(resource) if resource.memory.0 == object.0 => {
                    Some(CpuRange::new(resource.address, resource.layout.size_bytes))
                }
                D3d11Kind::Resource(resource) => {
                    let memory = self.extension.as_ref()?.as_ref()?.d3d11_memory.get(resource.memory.0)?;
                    Some(CpuRange::new(memory.address, memory.layout.size_bytes))
                }
                _ => None,
            },
            _ => None,
        }
    }
}

impl Locked<'_> {
    /// Returns the place of a box of a subresource, for a copy by the processor. `None` if the object is no resource, or
    /// the box is not within its memory.
    pub fn subresource_rows(&self, id: ObjectId, subresource: u32, copied: Option<&CopyBox>) -> Option<(Rows, Extent)> {
        let objects = self.objects.as_ref().or(self.unpinned.as_ref())?;
        let ObjectKind::Resource(resource) = &objects.get(id)?.kind else { return None };
        d3d12::region_for_copy(resource, subresource, copied)
    }
}

impl DeviceState {
    /// Starts to collect allocated and freed memory until [`DeviceState::take_memory_changes`].
    pub fn remember_memory_changes(&mut self) {
        self.memory.track_changes();
    }

    /// Returns the memory that was allocated and freed since the last call, in order, as CPU ranges.
    pub fn take_memory_changes(&mut self) -> impl Iterator<Item = MemoryChange<CpuRange>> + use<> {
        let range = |(address, size_bytes)| CpuRange::new(address, size_bytes);
        self.memory.take_changes().into_iter().map(move |change| match change {
            MemoryChange::Allocated(allocated) => MemoryChange::Allocated(range(allocated)),
            MemoryChange::Freed(freed) => MemoryChange::Freed(range(freed)),
        })
    }
}

impl ContextState {
    /// Returns the CPU range of a resource that the context holds; in a deferred context, the last discarded memory of
    /// its recording.
    fn mapped_range(&self, object: ObjectId) -> Option<CpuRange> {
        let D3d11Kind::Resource(resource) = &self.held.get(&object)?.object.kind else { return None };
        let size_bytes = resource.layout.size_bytes;
        Some(match self.discarded.get(&D3d11ResourceId(object.0)) {
            Some(backing) => CpuRange { address: CpuAddress(*backing), size_bytes },
            None => CpuRange::new(resource.address, size_bytes),
        })
    }
}
