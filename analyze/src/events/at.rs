//! Position of a record in the order of all threads.

/// Stamp and thread of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct At {
    /// Stamp in ticks.
    pub stamp: u64,
    pub thread: u32,
}
