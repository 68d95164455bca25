//! The result of a placement policy.

use super::policy::Policy;
use super::pool::{Limits, Place, Pool};
use super::request::{Request, RequestKind, Requests};
use crate::memory::round_up;
use serde::Serialize;
use std::collections::BTreeMap;
use taut_schemas::{AdapterId, HeapType};

/// Alignment above which a resource needs a heap with MSAA alignment (D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT).
const HEAP_ALIGNMENT_BYTES: u64 = 64 << 10;
/// Page size of dedicated heaps.
const PAGE_BYTES: u64 = 4 << 10;

/// The heaps of a policy at their peak.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlacementOutcome {
    /// Name of the policy.
    pub policy: &'static str,
    /// Size of its heaps, in bytes.
    pub block_bytes: u64,
    /// Size above which a resource has a dedicated heap, in bytes.
    pub dedicated_above_bytes: u64,
    /// Max bytes of its heaps, dedicated ones included.
    pub memory_bytes: u64,
    /// Stamp of the API call at that peak.
    pub at_stamp: u64,
    /// Heaps at the peak, without dedicated ones.
    pub heaps: u64,
    /// Dedicated heaps at the peak.
    pub dedicated: u64,
    /// Bytes of the dedicated heaps.
    pub dedicated_bytes: u64,
    /// Requested bytes of the resources at the peak.
    pub requested_bytes: u64,
    /// Allocated bytes of the resources at the peak.
    pub allocated_bytes: u64,
    /// Bytes of the heaps beyond the requested ones.
    pub waste_bytes: u64,
    /// Bytes of the heaps beyond the allocated ones, unused parts of slots included.
    pub free_bytes: u64,
    /// Heaps created in total, dedicated ones included.
    pub heaps_created: u64,
    /// Resources placed in total.
    pub allocations: u64,
}

/// Placement of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placed {
    /// A heap of a pool.
    In {
        /// The pool: adapter, type of heap, and true for heaps with MSAA alignment.
        pool: (AdapterId, HeapType, bool),
        /// Index of the heap in its pool.
        heap: u32,
        /// HeapOffset.
        offset_bytes: u64,
    },
    /// A dedicated heap.
    Dedicated,
}

#[derive(Debug, Clone, Copy, Default)]
struct PoolUsage {
    heaps: u64,
    dedicated: u64,
    dedicated_bytes: u64,
    requested_bytes: u64,
    allocated_bytes: u64,
}

impl PoolUsage {
    fn memory_bytes(&self, limits: Limits) -> u64 {
        self.heaps.saturating_mul(limits.block_bytes).saturating_add(self.dedicated_bytes)
    }
}

#[derive(Debug, Clone, Copy)]
enum At {
    Pool(Place),
    Dedicated,
}

impl PlacementOutcome {
    /// Places all resources by a policy; `placed` is called with each placement and the resource's index.
    pub fn new(
        requests: &Requests,
        policy: Policy,
        limits: Limits,
        mut placed: impl FnMut(usize, Placed),
    ) -> PlacementOutcome {
        let mut pools: BTreeMap<(AdapterId, HeapType, bool), Pool> = BTreeMap::new();
        let mut at: Vec<Option<At>> = vec![None; requests.resources.len()];
        let (mut usage, mut peak, mut at_stamp) = (PoolUsage::default(), PoolUsage::default(), 0);
        let (mut heaps_created, mut allocations) = (0, 0);
        for (moment, kind, number) in &requests.events {
            let request = &requests.resources[*number];
            let key = (request.adapter, request.heap_type, request.alignment_bytes > HEAP_ALIGNMENT_BYTES);
            let pool = pools.entry(key).or_insert_with(|| Pool::new(policy, limits));
            if *kind == RequestKind::Release {
                let freed = at[*number].take().map(|at| release(pool, at, request, &mut usage));
                usage.heaps -= u64::from(freed.unwrap_or_default());
                continue;
            }
            allocations += 1;
            let found = if is_dedicated(request, limits) {
                None
            } else {
                pool.place(request.size_bytes, request.alignment_bytes)
            };
            usage.requested_bytes += request.requested_bytes;
            usage.allocated_bytes += request.size_bytes;
            match found {
                Some((place, is_new)) => {
                    usage.heaps += u64::from(is_new);
                    heaps_created += u64::from(is_new);
                    at[*number] = Some(At::Pool(place));
                    placed(
                        *number,
                        Placed::In { pool: key, heap: place.spot.heap, offset_bytes: place.spot.offset_bytes },
                    );
                }
                None => {
                    usage.dedicated += 1;
                    usage.dedicated_bytes += round_up(request.size_bytes, PAGE_BYTES);
                    heaps_created += 1;
                    at[*number] = Some(At::Dedicated);
                    placed(*number, Placed::Dedicated);
                }
            }
            if usage.memory_bytes(limits) > peak.memory_bytes(limits) {
                (peak, at_stamp) = (usage, moment.stamp);
            }
        }
        outcome_at_peak(policy, limits, peak, ReplayCounts { at_stamp, heaps_created, allocations })
    }
}

/// Stamp of the peak, and counts over all requests.
struct ReplayCounts {
    at_stamp: u64,
    heaps_created: u64,
    allocations: u64,
}

fn outcome_at_peak(policy: Policy, limits: Limits, peak: PoolUsage, counts: ReplayCounts) -> PlacementOutcome {
    let ReplayCounts { at_stamp, heaps_created, allocations } = counts;
    let memory_bytes = peak.memory_bytes(limits);
    PlacementOutcome {
        policy: policy.name(),
        block_bytes: limits.block_bytes,
        dedicated_above_bytes: limits.dedicated_above_bytes,
        memory_bytes,
        at_stamp,
        heaps: peak.heaps,
        dedicated: peak.dedicated,
        dedicated_bytes: peak.dedicated_bytes,
        requested_bytes: peak.requested_bytes,
        allocated_bytes: peak.allocated_bytes,
        waste_bytes: memory_bytes.saturating_sub(peak.requested_bytes),
        free_bytes: memory_bytes.saturating_sub(peak.allocated_bytes),
        heaps_created,
        allocations,
    }
}

fn is_dedicated(request: &Request, limits: Limits) -> bool {
    request.size_bytes > limits.dedicated_above_bytes.min(limits.block_bytes)
}

/// Frees a resource's range; returns true if a heap is destroyed.
fn release(pool: &mut Pool, at: At, request: &Request, usage: &mut PoolUsage) -> bool {
    usage.requested_bytes -= request.requested_bytes;
    usage.allocated_bytes -= request.size_bytes;
    match at {
        At::Pool(place) => pool.release(place),
        At::Dedicated => {
            usage.dedicated -= 1;
            usage.dedicated_bytes -= round_up(request.size_bytes, PAGE_BYTES);
            false
        }
    }
}
