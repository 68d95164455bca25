//! Reader of a file, row by row: what each row is, the lines that are played, and counts of everything else.

use super::counts::CaptureCounts;
use super::fault::RowFault;
use super::objects::Objects;
use super::row::{Call, Row, UNKNOWN_THREAD};
use super::translate::translate;
use super::translation::Translated;
use crate::call_log::{LineSource, LogCall, LogError, LogLine, MAX_THREADS, Numbering, Position, SubmissionCall};
use crate::gzip::decompressed;
use crate::json_elements::{JsonElements, Next};
use crate::utf8_reader::Utf8Reader;
use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use taut_schemas::PhaseEdge;

/// Beginning of a message of the tool between rows.
const MESSAGE_MARK: &str = "[gfxrecon]";

/// Line with position 0, as in a log of calls: line 1 has the header. Without a header, line 1 has position 0 as well.
const FIRST_LINE: u64 = 2;

/// Maximum number of markers before the first call.
const MAX_MARKERS: usize = 1024;

/// Capture that is read while it is played.
pub struct CaptureReader {
    origin: String,
    elements: JsonElements,
    objects: Objects,
    threads: Threads,
    counts: CaptureCounts,
    /// Lines that were read ahead.
    pending: VecDeque<LogLine>,
    ended: bool,
}

/// Numbers of the threads, by their first lines.
#[derive(Default)]
struct Threads {
    numbers: HashMap<u64, u32>,
    last: u32,
}

impl Threads {
    /// Returns the number of a thread. Calls whose thread is unknown belong to that of the line before; threads beyond
    /// the maximum share its last number.
    fn number(&mut self, thread: u64) -> u32 {
        if thread != UNKNOWN_THREAD {
            let next = self.numbers.len() as u32;
            self.last = match self.numbers.get(&thread) {
                Some(number) => *number,
                None if next < MAX_THREADS => *self.numbers.entry(thread).or_insert(next),
                None => MAX_THREADS - 1,
            };
        }
        self.last
    }
}

impl CaptureReader {
    /// Opens a file and reads up to its first call.
    ///
    /// # Errors
    /// The file cannot be read, has no row, or is a capture of another API.
    pub fn open(path: &Path) -> Result<CaptureReader, LogError> {
        let origin = path.display().to_string();
        match File::open(path) {
            Ok(file) => CaptureReader::new(file, origin),
            Err(source) => Err(LogError::Open { origin, source }),
        }
    }

    /// Reads any source up to its first call; errors name the file `origin`.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn new(source: impl Read + Send + 'static, origin: String) -> Result<CaptureReader, LogError> {
        let at = |line, column| Position { origin: origin.clone(), line, column };
        let text = decompressed(source).and_then(|text| Utf8Reader::new(text.source));
        let text = text.map_err(|source| LogError::Read { at: at(1, 1), source })?;
        let mut reader = CaptureReader {
            origin: origin.clone(),
            elements: JsonElements::new(text, MESSAGE_MARK),
            objects: Objects::default(),
            threads: Threads::default(),
            counts: CaptureCounts::default(),
            pending: VecDeque::new(),
            ended: false,
        };
        // Markers may stand before the first call, which shows the API.
        while reader.counts.calls == 0 && reader.pending.len() < MAX_MARKERS {
            match reader.advance() {
                Some(line) => reader.pending.push_back(line),
                None => break,
            }
        }
        if let Some(error) = reader.counts.broken.take() {
            return Err(error);
        }
        match (reader.counts.other_api, reader.counts.calls) {
            (Some(api), 0) => {
                let (expected, found) = ("a Direct3D 12 capture".to_owned(), format!("a capture of {api}"));
                Err(LogError::Unexpected { at: at(1, 1), expected, found })
            }
            (None, 0) => Err(reader.counts.first_unreadable.take().unwrap_or_else(|| {
                let expected = "a call of gfxrecon-convert, a row with the key `method` or `function`".to_owned();
                LogError::Unexpected { at: at(1, 1), expected, found: "none".to_owned() }
            })),
            _ => Ok(reader),
        }
    }

    /// Reads the rest without playing it.
    pub fn read_to_end(&mut self) {
        while self.next_thread().is_some() {
            self.play_next(|_| ());
        }
    }

    /// Returns the counts; complete once all lines were played.
    pub fn into_counts(self) -> CaptureCounts {
        self.counts
    }

    /// Counts so far.
    pub fn counts(&self) -> &CaptureCounts {
        &self.counts
    }

    /// Reads on to the next line that is played; `None` at the end of the file.
    fn advance(&mut self) -> Option<LogLine> {
        while !self.ended && !self.is_of_other_api() {
            let next = match self.elements.next() {
                Ok(next) => next,
                Err(source) => {
                    self.fail(source);
                    break;
                }
            };
            self.counts.messages = self.elements.messages();
            if next != Next::Element {
                self.ended = true;
                if next == Next::Cut {
                    let fault =
                        RowFault::unexpected(self.elements.text().len(), "the end of the row", "the file's end");
                    self.counts.is_cut = true;
                    self.counts.add_unreadable(fault.at(&self.origin, &self.elements));
                }
                break;
            }
            match self.read_row() {
                Ok(Some(line)) => return Some(line),
                Ok(None) => {}
                Err(fault) => self.counts.add_unreadable(fault.at(&self.origin, &self.elements)),
            }
        }
        None
    }

    /// True if the file begins with functions of another API.
    fn is_of_other_api(&self) -> bool {
        self.counts.calls == 0 && self.counts.other_api.is_some()
    }

    fn fail(&mut self, source: io::Error) {
        let position = self.elements.position(usize::MAX);
        let at = Position { origin: self.origin.clone(), line: position.line, column: position.column };
        self.ended = true;
        self.counts.broken = Some(LogError::Read { at, source });
    }

    /// Reads one row; returns its line if it is played.
    fn read_row(&mut self) -> Result<Option<LogLine>, RowFault> {
        self.counts.rows += 1;
        if let Some(bytes) = self.elements.too_long_bytes() {
            return match long_call(self.elements.text()) {
                Some(name) => {
                    self.counts.calls += 1;
                    self.counts.add_not_played(name);
                    Ok(None)
                }
                None => Err(RowFault::unexpected(0, "a row of at most 32 MiB", format_args!("one of {bytes} bytes"))),
            };
        }
        let text = self.elements.text();
        let row = match Row::parse(text)? {
            Row::Call(call) => {
                return Self::read_call(&call, &mut self.objects, &mut self.counts).map(|played| {
                    let seq = seq_of_line(self.elements.position(0).line);
                    played.map(|played| LogLine {
                        seq,
                        thread: self.threads.number(call.thread),
                        test: 0,
                        call: played,
                    })
                });
            }
            row => row,
        };
        let played = match row {
            Row::Meta(name) => {
                self.counts.add_meta(&name);
                None
            }
            Row::State { is_begin, frame_number } => {
                self.counts.state_frame = Some(frame_number);
                let edge = if is_begin { PhaseEdge::BEGIN } else { PhaseEdge::END };
                Some(LogCall::StateBlock { edge, frame_number })
            }
            Row::Frame { frame_number } => {
                self.counts.frames += 1;
                Some(LogCall::Frame { frame_index: frame_number })
            }
            Row::Header | Row::Annotation | Row::Call(_) => None,
        };
        let seq = seq_of_line(self.elements.position(0).line);
        Ok(played.map(|call| LogLine { seq, thread: self.threads.number(UNKNOWN_THREAD), test: 0, call }))
    }

    fn read_call(
        call: &Call<'_>,
        objects: &mut Objects,
        counts: &mut CaptureCounts,
    ) -> Result<Option<LogCall>, RowFault> {
        if call.interface.is_empty()
            && let Some(api) = other_api(&call.name)
        {
            counts.other_api = Some(api);
            counts.add_not_played(&call.name);
            return Ok(None);
        }
        counts.calls += 1;
        match translate(call, objects)? {
            Translated::Line(line) => {
                if let LogCall::Submission(line) = &line
                    && let SubmissionCall::Present { .. } = line.call
                {
                    counts.presents += 1;
                }
                return Ok(Some(line));
            }
            Translated::Noted => counts.noted += 1,
            Translated::NotPlayed => counts.add_not_played(&call.name),
            Translated::Undefined => counts.add_undefined(&call.name),
            Translated::TestPresent => counts.test_presents += 1,
        }
        Ok(None)
    }
}

fn seq_of_line(line: u64) -> u64 {
    line.saturating_sub(FIRST_LINE)
}

/// Returns the API of a function of another one.
fn other_api(function: &str) -> Option<&'static str> {
    let rest = |prefix| function.strip_prefix(prefix).and_then(|rest: &str| rest.chars().next());
    match (rest("vk"), rest("xr")) {
        (Some(letter), _) if letter.is_ascii_uppercase() => Some("Vulkan"),
        (_, Some(letter)) if letter.is_ascii_uppercase() => Some("OpenXR"),
        _ => None,
    }
}

/// Returns the name of a call that is not played, from the beginning of its row. Such calls have large arguments, as
/// private data and root signatures.
fn long_call(head: &[u8]) -> Option<&str> {
    let head = std::str::from_utf8(head).unwrap_or_default();
    let (_, rest) = head.split_once("\"name\"")?;
    let name = rest.trim_start_matches([':', ' ', '\n', '\r']).strip_prefix('"')?.split('"').next()?;
    // Only queries of many descriptions can be as large and are played.
    (!name.starts_with("GetResourceAllocationInfo") && name.len() <= 64).then_some(name)
}

impl LineSource for CaptureReader {
    fn numbering(&self) -> Numbering {
        Numbering { unit: "line", first: FIRST_LINE }
    }

    fn next_thread(&mut self) -> Option<u32> {
        if self.pending.is_empty() {
            self.pending = self.advance().into_iter().collect();
        }
        self.pending.front().map(|line| line.thread)
    }

    fn play_next(&mut self, play: impl FnOnce(&LogLine)) {
        if let Some(line) = self.pending.pop_front() {
            play(&line);
        }
    }
}
