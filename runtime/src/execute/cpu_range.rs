//! Which of the processor's addresses are whose: for a shell that keeps bytes behind them.

use super::Locked;
use crate::d3d11::context_state::ContextState;
use crate::memory::space::AddressSpace;
use crate::state::{D3d11Kind, DeviceState, ObjectKind};
use taut_schemas::{CpuAddress, D3d11ResourceId, ObjectId};

/// A run of the processor's addresses, as Map gives them out. They are simulated: a shell may put bytes behind them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CpuRange {
    /// The first; 0 for what has none.
    pub address: CpuAddress,
    /// How many bytes.
    pub size_bytes: u64,
}

impl CpuRange {
    fn of(address: u64, size_bytes: u64) -> CpuRange {
        CpuRange { address: CpuAddress(AddressSpace::cpu_address(address)), size_bytes }
    }
}

impl Locked<'_> {
    /// Where the processor finds a resource's memory, whether it is mapped or not. `None` for what is no resource, has
    /// no memory that can be mapped, or is not locked.
    pub fn cpu_range(&self, object: ObjectId) -> Option<CpuRange> {
        if let Some(range) = self.context.as_ref().and_then(|context| context.mapped_range(object)) {
            return Some(range);
        }
        match &self.objects.as_ref().or(self.opens.as_ref())?.get(object)?.kind {
            ObjectKind::Resource(resource) if resource.mappable && resource.is_linear() => {
                Some(CpuRange::of(resource.address, resource.size_bytes))
            }
            ObjectKind::D3d11(d3d11) => match &d3d11.kind {
                D3d11Kind::Resource(resource) if resource.memory.0 == object.0 => {
                    Some(CpuRange::of(resource.address, resource.layout.size_bytes))
                }
                D3d11Kind::Resource(resource) => {
                    let memory = self.extension.as_ref()?.as_ref()?.d3d11_memory.get(resource.memory.0)?;
                    Some(CpuRange::of(memory.address, memory.layout.size_bytes))
                }
                _ => None,
            },
            _ => None,
        }
    }
}

impl DeviceState {
    /// From now on, memory that is given back is remembered until it is asked for.
    pub fn remember_freed_memory(&mut self) {
        self.memory.remember_freed();
    }

    /// The memory that was given back since this was asked last, at the processor's addresses.
    pub fn take_freed_memory(&mut self) -> impl Iterator<Item = CpuRange> + use<> {
        self.memory.take_freed().into_iter().map(|(address, size_bytes)| CpuRange::of(address, size_bytes))
    }
}

impl ContextState {
    /// Where the processor finds a resource that the context holds: in a deferred one what its recording wrote last.
    fn mapped_range(&self, object: ObjectId) -> Option<CpuRange> {
        let D3d11Kind::Resource(resource) = &self.held.get(&object)?.object.kind else { return None };
        let size_bytes = resource.layout.size_bytes;
        Some(match self.discarded.get(&D3d11ResourceId(object.0)) {
            Some(backing) => CpuRange { address: CpuAddress(*backing), size_bytes },
            None => CpuRange::of(resource.address, size_bytes),
        })
    }
}
