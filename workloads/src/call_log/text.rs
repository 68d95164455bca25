//! Line reader for a text that may be compressed.

use super::error::{LineFault, LogError, Position};
use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, BufReader, Cursor, Read};

/// Maximum line length in bytes, as a limit on memory; a call with a hundred thousand descriptions is shorter.
const MAX_LINE_BYTES: usize = 32 << 20;
/// Size in bytes of the read buffers.
const BUFFER_BYTES: usize = 256 << 10;
/// First bytes of a gzip stream (RFC 1952, section 2.3.1).
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

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
    pub(super) fn new(mut source: impl Read + Send + 'static, origin: String) -> Result<Text, LogError> {
        let mut magic = Vec::with_capacity(GZIP_MAGIC.len());
        let read = source.by_ref().take(GZIP_MAGIC.len() as u64).read_to_end(&mut magic);
        if let Err(source) = read {
            return Err(LogError::Read { at: Position { origin, line: 1, column: 1 }, source });
        }
        let gzip = magic == GZIP_MAGIC;
        // The bytes read to detect the format are chained in front of the rest.
        let whole = BufReader::with_capacity(BUFFER_BYTES, Cursor::new(magic).chain(source));
        let source: Box<dyn BufRead + Send> = match gzip {
            true => Box::new(BufReader::with_capacity(BUFFER_BYTES, MultiGzDecoder::new(whole))),
            false => Box::new(whole),
        };
        Ok(Text { source, gzip, origin, line: Vec::new(), line_number: 0, newline: true })
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
