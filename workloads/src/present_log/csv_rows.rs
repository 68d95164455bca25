//! Rows of a CSV capture: the heading after lines of comment, and records as RFC 4180 quotes them.

use super::columns::Columns;
use super::error::{PresentLogError, PresentLogFault};
use super::log::{Collector, PresentReading};
use super::record_batches::in_batches;
use super::row_reader::{Cells, FileDefaults, RowReader};
use csv::{ByteRecord, Reader, ReaderBuilder};
use std::io::{self, BufRead, Read};

/// Number of rows by which the unit of times is found.
const SAMPLE_ROWS: usize = 256;
/// Number of bytes that are read at a time.
const BUFFER_BYTES: usize = 64 << 10;
/// Number of bytes of a line before the rows beyond which a file is no capture.
const MAX_HEADING_BYTES: u64 = 1 << 20;

/// Reads a capture.
pub(super) fn read(mut input: impl BufRead + Send, origin: &str) -> Result<PresentReading, PresentLogError> {
    let unreadable = |source| PresentLogError::Read { origin: origin.to_owned(), source };
    let Heading { text: heading, line, is_cut } = heading(&mut input).map_err(unreadable)?;
    if is_cut {
        let (expected, found) = ("a heading of at most 1 MiB".to_owned(), "a longer line".to_owned());
        return Err(PresentLogFault { origin: origin.to_owned(), line, column: 1, expected, found }.into());
    }
    let separator = separator(&heading);
    let names = cells(&heading, separator);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let columns = Columns::new(&names).map_err(|(column, expected, found)| {
        let (origin, column) = (origin.to_owned(), column as u64);
        PresentLogFault { origin, line, column, expected, found }
    })?;
    // Cells beyond the heading are not read.
    let width = names.len();
    let mut reader = RowReader::new(columns, FileDefaults::default());
    let mut rows = rows(input, separator);
    let mut collector = Collector::new(origin);
    let mut record = ByteRecord::new();
    let mut sample: Vec<(u64, Vec<String>)> = Vec::new();
    while sample.len() < SAMPLE_ROWS && next(&mut rows, &mut record).map_err(unreadable)? {
        let cells = record.iter().take(width).map(|cell| String::from_utf8_lossy(cell).trim().to_owned());
        sample.push((line + line_of(&record), cells.collect()));
    }
    reader.find_unit(&sample.iter().map(|(_, cells)| cells.as_slice()).collect::<Vec<_>>());
    for (line, cells) in &sample {
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        collector.add(*line, reader.read(cells.as_slice(), *line));
    }
    let read = |record: &ByteRecord| {
        let line = line + line_of(record);
        let present = match Record::new(record, width) {
            Some(cells) => reader.read(&cells, line),
            None => {
                let cells = record.iter().take(width).map(|cell| String::from_utf8_lossy(cell)).collect::<Vec<_>>();
                reader.read(cells.iter().map(|cell| cell.trim_ascii()).collect::<Vec<_>>().as_slice(), line)
            }
        };
        collector.add(line, present);
    };
    in_batches(|record| next(&mut rows, record), read).map_err(unreadable)?;
    Ok(collector.finish())
}

/// True if the text begins with a heading of a capture, after its comments.
pub(super) fn is_in(text: &str) -> bool {
    let Ok(Heading { text: heading, .. }) = heading(&mut text.as_bytes()) else { return false };
    let names = cells(&heading, separator(&heading));
    Columns::are_in(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Heading with its line.
struct Heading {
    text: String,
    line: u64,
    /// True if the line is longer than the maximum.
    is_cut: bool,
}

/// Reads lines until the heading; returns it with its line. CapFrameX writes comments before it, Excel its separator.
fn heading(input: &mut impl BufRead) -> io::Result<Heading> {
    let mut line = 0;
    loop {
        let mut bytes = Vec::new();
        line += 1;
        if input.by_ref().take(MAX_HEADING_BYTES).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(Heading { text: String::new(), line, is_cut: false });
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim();
        let is_comment = text.is_empty() || text.starts_with("//") || text.starts_with('#') || text.starts_with("sep=");
        if !is_comment {
            let is_cut = bytes.len() as u64 == MAX_HEADING_BYTES;
            return Ok(Heading { text: text.to_owned(), line, is_cut });
        }
    }
}

/// Finds the separator of a heading, whose names contain no separator.
fn separator(heading: &str) -> u8 {
    let count = |separator: &u8| heading.bytes().filter(|byte| byte == separator).count();
    // The comma wins ties, because it is the last of the maxima.
    [b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',')
}

/// Record of a row in UTF-8, without the cells beyond the heading.
struct Record<'r> {
    /// All cells without separators, checked at once.
    text: &'r str,
    record: &'r ByteRecord,
    width: usize,
}

impl Record<'_> {
    /// Returns `None` if a cell is invalid UTF-8.
    fn new(record: &ByteRecord, width: usize) -> Option<Record<'_>> {
        let text = std::str::from_utf8(record.as_slice()).ok()?;
        // Two invalid cells may be valid side by side.
        let is_valid = text.is_ascii() || record.iter().all(|cell| std::str::from_utf8(cell).is_ok());
        is_valid.then(|| Record { text, record, width: width.min(record.len()) })
    }
}

impl Cells for Record<'_> {
    fn count(&self) -> usize {
        self.width
    }

    fn cell(&self, place: usize) -> Option<&str> {
        let range = self.record.range(place).filter(|_| place < self.width)?;
        self.text.get(range).map(str::trim_ascii)
    }
}

fn cells(line: &str, separator: u8) -> Vec<String> {
    let mut record = ByteRecord::new();
    // Reading from memory does not fail.
    let _ = next(&mut rows(line.as_bytes(), separator), &mut record);
    record.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_owned()).collect()
}

fn rows<R: Read>(input: R, separator: u8) -> Reader<R> {
    ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .buffer_capacity(BUFFER_BYTES)
        .from_reader(input)
}

/// Reads the next record that is not blank; returns false at the end. The csv crate's trimming would copy each record,
/// so cells are trimmed where they are read.
fn next<R: Read>(rows: &mut Reader<R>, record: &mut ByteRecord) -> io::Result<bool> {
    while rows.read_byte_record(record).map_err(io::Error::other)? {
        if record.iter().any(|cell| !cell.trim_ascii().is_empty()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Line of a record, from 1.
fn line_of(record: &ByteRecord) -> u64 {
    record.position().map_or(0, csv::Position::line)
}
