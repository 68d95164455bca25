//! Metadata of a recording in transit to the block writer.

use crate::format::clock_reading::ClockReading;
use crate::format::gap::Gap;
use crate::format::stream_info::StreamInfo;

/// Max size of a note's text, in bytes.
const NOTE_BYTES: usize = 1024;

/// The only topic of notes: buffers do not survive the process.
pub(crate) const NOT_PERSISTENT: u32 = 1;

/// One item of a recording's metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MetadataRecord {
    Clock(ClockReading),
    /// Thread of a stream.
    Stream(StreamInfo),
    /// Lost events.
    Gap(Gap),
    /// Cause for which buffers do not survive the process from now on.
    NotPersistent(String),
}

/// Text of a note, truncated to the size limit.
pub(crate) fn note(text: &str) -> &[u8] {
    &text.as_bytes()[..text.floor_char_boundary(NOTE_BYTES)]
}
