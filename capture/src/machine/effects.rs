//! Execution of the effects that GPU commands have on memory, by the GPU's thread.

use crate::memory::Memory;
use std::collections::HashMap;
use std::sync::Arc;
use taut_runtime::memory_effect::{Bytes, MemoryEffect, copy, fill};
use taut_schemas::CpuAddress;

/// Memory of the session, with the results of time stamp queries.
pub(super) struct Effects {
    memory: Arc<dyn Memory>,
    /// By query heap and index.
    timestamps: HashMap<(u64, u32), u64>,
}

/// Max number of time stamps that are stored: a program that creates query heaps all the time must not fill memory.
const MAX_TIMESTAMPS: usize = 1 << 22;

impl Effects {
    pub fn new(memory: Arc<dyn Memory>) -> Effects {
        Effects { memory, timestamps: HashMap::new() }
    }

    /// Executes effects in order.
    pub fn execute(&mut self, effects: &[Arc<Vec<MemoryEffect>>]) {
        effects.iter().flat_map(|list| list.iter()).for_each(|effect| self.execute_one(effect));
    }

    fn execute_one(&mut self, effect: &MemoryEffect) {
        match effect {
            MemoryEffect::Copy { dst, src, extent } => copy(&*self.memory, *dst, *src, extent),
            MemoryEffect::Fill { dst, extent, texel } => fill(&*self.memory, *dst, extent, texel),
            MemoryEffect::Timestamp { query_heap, index } => {
                if self.timestamps.len() >= MAX_TIMESTAMPS {
                    self.timestamps.clear();
                }
                self.timestamps.insert((query_heap.0, *index), self.memory.timestamp());
            }
            MemoryEffect::ResolveTimestamps { query_heap, first, count, address } => {
                for number in 0..*count {
                    let query = (query_heap.0, first.saturating_add(number));
                    let value = self.timestamps.get(&query).copied().unwrap_or_default();
                    self.memory.store(CpuAddress(address.0 + 8 * u64::from(number)), &value.to_le_bytes());
                }
            }
        }
    }
}

impl Bytes for dyn Memory + '_ {
    fn load(&self, address: CpuAddress, bytes: &mut [u8]) {
        Memory::load(self, address, bytes);
    }

    fn store(&self, address: CpuAddress, bytes: &[u8]) {
        Memory::store(self, address, bytes);
    }

    fn copy(&self, dst: CpuAddress, src: CpuAddress, size_bytes: u64) -> bool {
        Memory::copy(self, dst, src, size_bytes)
    }
}
