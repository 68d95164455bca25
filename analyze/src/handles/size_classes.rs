//! Size classes of the memory of deferred contexts' handles (rule H-26).

use std::collections::BTreeSet;

/// A size class: all sizes that take the same number of cache lines.
#[derive(Debug, Clone, Default)]
pub(crate) struct SizeClass {
    pub opened: u64,
    /// Handles opened in memory that another handle of the same context had before.
    pub recycled: u64,
    /// Requested bytes of all openings.
    pub requested_bytes: u64,
    /// Types of the handles.
    pub types: BTreeSet<u32>,
}
