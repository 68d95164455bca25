//! What a policy comes to.

use super::policy::Policy;
use super::pool::{Limits, Place, Pool};
use super::request::{Request, RequestKind, Requests};
use crate::world::round_up;
use serde::Serialize;
use std::collections::BTreeMap;
use taut_schemas::{AdapterId, HeapType};

/// Alignments above this need a heap that has asked for it (D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT).
const HEAP_ALIGNMENT_BYTES: u64 = 64 << 10;
/// Heaps of one resource come in pages.
const PAGE_BYTES: u64 = 4 << 10;

/// What the heaps of a policy hold when they hold most.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlacingOutcome {
    /// The policy.
    pub policy: &'static str,
    /// Size of its heaps.
    pub block_bytes: u64,
    /// What is larger has a heap of its own.
    pub dedicated_above_bytes: u64,
    /// The most that its heaps hold, those of one resource among them.
    pub memory_bytes: u64,
    /// Stamp of the API call that reaches it.
    pub at_stamp: u64,
    /// Heaps then, but for those of one resource.
    pub heaps: u64,
    /// Heaps of one resource then.
    pub dedicated: u64,
    /// What these hold.
    pub dedicated_bytes: u64,
    /// What the resources ask for then.
    pub requested_bytes: u64,
    /// What they take, placed.
    pub taken_bytes: u64,
    /// What the heaps hold beyond what is asked for.
    pub waste_bytes: u64,
    /// What of that nothing lies in, or lies in slots beside what they were taken for.
    pub free_bytes: u64,
    /// Heaps ever created, those of one resource among them.
    pub heaps_created: u64,
    /// Resources placed.
    pub allocations: u64,
}

/// Where a resource was placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placed {
    /// In a heap of its pool.
    In {
        /// Its pool: adapter, type of heap, whether the heaps are aligned for MSAA.
        pool: (AdapterId, HeapType, bool),
        /// Number of the heap in its pool.
        heap: u32,
        /// HeapOffset.
        offset_bytes: u64,
    },
    /// In a heap of its own.
    Dedicated,
}

#[derive(Debug, Clone, Copy, Default)]
struct Held {
    heaps: u64,
    dedicated: u64,
    dedicated_bytes: u64,
    requested_bytes: u64,
    taken_bytes: u64,
}

impl Held {
    fn memory_bytes(&self, limits: Limits) -> u64 {
        self.heaps.saturating_mul(limits.block_bytes).saturating_add(self.dedicated_bytes)
    }
}

#[derive(Debug, Clone, Copy)]
enum At {
    Pool(Place),
    Dedicated,
}

impl PlacingOutcome {
    /// Places everything by a policy; each placement is told to `placed` by the resource's number.
    pub fn of(
        requests: &Requests,
        policy: Policy,
        limits: Limits,
        mut placed: impl FnMut(usize, Placed),
    ) -> PlacingOutcome {
        let mut pools: BTreeMap<(AdapterId, HeapType, bool), Pool> = BTreeMap::new();
        let mut at: Vec<Option<At>> = vec![None; requests.resources.len()];
        let (mut held, mut most, mut at_stamp) = (Held::default(), Held::default(), 0);
        let (mut heaps_created, mut allocations) = (0, 0);
        for (moment, kind, number) in &requests.events {
            let request = &requests.resources[*number];
            let key = (request.adapter, request.heap_type, request.alignment_bytes > HEAP_ALIGNMENT_BYTES);
            let pool = pools.entry(key).or_insert_with(|| Pool::new(policy, limits));
            if *kind == RequestKind::Release {
                let freed = at[*number].take().map(|at| release(pool, at, request, &mut held));
                held.heaps -= u64::from(freed.unwrap_or_default());
                continue;
            }
            allocations += 1;
            let found = if is_dedicated(request, limits) {
                None
            } else {
                pool.place(request.size_bytes, request.alignment_bytes)
            };
            held.requested_bytes += request.requested_bytes;
            held.taken_bytes += request.size_bytes;
            match found {
                Some((place, is_new)) => {
                    held.heaps += u64::from(is_new);
                    heaps_created += u64::from(is_new);
                    at[*number] = Some(At::Pool(place));
                    placed(
                        *number,
                        Placed::In { pool: key, heap: place.spot.heap, offset_bytes: place.spot.offset_bytes },
                    );
                }
                None => {
                    held.dedicated += 1;
                    held.dedicated_bytes += round_up(request.size_bytes, PAGE_BYTES);
                    heaps_created += 1;
                    at[*number] = Some(At::Dedicated);
                    placed(*number, Placed::Dedicated);
                }
            }
            if held.memory_bytes(limits) > most.memory_bytes(limits) {
                (most, at_stamp) = (held, moment.stamp);
            }
        }
        told(policy, limits, most, (at_stamp, heaps_created, allocations))
    }
}

fn told(
    policy: Policy,
    limits: Limits,
    most: Held,
    (at_stamp, heaps_created, allocations): (u64, u64, u64),
) -> PlacingOutcome {
    let memory_bytes = most.memory_bytes(limits);
    PlacingOutcome {
        policy: policy.name(),
        block_bytes: limits.block_bytes,
        dedicated_above_bytes: limits.dedicated_above_bytes,
        memory_bytes,
        at_stamp,
        heaps: most.heaps,
        dedicated: most.dedicated,
        dedicated_bytes: most.dedicated_bytes,
        requested_bytes: most.requested_bytes,
        taken_bytes: most.taken_bytes,
        waste_bytes: memory_bytes.saturating_sub(most.requested_bytes),
        free_bytes: memory_bytes.saturating_sub(most.taken_bytes),
        heaps_created,
        allocations,
    }
}

fn is_dedicated(request: &Request, limits: Limits) -> bool {
    request.size_bytes > limits.dedicated_above_bytes.min(limits.block_bytes)
}

/// Makes a resource's room free; gives whether a heap is gone by that.
fn release(pool: &mut Pool, at: At, request: &Request, held: &mut Held) -> bool {
    held.requested_bytes -= request.requested_bytes;
    held.taken_bytes -= request.size_bytes;
    match at {
        At::Pool(place) => pool.release(place),
        At::Dedicated => {
            held.dedicated -= 1;
            held.dedicated_bytes -= round_up(request.size_bytes, PAGE_BYTES);
            false
        }
    }
}
