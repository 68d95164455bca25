//! What the driver at hand says about the log's descriptions, compared with what the log says.

use serde::Serialize;
use taut_schemas::AllocationInfo;

/// Differences that are kept; the others are only counted.
const KEPT: usize = 16;

/// One answer that is not the log's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The log's line.
    pub seq: u64,
    /// What the log says.
    pub logged: AllocationInfo,
    /// What the driver at hand says.
    pub live: AllocationInfo,
}

/// Answers compared with the log's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Answers that are the log's.
    pub equal: u64,
    /// Answers that are not.
    pub different: u64,
    /// The first of those that are not.
    pub first: Vec<Difference>,
}

impl Comparison {
    /// Counts an answer; `equal` may know of more than the two values say.
    pub(super) fn add(&mut self, seq: u64, logged: AllocationInfo, live: AllocationInfo, equal: bool) {
        if equal {
            self.equal += 1;
            return;
        }
        self.different += 1;
        if self.first.len() < KEPT {
            self.first.push(Difference { seq, logged, live });
        }
    }
}
