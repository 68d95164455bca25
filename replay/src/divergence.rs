//! Difference between a recorded event and the replayed one.

use serde::Serialize;
use serde_json::Value;

/// One difference: its position, field, and both values.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Divergence {
    /// Stamp of the recorded event, in ticks.
    pub stamp: u64,
    pub thread: u32,
    /// Position of the API call among all API calls, from 0.
    pub call_index: u64,
    pub call: String,
    /// Event within the call that differs (a DDI call, a mark, or the call itself).
    pub event: String,
    /// Field that differs, or `event` where one side has an event that the other lacks.
    pub field: String,
    /// Recorded value; null where the recording has none.
    pub recorded: Value,
    /// Value of the replay; null where the replay has none.
    pub live: Value,
}

impl Divergence {
    /// Returns the command that shows the recorded events around this one.
    pub fn next_command(&self, file: &str) -> String {
        format!("taut dump {file} --around {} --thread {}", self.stamp, self.thread)
    }
}
