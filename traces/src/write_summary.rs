//! What was written.

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WriteSummary {
    /// Events in the trace.
    pub events: u64,
    /// Events that were recorded but are not in it.
    pub lost_events: u64,
    /// Size of the trace, in bytes.
    pub bytes: u64,
}
