//! Inputs that describe a machine to the runtime.

use super::machine_profile::{AdapterHardware, MachineProfile, MemoryKind};
use taut_schemas::{AdapterId, AdapterParts, machine};

const BYTES_PER_MB: u64 = 1_000_000;

impl MachineProfile {
    /// Id of the adapter with this name; the first adapter's if there is none.
    pub fn adapter_id(&self, name: &str) -> AdapterId {
        let place = self.adapters.iter().position(|adapter| adapter.name == name);
        AdapterId(place.unwrap_or_default() as u64 + 1)
    }

    /// System memory and fences.
    pub fn description(&self) -> machine::DescribeMachine {
        machine::DescribeMachine {
            system_memory_bytes_per_second: self.system_memory_mb_per_second * BYTES_PER_MB,
            cross_adapter_fence_ns: self.cross_adapter_fence_ns,
        }
    }

    /// Memory, link and engines of an adapter.
    pub fn parts(&self, adapter: &AdapterHardware) -> AdapterParts {
        AdapterParts {
            uses_system_memory: adapter.memory == MemoryKind::System,
            memory_bytes_per_second: adapter.memory_mb_per_second * BYTES_PER_MB,
            link_bytes_per_second: self.link_of(adapter).map_or(0, |link| link.bytes_per_second()),
            copy_engines: adapter.copy_engines,
            copy_bytes_per_second: adapter.copy_mb_per_second * BYTES_PER_MB,
        }
    }
}
