//! Checks of placements against invariants of every allocator.

use super::{Limits, Placed, PlacementOutcome, Policy, Request, RequestKind, Requests};
use crate::memory::{Moment, round_up};
use proptest::prelude::*;
use std::collections::BTreeSet;
use taut_schemas::{AdapterId, HeapType};

fn requests(steps: &[(u64, u32, u32, bool, usize)]) -> Requests {
    let (mut requests, mut live) = (Requests::default(), Vec::new());
    for (stamp, (size, log, heap_type, release, choice)) in (1..).zip(steps) {
        let moment = Moment { stamp, ..Default::default() };
        if *release && !live.is_empty() {
            let number = live.swap_remove(choice % live.len());
            requests.events.push((moment, RequestKind::Release, number));
            continue;
        }
        let alignment_bytes = 1_u64 << log;
        live.push(requests.resources.len());
        requests.events.push((moment, RequestKind::Create, requests.resources.len()));
        requests.resources.push(Request {
            requested_bytes: *size,
            size_bytes: round_up(*size, alignment_bytes),
            alignment_bytes,
            adapter: AdapterId::FIRST,
            heap_type: HeapType(*heap_type),
        });
    }
    requests
}

fn steps() -> impl Strategy<Value = Vec<(u64, u32, u32, bool, usize)>> {
    prop::collection::vec((1_u64..3000, 0_u32..9, 1_u32..3, any::<bool>(), any::<usize>()), 0..200)
}

/// Max memory of these heaps, from the placements. One empty heap of a pool is retained.
fn held_bytes(requests: &Requests, placed: &[Option<Placed>], limits: Limits) -> u64 {
    let (mut live, mut max, mut ever) = (BTreeSet::new(), 0, BTreeSet::new());
    for (_, kind, number) in &requests.events {
        match kind {
            RequestKind::Create => live.insert(*number),
            RequestKind::Release => live.remove(number),
        };
        let mut heaps = BTreeSet::new();
        let mut bytes = 0;
        for number in &live {
            match placed[*number].expect("placed") {
                Placed::In { pool, heap, .. } => {
                    ever.insert((pool, heap));
                    heaps.insert((pool, heap));
                }
                Placed::Dedicated => bytes += round_up(requests.resources[*number].size_bytes, 4096),
            }
        }
        max = max.max(bytes + heaps.len() as u64 * limits.block_bytes);
    }
    max
}

proptest! {
    #[test]
    fn placements_of_every_policy_are_aligned_and_do_not_overlap(
        steps in steps(),
        policy in prop::sample::select(Policy::ALL.to_vec()),
        block_bytes in prop::sample::select(vec![4096_u64, 10_000, 65_536]),
        dedicated_above_bytes in 500_u64..5000,
    ) {
        let requests = requests(&steps);
        let limits = Limits { block_bytes, dedicated_above_bytes };
        let mut placed: Vec<Option<Placed>> = vec![None; requests.resources.len()];
        let outcome = PlacementOutcome::new(&requests, policy, limits, |number, at| placed[number] = Some(at));
        let mut live: Vec<usize> = Vec::new();
        for (_, kind, number) in &requests.events {
            if *kind == RequestKind::Release {
                live.retain(|other| other != number);
                continue;
            }
            let one = requests.resources[*number];
            match placed[*number].expect("placed") {
                Placed::Dedicated => prop_assert!(one.size_bytes > dedicated_above_bytes.min(block_bytes)),
                Placed::In { pool, heap, offset_bytes } => {
                    let end_bytes = offset_bytes + one.size_bytes;
                    prop_assert_eq!(pool.1, one.heap_type);
                    prop_assert!(offset_bytes.is_multiple_of(one.alignment_bytes) && end_bytes <= block_bytes);
                    for other in &live {
                        let Some(Placed::In { pool: other_pool, heap: other_heap, offset_bytes: begin }) = placed[*other] else { continue };
                        let end = begin + requests.resources[*other].size_bytes;
                        let apart = (pool, heap) != (other_pool, other_heap) || end_bytes <= begin || end <= offset_bytes;
                        prop_assert!(apart, "{} and {}", number, other);
                    }
                }
            }
            live.push(*number);
        }
        let taken: u64 = live.iter().map(|number| requests.resources[*number].size_bytes).sum();
        prop_assert!(outcome.memory_bytes >= taken);
        prop_assert_eq!(outcome.memory_bytes, outcome.allocated_bytes + outcome.free_bytes);
        prop_assert_eq!(outcome.memory_bytes, outcome.requested_bytes + outcome.waste_bytes);
        prop_assert_eq!(outcome.allocations, requests.resources.len() as u64);
        // Besides heaps with contents, each pool has at most one heap.
        let held = held_bytes(&requests, &placed, limits);
        prop_assert!(held <= outcome.memory_bytes && outcome.memory_bytes <= held + 2 * block_bytes);
    }
}

fn small(policy: Policy, steps: &[(u64, u32, u32, bool, usize)]) -> Vec<(u32, u64)> {
    let requests = requests(steps);
    let mut places = Vec::new();
    let limits = Limits { block_bytes: 1024, dedicated_above_bytes: 1024 };
    PlacementOutcome::new(&requests, policy, limits, |_, at| {
        if let Placed::In { heap, offset_bytes, .. } = at {
            places.push((heap, offset_bytes));
        }
    });
    places
}

#[test]
fn policies_differ_in_the_hole_that_they_take() {
    // A hole of 512 at 0 and one of 128 at 768; then 100 bytes.
    let steps = [
        (512, 0, 1, false, 0),
        (256, 0, 1, false, 0),
        (128, 0, 1, false, 0),
        (128, 0, 1, false, 0),
        (0, 0, 0, true, 0),
        (0, 0, 0, true, 2),
        (100, 0, 1, false, 0),
    ];
    assert_eq!(small(Policy::FirstFit, &steps)[4], (0, 0));
    assert_eq!(small(Policy::BestFit, &steps)[4], (0, 768));
    assert_eq!(small(Policy::Tlsf, &steps)[4], (0, 768));
    // A slot of 112 bytes is the second of a slab of its own.
    assert_eq!(small(Policy::SizeClasses, &[(100, 0, 1, false, 0), (110, 0, 1, false, 0)]), [(0, 0), (0, 112)]);
}
