//! What becomes of what was recorded when there is more of it than there is to be.

/// What becomes of what was recorded when there is more of it than there is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// All is kept; the recording ends.
    #[default]
    Sequential,
    /// The last is kept. It outlives the end of the process, not that of the machine.
    Ring,
    /// The last is kept, and is brought to disk while the recording goes on.
    Circular,
}

impl Mode {
    /// Whether the oldest makes place for the newest.
    pub fn keeps_the_last(self) -> bool {
        self != Mode::Sequential
    }
}
