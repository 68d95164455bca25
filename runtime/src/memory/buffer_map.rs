//! Lookup of buffers by address.

use std::collections::BTreeMap;
use std::ops::Bound::Included;
use taut_schemas::{GpuVirtualAddress, ResourceId, state};

/// A live buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BufferAt {
    pub resource: ResourceId,
    pub alignment_bytes: u64,
    end: u64,
}

/// Live buffers by address. Buffers placed in one heap may overlap.
#[derive(Debug, Default)]
pub(crate) struct BufferMap {
    /// Buffers by address of the first byte, then by handle.
    buffers: BTreeMap<(u64, u64), BufferAt>,
    /// Max size of all buffers so far: bounds the distance from an address to the start of the buffer that contains it.
    longest_bytes: u64,
}

impl BufferMap {
    pub fn insert(&mut self, resource: ResourceId, address: u64, size_bytes: u64, alignment_bytes: u64) {
        let end = address.saturating_add(size_bytes);
        self.longest_bytes = self.longest_bytes.max(size_bytes);
        self.buffers.insert((address, resource.0), BufferAt { resource, alignment_bytes, end });
    }

    /// Max size of all buffers so far, in bytes.
    pub fn longest_bytes(&self) -> u64 {
        self.longest_bytes
    }

    /// Creates an empty map for which the max size of buffers so far is known.
    pub fn after(longest_bytes: u64) -> BufferMap {
        BufferMap { buffers: BTreeMap::new(), longest_bytes }
    }

    /// The record of every buffer.
    pub fn save(&self) -> impl Iterator<Item = state::Buffer> {
        self.buffers.iter().map(|((address, _), buffer)| {
            let BufferAt { resource, alignment_bytes: alignment, end } = *buffer;
            state::Buffer { resource, address: GpuVirtualAddress(*address), end: GpuVirtualAddress(end), alignment }
        })
    }

    /// Restores a buffer from its record.
    pub fn restore(&mut self, record: &state::Buffer) {
        let state::Buffer { resource, address, end, alignment: alignment_bytes } = *record;
        self.buffers.insert((address.0, resource.0), BufferAt { resource, alignment_bytes, end: end.0 });
    }

    pub fn remove(&mut self, resource: ResourceId, address: u64) {
        self.buffers.remove(&(address, resource.0));
    }

    /// Returns the buffer that contains `address`. Of several buffers, the one with the largest start address whose
    /// alignment is at least `floor_bytes`, since the application may mean any of them; if none is aligned so, the one
    /// with the largest start address.
    pub fn find(&self, address: u64, floor_bytes: u64) -> Option<BufferAt> {
        let first = (address.saturating_sub(self.longest_bytes), 0);
        let before = self.buffers.range((Included(first), Included((address, u64::MAX)))).rev();
        let mut covering = before.map(|(_, buffer)| *buffer).filter(|buffer| address < buffer.end).peekable();
        let nearest = covering.peek().copied();
        covering.find(|buffer| buffer.alignment_bytes >= floor_bytes).or(nearest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn find_returns_the_buffer_that_contains_an_address() {
        let mut map = BufferMap::default();
        map.insert(ResourceId(1), 4096, 4096, 4096);
        map.insert(ResourceId(2), 4160, 64, 8);
        map.insert(ResourceId(3), 16384, 16, 8);
        let found = |map: &BufferMap, address, floor| map.find(address, floor).map(|buffer| buffer.resource.0);
        assert_eq!(found(&map, 4095, 8), None);
        assert_eq!(found(&map, 4096, 8), Some(1));
        assert_eq!(found(&map, 4160, 8), Some(2));
        assert_eq!(found(&map, 4160, 256), Some(1), "the other is meant");
        assert_eq!(found(&map, 8191, 256), Some(1));
        assert_eq!(found(&map, 8192, 8), None);
        assert_eq!(found(&map, 16390, 256), Some(3));
        assert_eq!(found(&map, u64::MAX, 8), None);
        map.remove(ResourceId(1), 4096);
        assert_eq!(found(&map, 4160, 256), Some(2));
    }
}
