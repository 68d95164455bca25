//! Recording modes: policies for a recording that reaches its maximum size.

/// Policy for a recording that reaches its maximum size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// All events are preserved; the recording ends.
    #[default]
    Sequential,
    /// The last events are preserved. They survive the end of the process, but not of the machine.
    Ring,
    /// The last events are preserved and synced to disk during the recording.
    Circular,
}

impl Mode {
    /// True if the oldest events are discarded in favour of the newest.
    pub fn discards_oldest(self) -> bool {
        self != Mode::Sequential
    }
}
