//! Files of captures: CSV, or the JSON of CapFrameX.

use super::capframex;
use super::csv_rows;
use super::error::PresentLogError;
use super::log::{PresentLog, PresentReading};
use crate::utf8_reader::Utf8Reader;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Maximum size of a capture, in bytes: several million presents, whose times are in memory.
const MAX_CAPTURE_BYTES: u64 = 1 << 30;

impl PresentLog {
    /// Reads a file: CSV, or the JSON of CapFrameX.
    ///
    /// # Errors
    /// The file cannot be read, or it is no capture of presents.
    pub fn open(path: &Path) -> Result<PresentReading, PresentLogError> {
        let origin = path.display().to_string();
        let unreadable = |source| PresentLogError::Read { origin: origin.clone(), source };
        let file = File::open(path).map_err(unreadable)?;
        if file.metadata().is_ok_and(|metadata| metadata.len() > MAX_CAPTURE_BYTES) {
            return Err(unreadable(io::Error::new(io::ErrorKind::FileTooLarge, "larger than 1 GiB")));
        }
        let mut input = BufReader::new(Utf8Reader::new(file.take(MAX_CAPTURE_BYTES)).map_err(unreadable)?);
        let head = input.fill_buf().map_err(unreadable)?;
        match head.iter().copied().find(|byte| !byte.is_ascii_whitespace()) {
            Some(b'{') => capframex::read(input, &origin),
            _ => csv_rows::read(input, &origin),
        }
    }

    /// Parses a log; errors name the file `origin`.
    ///
    /// # Errors
    /// The heading lacks a required column.
    pub fn parse(text: &str, origin: &str) -> Result<PresentReading, PresentLogError> {
        let unreadable = |source| PresentLogError::Read { origin: origin.to_owned(), source };
        csv_rows::read(BufReader::new(Utf8Reader::new(text.as_bytes()).map_err(unreadable)?), origin)
    }
}

/// True if a text begins with the heading of a capture, after its comments.
pub(crate) fn has_heading(text: &str) -> bool {
    csv_rows::is_in(text)
}
