//! Line reader for a text that may be compressed.

use super::error::{LineFault, LogError, Position};
use crate::gzip::{Decompressed, decompressed};
use std::io::{self, BufRead, Read};

/// Maximum line length in bytes, as a limit on memory; a call with a hundred thousand descriptions is shorter.
const MAX_LINE_BYTES: usize = 32 << 20;
/// U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Text, read line by line.
pub(super) struct Text {
    source: Box<dyn BufRead + Send>,
    gzip: bool,
    origin: String,
    /// Current line without its newline.
    line: Vec<u8>,
    line_number: u64,
    newline: bool,
}

impl Text {
    /// Creates the reader of `source`, which is decompressed if it begins like a gzip stream.
    pub(super) fn new(source: impl Read + Send + 'static, origin: String) -> Result<Text, LogError> {
        match decompressed(source) {
            Ok(Decompressed { source, is_gzip: gzip }) => {
                Ok(Text { source, gzip, origin, line: Vec::new(), line_number: 0, newline: true })
            }
            Err(source) => Err(LogError::Read { at: Position { origin, line: 1, column: 1 }, source }),
        }
    }

    /// Line read last, without its newline.
    pub(super) fn line(&self) -> &[u8] {
        &self.line
    }

    /// Reads the next line; returns `false` at the end of the text.
    pub(super) fn next_line(&mut self) -> Result<bool, LogError> {
        let had_newline = self.newline;
        if had_newline {
            self.line.clear();
            self.line_number += 1;
        }
        // One byte more than allowed, to distinguish a line of maximum length from a longer one.
        let limit = MAX_LINE_BYTES as u64 + 1;
        match self.source.by_ref().take(limit).read_until(b'\n', &mut self.line) {
            Err(source) => Err(self.broken(source)),
            Ok(_) if !had_newline => Err(self.fault_at_end("a newline", "the file's end")),
            Ok(0) => Ok(false),
            Ok(_) => {
                self.newline = self.line.pop_if(|last| *last == b'\n').is_some();
                // Some editors write a byte order mark at the start of a file.
                if self.line_number == 1 && self.line.starts_with(BYTE_ORDER_MARK) {
                    self.line.drain(..BYTE_ORDER_MARK.len());
                }
                if self.line.len() > MAX_LINE_BYTES {
                    let expected = format!("a line of at most {MAX_LINE_BYTES} bytes");
                    return Err(self.fault_at_end(&expected, "a longer one"));
                }
                Ok(true)
            }
        }
    }

    /// Creates the error for a fault in the line read last.
    pub(super) fn fault(&self, fault: LineFault) -> LogError {
        fault.at(&self.origin, self.line_number, &self.line)
    }

    fn end(&self) -> Position {
        let column = self.line.len() as u64 + 1;
        Position { origin: self.origin.clone(), line: self.line_number, column }
    }

    fn fault_at_end(&self, expected: &str, found: &str) -> LogError {
        LogError::Unexpected { at: self.end(), expected: expected.to_owned(), found: found.to_owned() }
    }

    fn broken(&self, source: io::Error) -> LogError {
        let at = self.end();
        match source.kind() {
            io::ErrorKind::UnexpectedEof if self.gzip => LogError::Gzip { at, damage: "cut short", source },
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData if self.gzip => {
                LogError::Gzip { at, damage: "damaged", source }
            }
            _ => LogError::Read { at, source },
        }
    }
}
