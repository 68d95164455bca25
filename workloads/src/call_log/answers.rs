//! Comparison of the driver's answers with the logged answers.

use serde::Serialize;
use taut_schemas::AllocationInfo;

/// Maximum number of differences stored; the others are only counted.
const MAX_DIFFERENCES: usize = 16;

/// Answer that differs from the logged one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Sequence number of the line.
    pub seq: u64,
    /// Logged answer.
    pub logged: AllocationInfo,
    /// Answer of the driver in use.
    pub live: AllocationInfo,
}

/// Comparison of answers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Answers equal to the logged answers.
    pub equal: u64,
    /// Answers that differ.
    pub different: u64,
    /// The first differences, at most 16.
    pub first: Vec<Difference>,
}

impl Comparison {
    /// Counts an answer; `equal` may be false for equal values if other parts of the answer differ.
    pub(super) fn add(&mut self, seq: u64, logged: AllocationInfo, live: AllocationInfo, equal: bool) {
        if equal {
            self.equal += 1;
            return;
        }
        self.different += 1;
        if self.first.len() < MAX_DIFFERENCES {
            self.first.push(Difference { seq, logged, live });
        }
    }
}
