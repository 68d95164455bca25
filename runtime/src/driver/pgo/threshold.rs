//! Thresholds of the driver's decisions.

/// Required amount of measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Threshold {
    /// The profile's thresholds for samples and executed cost.
    Usual,
    /// The threshold for samples only.
    Intrusive,
    /// No threshold: whatever was observed counts (rule B-38).
    Committed,
}
