//! Positions of a workload's calls in the file that the workload follows.

use super::input_head::InputHead;
use serde_json::Value;
use taut_schemas::grouped;
use taut_traces::Trace;

/// Format whose positions are numbers of events, as the header names it.
const FORMAT_OF_EVENTS: &str = "GPGMM";

/// Numbers by which users find a call in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilePositions {
    /// Name of the numbered part.
    pub unit: &'static str,
    /// Number of the part with position 0.
    first: u64,
}

impl FilePositions {
    /// Positions in the file that a trace was recorded from: lines after a header, or events from the first one.
    pub fn new(trace: &Trace) -> FilePositions {
        let format = InputHead::new(trace).workload().parameters.get("format");
        match format.and_then(Value::as_str) {
            Some(FORMAT_OF_EVENTS) => FilePositions { unit: "event", first: 1 },
            _ => FilePositions { unit: "line", first: 2 },
        }
    }

    /// Number of a call in the file.
    pub fn number(self, seq: u64) -> u64 {
        seq.saturating_add(self.first)
    }

    /// Formats a position: `line 1,319`.
    pub fn text(self, seq: u64) -> String {
        self.numbered(self.number(seq))
    }

    /// Formats a number of the file.
    pub fn numbered(self, number: u64) -> String {
        format!("{} {}", self.unit, grouped(number))
    }
}
