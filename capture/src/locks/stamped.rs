//! Values that locks guard, and their place in memory.

/// Value in cache lines of its own. The alignment is two lines, because processors prefetch lines in pairs; writes of
/// one thread then never evict another's line.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Padded<T>(pub(super) T);

/// Guarded value with the last stamp given under its lock and the number of waiting threads.
#[derive(Default)]
pub(super) struct Stamped<T> {
    pub(super) last_stamp: u64,
    pub(super) value: T,
    /// Number of waiting threads per [`Waiter`].
    pub(super) waiting: [u32; 4],
    /// True once the session ends, which ends all waits.
    pub(super) closing: bool,
}

impl<T> Stamped<T> {
    pub(super) fn new(value: T) -> Stamped<T> {
        Stamped { last_stamp: 0, value, waiting: [0; 4], closing: false }
    }
}
