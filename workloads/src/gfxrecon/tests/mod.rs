//! Captures: the sample, its variations in form, wrong rows, and the comparison of outcomes.

mod differences;
mod forms;
mod hostile;
mod sample;

use super::{CaptureReader, CaptureSummary, run};
use crate::bundled::memory_session::{Event, MemorySession};
use crate::call_log::LogError;
use std::io::Cursor;

/// Rows made from the log of D3D12MemoryAllocator and by hand; testdata/README.md has its origin.
pub(super) const SAMPLE: &str = include_str!("../../../../testdata/gfxrecon/sample.jsonl");

/// Opens a text.
pub(super) fn open(text: impl Into<Vec<u8>>) -> Result<CaptureReader, LogError> {
    CaptureReader::new(Cursor::new(text.into()), "FILE".to_owned())
}

/// Plays a text under the reference driver; returns the summary and the events.
pub(super) fn played(text: impl Into<Vec<u8>>) -> (CaptureSummary, Vec<Event>) {
    let session = MemorySession::with_driver("reference");
    let summary = run(open(text).unwrap(), &session).unwrap();
    (summary, session.events())
}

/// Names of the events that are calls of the sample, without what the machine does.
pub(super) fn names(events: &[Event]) -> Vec<&'static str> {
    const MACHINE: [&str; 2] = ["CompleteQueueOperation", "LogPosition"];
    events.iter().map(|event| event.name).filter(|name| !MACHINE.contains(name)).collect()
}
