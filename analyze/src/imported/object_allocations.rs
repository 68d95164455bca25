//! Kernel allocations of heaps and resources, from the event AllocationInfo of Direct3D 12.

use std::collections::{HashMap, HashSet};
use taut_schemas::windows::ObjectAllocations;

/// Sums over the objects that have an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ObjectAllocationSums {
    pub objects: u64,
    pub address_ranges: u64,
    pub kernel_allocations: u64,
    /// Objects without a creation or a rundown in the trace: their bytes are in no sum.
    pub without_creation: u64,
}

/// A process, and a pointer in it. Direct3D 12 reuses pointers.
type Key = (u32, u64);

/// Objects that exist.
#[derive(Debug, Default)]
pub struct ObjectAllocationTracker {
    created: HashSet<Key>,
    /// Address ranges and kernel allocations of an object's last event, which may come before the object's creation.
    last: HashMap<Key, (u64, u64)>,
    sums: ObjectAllocationSums,
}

impl ObjectAllocationTracker {
    pub fn create(&mut self, process: u32, pointer: Option<u64>) {
        self.created.extend(pointer.map(|pointer| (process, pointer)));
    }

    pub fn allocations(&mut self, process: u32, event: &ObjectAllocations) {
        let Some(object) = event.object else { return };
        let counts = (event.address_ranges.unwrap_or_default(), event.kernel_allocations.unwrap_or_default());
        self.last.insert((process, object), counts);
    }

    pub fn destroy(&mut self, process: u32, pointer: Option<u64>) {
        let Some(key) = pointer.map(|pointer| (process, pointer)) else { return };
        if let Some(counts) = self.last.remove(&key) {
            self.add(key, counts);
        }
        self.created.remove(&key);
    }

    fn add(&mut self, key: Key, counts: (u64, u64)) {
        self.sums.objects += 1;
        self.sums.address_ranges = self.sums.address_ranges.saturating_add(counts.0);
        self.sums.kernel_allocations = self.sums.kernel_allocations.saturating_add(counts.1);
        self.sums.without_creation += u64::from(!self.created.contains(&key));
    }

    pub fn finish(mut self) -> ObjectAllocationSums {
        std::mem::take(&mut self.last).into_iter().for_each(|(key, counts)| self.add(key, counts));
        self.sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_event_of_an_object_counts_and_a_reused_pointer_is_another_object() {
        let mut tracker = ObjectAllocationTracker::default();
        let event = |object, ranges, allocations| ObjectAllocations {
            object: Some(object),
            address_ranges: Some(ranges),
            kernel_allocations: Some(allocations),
        };
        tracker.allocations(7, &event(1, 9, 9));
        tracker.create(7, Some(1));
        tracker.allocations(7, &event(1, 1, 2));
        tracker.destroy(7, Some(1));
        // Another object with the pointer, whose creation is not in the trace; and one of another process.
        tracker.allocations(7, &event(1, 10, 20));
        tracker.create(8, Some(1));
        tracker.allocations(8, &event(1, 100, 200));
        let expected =
            ObjectAllocationSums { objects: 3, address_ranges: 111, kernel_allocations: 222, without_creation: 1 };
        assert_eq!(tracker.finish(), expected);
    }
}
