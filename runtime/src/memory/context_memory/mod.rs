//! Memory of one context: memory of its handles, and its copy of the immediate context's handles.

mod saved;

use std::collections::BTreeMap;
use std::sync::Arc;
use taut_schemas::{AdapterId, DriverHandle, HandleAllocator, HandleMemory, HandlePool};

/// Start of all handle addresses: above the addresses of resources, so that the two are never confused.
const FIRST_ADDRESS: u64 = 1 << 60;
/// Size of an adapter's part of the address space.
const ADAPTER_BYTES: u64 = 1 << 52;
/// Size of a context's part of the address space. The lower half is for handles, the upper for memory of discarding
/// maps.
const CONTEXT_BYTES: u64 = 1 << 32;
/// Default size of a cache line, in bytes.
const LINE_BYTES: u64 = 64;

/// Addresses for handles. Memory is reused by size class.
#[derive(Debug, Default)]
pub(crate) struct HandleRange {
    pool: HandlePool,
    next_backing: u64,
}

impl HandleRange {
    /// Creates the range of an adapter's context by its index in order of creation; index 0 is for immediate-context
    /// handles. `None` if there are too many contexts.
    pub fn for_context(adapter: AdapterId, number: u64) -> Option<HandleRange> {
        if number >= ADAPTER_BYTES / CONTEXT_BYTES {
            return None;
        }
        let next = FIRST_ADDRESS + adapter.index() as u64 * ADAPTER_BYTES + number * CONTEXT_BYTES;
        let end = next + CONTEXT_BYTES / 2;
        // 0 stays free as the null handle; no other address is special.
        Some(HandleRange { pool: HandlePool { next, end, ..HandlePool::default() }, next_backing: end })
    }

    /// Sets the line size, a setting that is constant while handles exist.
    pub fn with_line_bytes(mut self, line_bytes: u64) -> HandleRange {
        self.pool.line_bytes = line_bytes;
        self
    }

    /// Sets the placement of a deferred context's handles, a setting that is constant while handles exist.
    pub fn with_allocator(mut self, allocator: HandleAllocator) -> HandleRange {
        self.pool.allocator = allocator;
        self
    }

    /// Allocates a region. `None` if the range is exhausted.
    pub fn allocate(&mut self, size_bytes: u64) -> Option<DriverHandle> {
        self.pool.allocate(size_bytes).map(DriverHandle)
    }

    /// Releases a region for reuse.
    pub fn release(&mut self, handle: DriverHandle, size_bytes: u64) {
        self.pool.release(handle.0, size_bytes);
    }

    /// Allocates addresses for a discarding map, in whole lines; these are never reused.
    pub fn backing(&mut self, size_bytes: u64) -> Option<u64> {
        let address = self.next_backing;
        let whole_lines = size_bytes.max(1).checked_next_multiple_of(self.pool.line_bytes.max(LINE_BYTES))?;
        let next = address.checked_add(whole_lines)?;
        self.next_backing = Some(next).filter(|next| *next <= self.pool.end + CONTEXT_BYTES / 2)?;
        Some(address)
    }
}

/// Memory that a context's driver can access.
#[derive(Debug, Default)]
pub(crate) struct ContextMemory {
    pub range: HandleRange,
    /// Contents of the context's own handles.
    regions: BTreeMap<u64, Vec<u8>>,
    /// Contents of known immediate-context handles, as of the end of their creation.
    images: BTreeMap<u64, Arc<[u8]>>,
    /// Later writes to those handles; only the immediate context may write to them.
    written: BTreeMap<u64, Vec<u8>>,
    is_immediate: bool,
}

impl ContextMemory {
    pub fn new(range: HandleRange, is_immediate: bool) -> ContextMemory {
        ContextMemory { range, is_immediate, ..ContextMemory::default() }
    }

    /// Allocates zeroed memory for a handle.
    pub fn allocate(&mut self, size_bytes: u64) -> Option<DriverHandle> {
        let handle = self.range.allocate(size_bytes)?;
        self.regions.insert(handle.0, vec![0; usize::try_from(size_bytes).ok()?]);
        Some(handle)
    }

    /// Releases a handle's memory.
    pub fn release(&mut self, handle: DriverHandle) {
        if let Some(bytes) = self.regions.remove(&handle.0) {
            self.range.release(handle, bytes.len() as u64);
        }
    }

    /// Contents of one of the context's own handles.
    pub fn image(&self, handle: DriverHandle) -> Arc<[u8]> {
        self.regions.get(&handle.0).map_or_else(|| Arc::from([]), |bytes| bytes.as_slice().into())
    }

    /// Makes an immediate-context handle known.
    pub fn add_valid_handle(&mut self, handle: DriverHandle, image: &Arc<[u8]>) {
        self.images.insert(handle.0, Arc::clone(image));
    }

    /// True if this immediate-context handle is valid in the context's memory.
    pub fn is_valid_handle(&self, handle: DriverHandle) -> bool {
        self.images.contains_key(&handle.0)
    }

    /// Makes an immediate-context handle unknown.
    pub fn forget(&mut self, handle: DriverHandle) {
        self.images.remove(&handle.0);
        self.written.remove(&handle.0);
    }
}

/// Copies the part of `from`, which starts at address `first`, that overlaps `bytes`, which start at `address`.
fn overlap(first: u64, from: &[u8], address: u64, bytes: &mut [u8]) {
    let offset = usize::try_from(address - first).unwrap_or(usize::MAX);
    let found = from.get(offset..).unwrap_or_default();
    let len = found.len().min(bytes.len());
    bytes[..len].copy_from_slice(&found[..len]);
}

/// Writes the part of `bytes`, which start at `address`, that overlaps `to`, which starts at address `first`.
fn store(first: u64, to: &mut [u8], address: u64, bytes: &[u8]) {
    let offset = usize::try_from(address - first).unwrap_or(usize::MAX);
    let found = to.get_mut(offset..).unwrap_or_default();
    let len = found.len().min(bytes.len());
    found[..len].copy_from_slice(&bytes[..len]);
}

impl HandleMemory for ContextMemory {
    fn read(&mut self, address: u64, bytes: &mut [u8]) {
        // Bytes outside of known handles read as zero, which keeps replay deterministic.
        bytes.fill(0);
        if let Some((first, region)) = self.regions.range(..=address).next_back()
            && address - first < region.len() as u64
        {
            return overlap(*first, region, address, bytes);
        }
        let Some((first, image)) = self.images.range(..=address).next_back() else { return };
        // The immediate context reads its own writes, not the image.
        let image = self.written.get(first).map_or(&**image, |written| written);
        overlap(*first, image, address, bytes);
    }

    fn handle_at(&self, address: u64) -> Option<DriverHandle> {
        let own = self.regions.range(..=address).next_back().map(|(first, region)| (*first, region.len()));
        let known = self.images.range(..=address).next_back().map(|(first, image)| (*first, image.len()));
        let found = [own, known].into_iter().flatten().find(|(first, len)| address - first < *len as u64);
        found.map(|(first, _)| DriverHandle(first))
    }

    fn write(&mut self, address: u64, bytes: &[u8]) {
        if let Some((first, region)) = self.regions.range_mut(..=address).next_back()
            && address - *first < region.len() as u64
        {
            return store(*first, region, address, bytes);
        }
        if let Some((first, image)) = self.images.range(..=address).next_back().filter(|_| self.is_immediate) {
            // Rule H-38: a deferred context must not write to the immediate context's handles; such writes are dropped.
            store(*first, self.written.entry(*first).or_insert_with(|| image.to_vec()), address, bytes);
        }
    }
}

/// Memory of one handle during its creation.
pub(crate) struct NewMemory<'a> {
    pub handle: DriverHandle,
    pub bytes: &'a mut [u8],
    /// Further memory that the driver may access.
    pub other_memory: Option<&'a mut ContextMemory>,
}

impl NewMemory<'_> {
    fn has(&self, address: u64) -> bool {
        address.checked_sub(self.handle.0).is_some_and(|offset| offset < self.bytes.len() as u64)
    }
}

impl HandleMemory for NewMemory<'_> {
    fn read(&mut self, address: u64, bytes: &mut [u8]) {
        bytes.fill(0);
        if self.has(address) {
            overlap(self.handle.0, self.bytes, address, bytes);
        } else if let Some(other_memory) = &mut self.other_memory {
            other_memory.read(address, bytes);
        }
    }

    fn handle_at(&self, address: u64) -> Option<DriverHandle> {
        match &self.other_memory {
            _ if self.has(address) => Some(self.handle),
            Some(other_memory) => other_memory.handle_at(address),
            None => None,
        }
    }

    fn write(&mut self, address: u64, bytes: &[u8]) {
        if self.has(address) {
            store(self.handle.0, self.bytes, address, bytes);
        } else if let Some(other_memory) = &mut self.other_memory {
            other_memory.write(address, bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn memory(number: u64) -> ContextMemory {
        memory_of_lines(number, LINE_BYTES)
    }

    fn memory_of_lines(number: u64, line_bytes: u64) -> ContextMemory {
        ContextMemory::new(
            HandleRange::for_context(AdapterId::FIRST, number).unwrap().with_line_bytes(line_bytes),
            false,
        )
    }

    proptest! {
        /// Rules H-11, H-26, H-27 and H-33: live regions have no line in common, within a context and between contexts,
        /// and regions are reused by class.
        #[test]
        fn h11_h26_h33_live_regions_share_no_line(
            steps in prop::collection::vec((0_usize..2, 1_u64..300, any::<bool>()), 1..80),
            line_bytes in prop::sample::select(vec![64_u64, 128]),
        ) {
            let mut contexts = [1, 2].map(|number| memory_of_lines(number, line_bytes));
            let mut live: Vec<(usize, DriverHandle, u64)> = Vec::new();
            for (context, size_bytes, give_back) in steps {
                if give_back && !live.is_empty() {
                    let (owner, handle, _) = live.swap_remove(size_bytes as usize % live.len());
                    contexts[owner].release(handle);
                    continue;
                }
                let handle = contexts[context].allocate(size_bytes).unwrap();
                prop_assert_eq!(handle.0 % line_bytes, 0);
                for (_, other, other_bytes) in &live {
                    let lines = |first: u64, bytes: u64| (first / line_bytes, (first + bytes - 1) / line_bytes);
                    let (a, b) = (lines(handle.0, size_bytes), lines(other.0, *other_bytes));
                    prop_assert!(a.1 < b.0 || b.1 < a.0, "{a:?} {b:?}");
                }
                live.push((context, handle, size_bytes));
            }
        }
    }

    #[test]
    fn h26_a_released_region_is_reused_for_its_class() {
        let mut memory = memory(1);
        let [small, large] = [8, 104].map(|size| memory.allocate(size).unwrap());
        memory.write(small.0, &[7]);
        memory.release(small);
        memory.release(large);
        assert_eq!(memory.allocate(100), Some(large));
        assert_eq!(memory.allocate(56), Some(small));
        assert_eq!((&mut memory as &mut dyn HandleMemory).read_u64(small.0), 0, "nothing is left of what was there");
    }

    #[test]
    fn h26_classes_are_whole_lines() {
        let mut memory = memory_of_lines(1, 128);
        let first = memory.allocate(65).unwrap();
        assert_eq!(memory.allocate(8).unwrap().0, first.0 + 128);
        memory.release(first);
        assert_eq!(memory.allocate(128), Some(first), "65 and 128 bytes are of one class");
    }

    #[test]
    fn h38_a_deferred_context_reads_the_image_and_cannot_write_it() {
        let image: Arc<[u8]> = vec![1; 16].into();
        let handle = DriverHandle(FIRST_ADDRESS);
        for (is_immediate, expected) in [(false, 1), (true, 9)] {
            let mut memory = ContextMemory { is_immediate, ..memory(1) };
            memory.add_valid_handle(handle, &image);
            memory.write(handle.0 + 3, &[9]);
            let mut found = [0; 4];
            memory.read(handle.0 + 3, &mut found);
            assert_eq!(found, [expected, 1, 1, 1]);
            memory.read(handle.0 + 14, &mut found);
            assert_eq!(found, [1, 1, 0, 0], "what is no handle's is read as zero");
            assert_eq!(*image, [1; 16]);
        }
    }
}
