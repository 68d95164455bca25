//! Memory of deferred contexts' handles by each policy of the runtime's allocator, as predicted from the recorded
//! creations and accesses.

use super::FastMap;
use super::live_handles::LiveHandles;
use super::occupancy::Occupancy;
use super::sums::HandleChange;
use taut_schemas::{HandleAccess, HandleAllocator, HandlePool};

/// Max lines of one access that are counted; bounds the time of damaged traces.
const MAX_LINES: u64 = 1 << 10;
const POLICIES: usize = HandleAllocator::ALL.len();

/// Memory by one policy.
#[derive(Debug)]
pub(crate) struct AllocatorModel {
    pub allocator: HandleAllocator,
    /// Addresses by context.
    pools: FastMap<u32, HandlePool>,
    occupancy: Occupancy,
    allocated_bytes: u64,
    pub peak_allocated_bytes: u64,
    /// Lines accessed per call, summed over the calls on deferred contexts.
    pub line_touches: u64,
}

/// Memory by all policies.
#[derive(Debug)]
pub(crate) struct AllocatorModels {
    line_bytes: u64,
    /// Cache line of the recording's settings.
    pub allocator_line_bytes: u64,
    pub models: [AllocatorModel; POLICIES],
    /// Addresses of live handles of deferred contexts by each policy.
    addresses: FastMap<u64, [u64; POLICIES]>,
}

impl AllocatorModels {
    /// Creates the models for cache lines of `line_bytes`, of an allocator that places handles by lines of
    /// `allocator_line_bytes`.
    pub fn new(line_bytes: u64, allocator_line_bytes: u64) -> AllocatorModels {
        let models = HandleAllocator::ALL.map(|allocator| AllocatorModel {
            allocator,
            pools: FastMap::default(),
            occupancy: Occupancy::new(line_bytes),
            allocated_bytes: 0,
            peak_allocated_bytes: 0,
            line_touches: 0,
        });
        AllocatorModels { line_bytes, allocator_line_bytes, models, addresses: FastMap::default() }
    }

    /// Adds a deferred context, whose own memory is the first of its addresses.
    pub fn add_context(&mut self, place: u32, device_handle: u64, size_bytes: u64) {
        for model in &mut self.models {
            let (line_bytes, allocator) = (self.allocator_line_bytes, model.allocator);
            let mut pool =
                HandlePool { next: device_handle, end: u64::MAX, line_bytes, allocator, ..HandlePool::default() };
            pool.allocate(size_bytes);
            model.pools.insert(place, pool);
        }
    }

    /// Removes a context.
    pub fn remove_context(&mut self, place: u32) {
        self.models.iter_mut().for_each(|model| drop(model.pools.remove(&place)));
    }

    /// Processes the failed creation of a handle, whose memory is released.
    pub fn not_created(&mut self, place: u32, size_bytes: u64) {
        for pool in self.models.iter_mut().filter_map(|model| model.pools.get_mut(&place)) {
            if let Some(address) = pool.allocate(size_bytes) {
                pool.release(address, size_bytes);
            }
        }
    }

    /// Processes a created or destroyed handle at this address.
    pub fn change(&mut self, change: &HandleChange, address: u64) {
        let HandleChange { place, size_bytes, .. } = *change;
        if !change.is_creation {
            let addresses = self.addresses.remove(&address).unwrap_or([address; POLICIES]);
            for (model, address) in self.models.iter_mut().zip(addresses) {
                if let Some(pool) = model.pools.get_mut(&place) {
                    pool.release(address, size_bytes);
                }
                let vacated = model.occupancy.remove(address, size_bytes);
                model.allocated_bytes = model.allocated_bytes.saturating_sub(vacated);
            }
            return;
        }
        let mut addresses = [address; POLICIES];
        for (model, address) in self.models.iter_mut().zip(&mut addresses) {
            // Handles of the immediate context are where they were recorded.
            let pool = model.pools.get_mut(&place).filter(|_| !change.is_immediate);
            *address = pool.and_then(|pool| pool.allocate(size_bytes)).unwrap_or(*address);
            model.allocated_bytes = model.allocated_bytes.saturating_add(model.occupancy.add(*address, size_bytes));
            model.peak_allocated_bytes = model.peak_allocated_bytes.max(model.allocated_bytes);
        }
        if !change.is_immediate {
            self.addresses.insert(address, addresses);
        }
    }

    /// Processes the accesses of one call on a deferred context.
    pub(super) fn call(&mut self, accesses: &[HandleAccess], live: &LiveHandles) {
        let known = |access: &HandleAccess| if access.handle.0 == 0 { live.find(access) } else { Some(*access) };
        let accesses: Vec<HandleAccess> = accesses.iter().map(|access| known(access).unwrap_or(*access)).collect();
        let mut lines = Vec::new();
        for (policy, model) in self.models.iter_mut().enumerate() {
            lines.clear();
            for access in &accesses {
                let handle = access.handle.0;
                let begin = self.addresses.get(&handle).map_or(handle, |addresses| addresses[policy]);
                let begin = begin.saturating_add(access.offset_bytes);
                let last = begin.saturating_add(u64::from(access.size_bytes.max(1)) - 1) / self.line_bytes;
                let first = begin / self.line_bytes;
                lines.extend(first..=last.min(first + MAX_LINES));
            }
            lines.sort_unstable();
            lines.dedup();
            model.line_touches += lines.len() as u64;
        }
    }
}
