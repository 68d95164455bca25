//! Resources by what they ask for.

use super::figures::{narrow, narrow_signed};
use crate::world::{Resource, ResourceSums, World};
use serde::Serialize;

/// Resources of one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct SizeClass {
    /// How many.
    pub resources: u64,
    /// What they ask for.
    pub requested_bytes: u64,
    /// Their SizeInBytes.
    pub allocated_bytes: u64,
    /// The difference.
    pub rounding_bytes: i64,
    /// What the buffers among them would take at 64 KiB each.
    pub padded_64k_bytes: u64,
}

/// Resources by requested bytes; the classes are disjoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct SizeClasses {
    /// Below 256 bytes.
    pub below_256_b: SizeClass,
    /// From 256 bytes to below 4 KiB.
    pub below_4_kib: SizeClass,
    /// From 4 KiB to below 64 KiB.
    pub below_64_kib: SizeClass,
    /// 64 KiB and more.
    pub at_least_64_kib: SizeClass,
}

impl SizeClasses {
    /// The classes with the words for them.
    pub fn rows(&self) -> [(&'static str, SizeClass); 4] {
        [
            ("< 256 B", self.below_256_b),
            ("< 4 KiB", self.below_4_kib),
            ("< 64 KiB", self.below_64_kib),
            ("≥ 64 KiB", self.at_least_64_kib),
        ]
    }
}

/// Sums of the four classes while they are counted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ClassSums([ResourceSums; 4]);

impl ClassSums {
    /// Of all resources of a world, of its buffers and of its textures.
    pub fn of_all(world: &World) -> [ClassSums; 3] {
        let mut sums = [ClassSums::default(); 3];
        for resource in &world.resources {
            sums[0].add(resource);
            sums[if resource.is_buffer() { 1 } else { 2 }].add(resource);
        }
        sums
    }

    /// One more resource. Those without memory or of unknown size are in no class.
    pub fn add(&mut self, resource: &Resource) {
        let class = match resource.requested_bytes {
            0..0x100 => 0,
            0x100..0x1000 => 1,
            0x1000..0x1_0000 => 2,
            _ => 3,
        };
        self.0[class].create(resource);
    }
}

impl From<ClassSums> for SizeClasses {
    fn from(sums: ClassSums) -> Self {
        let [below_256_b, below_4_kib, below_64_kib, at_least_64_kib] = sums.0.map(|sums| {
            let allocated = sums.allocated();
            SizeClass {
                resources: allocated.count,
                requested_bytes: narrow(sums.requested_bytes),
                allocated_bytes: narrow(allocated.bytes),
                rounding_bytes: narrow_signed(sums.rounding_bytes()),
                padded_64k_bytes: narrow(sums.padded_64k_bytes),
            }
        });
        SizeClasses { below_256_b, below_4_kib, below_64_kib, at_least_64_kib }
    }
}
