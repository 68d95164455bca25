//! Checks of a plan's placements against the rules of the runtime.

use crate::call_log::{CallLog, LogCall, Place, Plan};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use taut_runtime::repack::DriverQuery;
use taut_schemas::{AllocationInfo, HeapId, ResourceId};

/// Live resources of a heap by their ranges.
#[derive(Default)]
struct Bytes {
    live: BTreeMap<(u64, ResourceId), u64>,
    longest: u64,
}

impl Bytes {
    fn insert(&mut self, resource: ResourceId, bytes: &Range<u64>) {
        self.live.insert((bytes.start, resource), bytes.end);
        self.longest = self.longest.max(bytes.end - bytes.start);
    }

    fn overlapping(&self, bytes: &Range<u64>) -> BTreeSet<ResourceId> {
        let first = (bytes.start.saturating_sub(self.longest), ResourceId(0));
        let near = self.live.range(first..(bytes.end, ResourceId(0)));
        near.filter(|(_, end)| **end > bytes.start).map(|((_, resource), _)| *resource).collect()
    }
}

#[derive(Default)]
struct Heap {
    size_bytes: u64,
    logged: Bytes,
    planned: Bytes,
}

/// Checks that every placement is aligned and inside its heap, shares memory with the same resources as in the log,
/// and, unless `may_share` (if a group could not be separated), with no others. Returns the number of pairs that share
/// memory.
pub(super) fn check(log: &CallLog, plan: &Plan, answer: &DriverQuery<'_>, may_share: bool) -> usize {
    let mut heaps: BTreeMap<HeapId, Heap> = BTreeMap::new();
    let mut live: BTreeMap<ResourceId, (HeapId, u64, u64)> = BTreeMap::new();
    let mut sharing = 0;
    for line in &log.lines {
        match &line.call {
            LogCall::CreateHeap(creation) => {
                let size_bytes = plan.heap(creation.heap, &creation.desc).size_bytes;
                assert!(size_bytes >= creation.desc.size_bytes);
                heaps.insert(creation.heap.unwrap(), Heap { size_bytes, ..Heap::default() });
            }
            LogCall::CreateResource(creation) => {
                let Place::Placed { heap: id, offset_bytes } = creation.place else { continue };
                let (resource, heap) = (creation.resource.unwrap(), heaps.get_mut(&id).unwrap());
                let AllocationInfo { size_bytes, alignment_bytes } =
                    answer(&plan.desc(&creation.desc), &creation.castable_formats);
                let offset = plan.offset_bytes(creation.resource, offset_bytes);
                assert_eq!(offset % alignment_bytes, 0, "seq {}", line.seq);
                assert!(offset + size_bytes <= heap.size_bytes, "seq {}: {offset} + {size_bytes}", line.seq);
                let logged = offset_bytes..offset_bytes + creation.info.unwrap().size_bytes;
                let planned = offset..offset + size_bytes;
                let (before, now) = (heap.logged.overlapping(&logged), heap.planned.overlapping(&planned));
                assert!(before.is_subset(&now), "seq {}: shares with {now:?}, in the log with {before:?}", line.seq);
                assert!(
                    may_share || now == before,
                    "seq {}: shares with {now:?}, in the log with {before:?}",
                    line.seq
                );
                sharing += now.len();
                heap.logged.insert(resource, &logged);
                heap.planned.insert(resource, &planned);
                live.insert(resource, (id, logged.start, planned.start));
            }
            LogCall::ReleaseResource { resource } => {
                if let Some((heap, logged, planned)) = live.remove(resource) {
                    let heap = heaps.get_mut(&heap).unwrap();
                    heap.logged.live.remove(&(logged, *resource));
                    heap.planned.live.remove(&(planned, *resource));
                }
            }
            _ => {}
        }
    }
    sharing
}
