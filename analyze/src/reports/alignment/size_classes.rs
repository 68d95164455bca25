//! Resources by requested size.

use super::figures::{narrow, narrow_signed};
use crate::memory::{Resource, ResourceSums, World};
use crate::reports::figures::figures;

figures! {
    /// Sums over the resources of one size class.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub struct SizeClass {
        resources: u64, Count, same;
        requested_bytes: u64, Bytes, same;
        allocated_bytes: u64, Bytes, same;
        rounding_bytes: i64, Bytes, same;
        padded_64k_bytes: u64, Bytes, same;
    }
}

figures! {
    /// Resources by requested bytes; the classes are disjoint.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub struct SizeClasses {
        below_256_b: SizeClass, Group, same;
        below_4_kib: SizeClass, Group, same;
        below_64_kib: SizeClass, Group, same;
        min_64_kib: SizeClass, Group, "At least 64 KiB.";
    }
}

impl SizeClasses {
    /// The classes with their display names.
    pub fn rows(&self) -> [(&'static str, SizeClass); 4] {
        [
            ("< 256 B", self.below_256_b),
            ("< 4 KiB", self.below_4_kib),
            ("< 64 KiB", self.below_64_kib),
            ("≥ 64 KiB", self.min_64_kib),
        ]
    }
}

/// Accumulates the sums of the four classes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ClassSums([ResourceSums; 4]);

impl ClassSums {
    /// Sums over all resources of a world, over its buffers and over its textures.
    pub fn of_all(world: &World) -> [ClassSums; 3] {
        let mut sums = [ClassSums::default(); 3];
        for resource in &world.resources {
            sums[0].add(resource);
            sums[if resource.is_buffer() { 1 } else { 2 }].add(resource);
        }
        sums
    }

    /// Adds a resource. Resources without memory or with an unknown size are ignored.
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
        let [below_256_b, below_4_kib, below_64_kib, min_64_kib] = sums.0.map(|sums| {
            let allocated = sums.allocated();
            SizeClass {
                resources: allocated.count,
                requested_bytes: narrow(sums.requested_bytes),
                allocated_bytes: narrow(allocated.bytes),
                rounding_bytes: narrow_signed(sums.rounding_bytes()),
                padded_64k_bytes: narrow(sums.padded_64k_bytes),
            }
        });
        SizeClasses { below_256_b, below_4_kib, below_64_kib, min_64_kib }
    }
}
