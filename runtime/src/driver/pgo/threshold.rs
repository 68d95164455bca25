//! How much has to be known before the driver decides.

/// How much has to be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Threshold {
    /// What the profile asks for.
    Usual,
    /// The same, however little was executed.
    Intrusive,
    /// As if that had been reached (rule B-38).
    Committed,
}
