//! Source of the lines that are played: a log in memory, or a file that is read while it is played.

use super::line::LogLine;

/// Numbers by which a user finds a line in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbering {
    /// Name of what is counted.
    pub unit: &'static str,
    /// Number of the line with seq 0.
    pub first: u64,
}

impl Default for Numbering {
    /// Lines after a header.
    fn default() -> Numbering {
        Numbering { unit: "line", first: 2 }
    }
}

/// Lines in the order in which they are played.
pub(crate) trait LineSource: Send {
    /// Numbers of the lines in the file.
    fn numbering(&self) -> Numbering;

    /// Returns the thread of the next line; `None` at the end.
    fn next_thread(&mut self) -> Option<u32>;

    /// Passes the next line to `play`.
    fn play_next(&mut self, play: impl FnOnce(&LogLine));
}

/// Lines in memory.
pub(crate) struct StoredLines<'a> {
    lines: std::slice::Iter<'a, LogLine>,
    numbering: Numbering,
}

impl<'a> StoredLines<'a> {
    pub(crate) fn new(lines: &'a [LogLine], numbering: Numbering) -> StoredLines<'a> {
        StoredLines { lines: lines.iter(), numbering }
    }
}

impl LineSource for StoredLines<'_> {
    fn numbering(&self) -> Numbering {
        self.numbering
    }

    fn next_thread(&mut self) -> Option<u32> {
        self.lines.as_slice().first().map(|line| line.thread)
    }

    fn play_next(&mut self, play: impl FnOnce(&LogLine)) {
        if let Some(line) = self.lines.next() {
            play(line);
        }
    }
}
