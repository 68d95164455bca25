//! Summary of a trace, computed without reading its blocks.

use crate::format::index::Index;
use serde::Serialize;
use std::collections::BTreeMap;
use taut_schemas::EventCode;

/// Counts, losses and time span of a trace.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Summary {
    /// Format version of the file.
    pub version: u16,
    /// True if the file ends as a finished trace does; independent of its blocks.
    pub complete: bool,
    /// True if the recording ended before its workload did: on request, or by recovery. The trace is valid all the
    /// same.
    pub interrupted: bool,
    /// Size of the file, in bytes.
    pub file_bytes: u64,
    /// Number of records in the blocks.
    pub events: u64,
    /// Number of events that the recorder counted as lost.
    pub lost_events: u64,
    /// Min stamp, in ticks of the header's clock; `None` without records.
    pub first_stamp: Option<u64>,
    /// Max stamp, in ticks.
    pub last_stamp: Option<u64>,
    /// Threads in order of their numbers.
    pub threads: Vec<ThreadSummary>,
    /// Number of records of each code.
    pub codes: Vec<(EventCode, u64)>,
}

/// Counts of one thread.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ThreadSummary {
    pub thread: u32,
    /// Number of records.
    pub events: u64,
    /// Number of events that the recorder counted as lost.
    pub lost_events: u64,
    pub blocks: u64,
}

impl Summary {
    pub(crate) fn new(index: &Index, version: u16, file_bytes: u64) -> Summary {
        let mut threads = BTreeMap::<u32, ThreadSummary>::new();
        for block in &index.blocks {
            let thread = threads.entry(block.thread).or_default();
            thread.thread = block.thread;
            thread.events += u64::from(block.records);
            thread.lost_events = thread.lost_events.saturating_add(block.lost_before);
            thread.blocks += 1;
        }
        let stamped = || index.blocks.iter().filter(|block| block.records > 0);
        Summary {
            version,
            complete: index.complete,
            interrupted: index.interrupted,
            file_bytes,
            events: index.blocks.iter().map(|block| u64::from(block.records)).sum(),
            lost_events: index.blocks.iter().fold(0, |sum, block| sum.saturating_add(block.lost_before)),
            first_stamp: stamped().map(|block| block.min_stamp).min(),
            last_stamp: stamped().map(|block| block.max_stamp).max(),
            threads: threads.into_values().collect(),
            codes: index.codes().collect(),
        }
    }
}
