//! What a trace holds, without reading its blocks.

use crate::index::Index;
use serde::Serialize;
use std::collections::BTreeMap;
use taut_schemas::EventCode;

/// Counts, losses and time span of a trace.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Summary {
    /// Format version of the file.
    pub version: u16,
    /// The file ends as a finished trace does. Says nothing of its blocks.
    pub complete: bool,
    /// The recording ended before its workload did: it was told to, or was recovered. A whole trace like any other.
    pub interrupted: bool,
    /// Size of the file, in bytes.
    pub file_bytes: u64,
    /// Records in the blocks.
    pub events: u64,
    /// Events that the recorder counted but could not keep.
    pub lost_events: u64,
    /// Least stamp, in ticks of the header's clock; `None` without records.
    pub first_stamp: Option<u64>,
    /// Greatest stamp, in ticks.
    pub last_stamp: Option<u64>,
    /// Per thread, in order of their numbers.
    pub threads: Vec<ThreadSummary>,
    /// How often each code occurs.
    pub codes: Vec<(EventCode, u64)>,
}

/// Counts of one thread.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ThreadSummary {
    /// Number of the thread.
    pub thread: u32,
    /// Its records.
    pub events: u64,
    /// Its events that the recorder could not keep.
    pub lost_events: u64,
    /// Its blocks.
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
            first_stamp: stamped().map(|block| block.least_stamp).min(),
            last_stamp: stamped().map(|block| block.greatest_stamp).max(),
            threads: threads.into_values().collect(),
            codes: index.codes().collect(),
        }
    }
}
