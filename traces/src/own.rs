//! What a recording says of itself, on its way to the block writer.

use crate::clock_reading::ClockReading;
use crate::gap::Gap;
use crate::stream_info::StreamInfo;

/// Longest text of a note, in bytes.
const NOTE_BYTES: usize = 1024;

/// What the only topic of notes is: buffers do not outlive the process.
pub(crate) const UNKEPT: u32 = 1;

/// What a recording says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Own {
    /// What time it is.
    Clock(ClockReading),
    /// Whose a stream is.
    Stream(StreamInfo),
    /// Events were lost.
    Gap(Gap),
    /// Why buffers do not outlive the process from now on.
    Unkept(String),
}

/// A note's text, as much as is kept of it.
pub(crate) fn note(text: &str) -> &[u8] {
    &text.as_bytes()[..text.floor_char_boundary(NOTE_BYTES)]
}
