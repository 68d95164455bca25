//! Headings of options in the help.

/// Options that select driver and rules.
pub const CONDITIONS: &str = "Driver and rules";

/// Parameters of the workload.
pub const WORKLOAD: &str = "Workload";

/// Options about buffers, limits and disk of a recording.
pub const RECORDING: &str = "Recording";

/// Options that change the conditions of a replay.
pub const WHAT_IF: &str = "What-if";

/// Limits that figures are checked against.
pub const LIMITS: &str = "Limits";

/// Assumptions and definitions of single reports.
pub const REPORT_SETTINGS: &str = "Report settings";
