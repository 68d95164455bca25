//! Which of the processor's addresses are whose: for a shell that keeps bytes behind them.

use super::space::AddressSpace;
use crate::d3d12::device::DeviceState;
use crate::execute::Locked;
use crate::objects::ObjectKind;
use taut_schemas::{CpuAddress, ObjectId};

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
        match &self.objects.as_ref()?.get(object)?.kind {
            ObjectKind::Resource(resource) if resource.mappable && resource.is_linear() => {
                Some(CpuRange::of(resource.address, resource.size_bytes))
            }
            ObjectKind::D3d11Resource(resource) => {
                let memory = self.device.as_ref()?.d3d11_memory.get(resource.memory.0)?;
                Some(CpuRange::of(memory.address, memory.layout.size_bytes))
            }
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
