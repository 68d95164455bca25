//! A difference between what was recorded and what replay found.

use serde::Serialize;
use serde_json::Value;

/// One difference: where, in which field, and both values.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Divergence {
    /// Stamp of the recorded event, in ticks.
    pub stamp: u64,
    /// Thread of the recorded event.
    pub thread: u32,
    /// Position of the API call among all API calls, from 0.
    pub call_index: u64,
    /// Name of the API call.
    pub call: String,
    /// The event within the call that differs (a DDI call, a mark, or the call itself).
    pub event: String,
    /// The field, or `event` where one side has an event that the other has not.
    pub field: String,
    /// What was recorded; null where nothing was.
    pub recorded: Value,
    /// What replay found; null where nothing was.
    pub live: Value,
}

impl Divergence {
    /// The command that shows the recorded events around this one.
    pub fn next_command(&self, file: &str) -> String {
        format!("taut dump {file} --around {} --thread {}", self.stamp, self.thread)
    }
}
