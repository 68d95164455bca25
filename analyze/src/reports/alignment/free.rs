//! Fragmentation: free ranges between resources, by size.

use crate::memory::{FreeClass, FreeRanges};
use crate::reports::figures::{Parts, figures};

figures! {
    /// Free ranges of heaps: padding, holes and tails.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct FreeFigures {
        fragments: u64, Count, "Free ranges of heaps: paddings, holes and tails.", parts = Parts::heaps(|heap| heap.free.fragments.into());
        free_bytes: u64, Bytes, "Size of the free ranges.", parts = Parts::heaps(|heap| heap.free.bytes().into());
        largest_free_range_bytes: u64, Bytes, "Size of the largest free range: a larger resource needs a new heap.", parts = Parts::heaps(|heap| heap.free.largest_bytes.into());
        free_ranges: FreeHistogram, Group, "Free ranges by size, in disjoint classes.";
    }
}

figures! {
    /// Free ranges by size; the classes are disjoint.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct FreeHistogram {
        below_256_b: FreeClass, Group, "Below 256 bytes.", after texture_size_classes;
        below_4_kib: FreeClass, Group, "From 256 bytes to below 4 KiB.";
        below_64_kib: FreeClass, Group, "From 4 KiB to below 64 KiB.";
        below_1_mib: FreeClass, Group, "From 64 KiB to below 1 MiB.";
        below_16_mib: FreeClass, Group, "From 1 MiB to below 16 MiB.";
        min_16_mib: FreeClass, Group, "At least 16 MiB.", after min_64_kib;
    }
}

figures! {
    impl FreeClass {
        ranges: u64, Count, "Free ranges of the class.";
        bytes: u64, Bytes, "Size of the class's ranges.";
    }
}

impl From<FreeRanges> for FreeFigures {
    fn from(free: FreeRanges) -> Self {
        let [below_256_b, below_4_kib, below_64_kib, below_1_mib, below_16_mib, min_16_mib] = free.classes;
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
                min_16_mib,
            },
        }
    }
}

impl FreeHistogram {
    /// The classes with their display names.
    pub fn rows(&self) -> [(&'static str, FreeClass); 6] {
        [
            ("< 256 B", self.below_256_b),
            ("< 4 KiB", self.below_4_kib),
            ("< 64 KiB", self.below_64_kib),
            ("< 1 MiB", self.below_1_mib),
            ("< 16 MiB", self.below_16_mib),
            ("≥ 16 MiB", self.min_16_mib),
        ]
    }
}
