//! Running sums over live objects. Sums have 128 bits, because sizes come from a file and may have any value.

use super::World;
use super::change::ChangeKind;
use super::resource::{Backing, Resource};

/// A number of objects and their bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Number of objects.
    pub count: u64,
    /// Sum of their bytes.
    pub bytes: u128,
}

impl Tally {
    /// Adds an object.
    pub fn add(&mut self, bytes: u64) {
        self.count += 1;
        self.bytes += u128::from(bytes);
    }

    /// Removes an object.
    pub fn remove(&mut self, bytes: u64) {
        self.count -= 1;
        self.bytes -= u128::from(bytes);
    }

    /// Adds two tallies.
    pub fn plus(self, other: Tally) -> Tally {
        Tally { count: self.count + other.count, bytes: self.bytes + other.bytes }
    }
}

/// Sums over resources of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ResourceSums {
    /// Placed resources and their SizeInBytes.
    pub placed: Tally,
    /// Committed resources and their SizeInBytes.
    pub committed: Tally,
    /// Sum of [`Resource::requested_bytes`].
    pub requested_bytes: u128,
    /// Sum of [`Resource::padded_64k_bytes`].
    pub padded_64k_bytes: u128,
    /// Sum of [`Resource::granularity_bytes`].
    pub granularity_bytes: i128,
    /// Sum of [`Resource::guaranteed_saving_bytes`].
    pub guaranteed_saving_bytes: u128,
}

impl ResourceSums {
    /// Sum over placed and committed resources: number and SizeInBytes.
    pub fn allocated(&self) -> Tally {
        self.placed.plus(self.committed)
    }

    /// Allocated bytes: SizeInBytes of placed resources, implicit heaps of committed ones.
    pub fn in_use_bytes(&self) -> u128 {
        u128::try_from(self.allocated().bytes as i128 + self.granularity_bytes).unwrap_or_default()
    }

    /// Difference of allocations and payloads.
    pub fn rounding_bytes(&self) -> i128 {
        self.allocated().bytes as i128 - self.requested_bytes as i128
    }

    /// Adds two sums.
    pub fn plus(self, other: ResourceSums) -> ResourceSums {
        ResourceSums {
            placed: self.placed.plus(other.placed),
            committed: self.committed.plus(other.committed),
            requested_bytes: self.requested_bytes + other.requested_bytes,
            padded_64k_bytes: self.padded_64k_bytes + other.padded_64k_bytes,
            granularity_bytes: self.granularity_bytes + other.granularity_bytes,
            guaranteed_saving_bytes: self.guaranteed_saving_bytes + other.guaranteed_saving_bytes,
        }
    }

    /// The tally of a resource, and its SizeInBytes; `None` for one without memory or known size.
    fn tally(&mut self, resource: &Resource) -> Option<(&mut Tally, u64)> {
        let size_bytes = resource.allocation?.size_bytes;
        match resource.backing {
            Backing::Placed { .. } => Some((&mut self.placed, size_bytes)),
            Backing::Committed { .. } => Some((&mut self.committed, size_bytes)),
            Backing::Reserved | Backing::Unknown => None,
        }
    }

    /// Adds a resource.
    pub fn create(&mut self, resource: &Resource) {
        let Some((tally, size_bytes)) = self.tally(resource) else { return };
        tally.add(size_bytes);
        self.requested_bytes += u128::from(resource.requested_bytes);
        self.padded_64k_bytes += u128::from(resource.padded_64k_bytes());
        self.granularity_bytes += resource.granularity_bytes();
        self.guaranteed_saving_bytes += u128::from(resource.guaranteed_saving_bytes());
    }

    fn release(&mut self, resource: &Resource) {
        let Some((tally, size_bytes)) = self.tally(resource) else { return };
        tally.remove(size_bytes);
        self.requested_bytes -= u128::from(resource.requested_bytes);
        self.padded_64k_bytes -= u128::from(resource.padded_64k_bytes());
        self.granularity_bytes -= resource.granularity_bytes();
        self.guaranteed_saving_bytes -= u128::from(resource.guaranteed_saving_bytes());
    }
}

/// Sums over all objects that live at a moment. Reserved resources have no memory and are not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Live {
    /// Buffers.
    pub buffers: ResourceSums,
    /// Textures.
    pub textures: ResourceSums,
    /// Heaps and their sizes.
    pub heaps: Tally,
}

impl Live {
    /// Sum over buffers and textures.
    pub fn resources(&self) -> ResourceSums {
        self.buffers.plus(self.textures)
    }

    /// Bytes of all heaps, implicit ones included.
    pub fn real_bytes(&self) -> u128 {
        let committed = self.resources();
        let implicit = committed.committed.bytes as i128 + committed.granularity_bytes;
        self.heaps.bytes + u128::try_from(implicit).unwrap_or_default()
    }

    /// Applies a change.
    pub fn turn(&mut self, world: &World, change: ChangeKind) {
        match change {
            ChangeKind::HeapCreated(heap) => self.heaps.add(world.heap(heap).size_bytes),
            ChangeKind::HeapReleased(heap) => self.heaps.remove(world.heap(heap).size_bytes),
            ChangeKind::ResourceCreated(resource) => self.create(world.resource(resource)),
            ChangeKind::ResourceReleased(resource) => self.release(world.resource(resource)),
        }
    }

    /// Adds a resource.
    pub fn create(&mut self, resource: &Resource) {
        self.sort(resource).create(resource);
    }

    /// Removes a resource.
    pub fn release(&mut self, resource: &Resource) {
        self.sort(resource).release(resource);
    }

    fn sort(&mut self, resource: &Resource) -> &mut ResourceSums {
        if resource.is_buffer() { &mut self.buffers } else { &mut self.textures }
    }
}
