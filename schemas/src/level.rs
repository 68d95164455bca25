//! Severity of an event: ETW's levels.

use serde::{Deserialize, Serialize};

/// ETW's levels (`TRACE_LEVEL_…`): a recording at one level includes those of lower values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The program cannot continue (`TRACE_LEVEL_CRITICAL`, 1).
    Critical = 1,
    /// A failure (2).
    Error = 2,
    /// An abnormal condition that is not a failure (3).
    Warning = 3,
    /// Details (5).
    Verbose = 5,
    /// Normal operation (4); the default level of events.
    #[default]
    #[serde(other)]
    Info = 4,
}

impl Level {
    /// True for the default level.
    pub(crate) fn is_default(&self) -> bool {
        *self == Level::default()
    }
}
