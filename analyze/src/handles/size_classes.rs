//! The sizes in which the memory of deferred contexts' handles is given out (rule H-26).

use std::collections::BTreeSet;

/// One size class: all sizes that take as many lines.
#[derive(Debug, Clone, Default)]
pub(crate) struct SizeClass {
    /// Handles opened.
    pub opened: u64,
    /// Of those, in memory that was another's of the same context before.
    pub recycled: u64,
    /// Bytes that were asked for, all openings together.
    pub asked_bytes: u64,
    /// Types of the handles.
    pub types: BTreeSet<u32>,
}
