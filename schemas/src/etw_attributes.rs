//! Attributes that an event has in Windows.

use serde::{Deserialize, Serialize};

/// EVENT_DESCRIPTOR of an imported event. A classic or kernel event has no id of its own: its opcode or hook identifies
/// it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EtwAttributes {
    pub id: u16,
    pub version: u8,
    pub task: u16,
    pub opcode: u8,
    pub channel: u8,
    /// Level, if [`Level`](crate::Level) has no name for the number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
}
