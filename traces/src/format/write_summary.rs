//! Totals of a written trace.

/// Totals of a written trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WriteSummary {
    /// Number of events in the trace.
    pub events: u64,
    /// Number of events that were recorded but are not in the trace.
    pub lost_events: u64,
    /// Size of the trace, in bytes.
    pub bytes: u64,
}
