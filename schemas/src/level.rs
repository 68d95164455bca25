//! How much an event matters: ETW's levels.

use serde::{Deserialize, Serialize};

/// ETW's levels (`TRACE_LEVEL_…`): a recording of one has those above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Nothing goes on (`TRACE_LEVEL_CRITICAL`, 1).
    Critical = 1,
    /// Something failed (2).
    Error = 2,
    /// Something is not as it should be (3).
    Warning = 3,
    /// More than most want to know (5).
    Verbose = 5,
    /// What goes on (4); of events that say nothing else.
    #[default]
    #[serde(other)]
    Info = 4,
}

impl Level {
    /// Whether it is that of events that say nothing else.
    pub(crate) fn is_default(&self) -> bool {
        *self == Level::default()
    }
}
