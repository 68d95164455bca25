//! Playback of a capture while it is read.

use super::counts::CaptureCounts;
use super::reader::CaptureReader;
use crate::bundled::WorkloadError;
use crate::call_log::{MAX_THREADS, Plan, RunSummary, play};
use serde::Serialize;
use std::fmt;
use std::sync::atomic::AtomicU64;
use taut_capture::Callers;

/// Summary of playing a capture.
#[derive(Debug, Default, Serialize)]
pub struct CaptureSummary {
    /// Calls that were made, and their outcomes.
    #[serde(skip)]
    pub log: RunSummary,
    #[serde(flatten)]
    pub counts: CaptureCounts,
}

/// Plays a capture: its calls on its threads in the order of its rows, unchanged under any driver.
///
/// # Errors
/// The device or a thread cannot be created. Calls that fail otherwise are in the summary.
pub fn run<C: Callers>(reader: CaptureReader, callers: &C) -> Result<CaptureSummary, WorkloadError> {
    let (log, reader) = play(reader, MAX_THREADS, &Plan::default(), callers, &AtomicU64::new(0))?;
    Ok(CaptureSummary { log, counts: reader.into_counts() })
}

impl fmt::Display for CaptureSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", self.counts, self.log)
    }
}
