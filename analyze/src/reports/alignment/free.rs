//! The cost of packing tightly: what is left between resources, and whether anything fits into it.

use crate::world::{FreeClass, FreeRanges};
use serde::Serialize;

/// Free ranges of heaps: padding, holes and tails alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FreeFigures {
    /// How many.
    pub fragments: u64,
    /// Their bytes together.
    pub free_bytes: u64,
    /// The largest.
    pub largest_free_range_bytes: u64,
    /// By size.
    pub free_ranges: FreeHistogram,
}

/// Free ranges by size; the classes are disjoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FreeHistogram {
    /// Below 256 bytes.
    pub below_256_b: FreeClass,
    /// Below 4 KiB.
    pub below_4_kib: FreeClass,
    /// Below 64 KiB.
    pub below_64_kib: FreeClass,
    /// Below 1 MiB.
    pub below_1_mib: FreeClass,
    /// Below 16 MiB.
    pub below_16_mib: FreeClass,
    /// 16 MiB and more.
    pub at_least_16_mib: FreeClass,
}

impl From<FreeRanges> for FreeFigures {
    fn from(free: FreeRanges) -> Self {
        let [below_256_b, below_4_kib, below_64_kib, below_1_mib, below_16_mib, at_least_16_mib] = free.classes;
        FreeFigures {
            fragments: free.fragments,
            free_bytes: free.bytes(),
            largest_free_range_bytes: free.largest_bytes,
            free_ranges: FreeHistogram {
                below_256_b,
                below_4_kib,
                below_64_kib,
                below_1_mib,
                below_16_mib,
                at_least_16_mib,
            },
        }
    }
}

impl FreeHistogram {
    /// The classes with the words for them.
    pub fn rows(&self) -> [(&'static str, FreeClass); 6] {
        [
            ("< 256 B", self.below_256_b),
            ("< 4 KiB", self.below_4_kib),
            ("< 64 KiB", self.below_64_kib),
            ("< 1 MiB", self.below_1_mib),
            ("< 16 MiB", self.below_16_mib),
            ("≥ 16 MiB", self.at_least_16_mib),
        ]
    }
}
