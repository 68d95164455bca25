//! Line-by-line reader of a log, with checks of sequence numbers and objects.

use super::error::{LineFault, LogError};
use super::header::LogHeader;
use super::line::{LogCall, LogLine, Place};
use super::object_check::ObjectCheck;
use super::parse::parse_line;
use super::text::Text;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Maximum number of threads of a log: each is played by a thread of its own, with its own buffers.
pub(crate) const MAX_THREADS: u32 = 1024;

/// Reader of a log, plain or compressed with gzip. It ends after an error; all lines returned before are valid.
pub struct LogReader {
    text: Text,
    header: LogHeader,
    next_seq: u64,
    threads: u32,
    object_check: ObjectCheck,
    capture_ended: bool,
    ended: bool,
}

impl LogReader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// The file cannot be read, or does not begin with a header of a supported format and version.
    pub fn open(path: &Path) -> Result<LogReader, LogError> {
        let origin = path.display().to_string();
        match File::open(path) {
            Ok(file) => LogReader::new(file, origin),
            Err(source) => Err(LogError::Open { origin, source }),
        }
    }

    /// Reads the header of a log from any source; errors name the file `origin`.
    ///
    /// # Errors
    /// The source cannot be read, or does not begin with a header of a supported format and version.
    pub fn new(source: impl Read + Send + 'static, origin: String) -> Result<LogReader, LogError> {
        let mut text = Text::new(source, origin)?;
        if !text.next_line()? {
            return Err(text.fault(LineFault::unexpected("", "a d3d12-calls header", "an empty file")));
        }
        let header = LogHeader::parse(text.line()).map_err(|fault| text.fault(fault))?;
        let object_check = ObjectCheck::default();
        Ok(LogReader { text, header, next_seq: 0, threads: 0, object_check, capture_ended: false, ended: false })
    }

    /// Header of the log.
    pub fn header(&self) -> &LogHeader {
        &self.header
    }

    /// Returns the next line; `None` after the last one and after an error.
    ///
    /// # Errors
    /// The text is truncated, cannot be read, or is not a valid line.
    pub fn next_line(&mut self) -> Result<Option<LogLine>, LogError> {
        if self.ended {
            return Ok(None);
        }
        let next = self.advance();
        self.ended = !matches!(next, Ok(Some(_)));
        next
    }

    fn advance(&mut self) -> Result<Option<LogLine>, LogError> {
        let fault = match (self.text.next_line()?, self.capture_ended) {
            (false, true) => return Ok(None),
            (false, false) => LineFault::unexpected("", "a line of the log", "the file's end, without EndCapture"),
            (true, true) => LineFault::unexpected("", "the file's end, after EndCapture", "another line"),
            (true, false) => match parse_line(self.text.line()).and_then(|line| self.check(line)) {
                Ok(line) => return Ok(Some(line)),
                Err(fault) => fault,
            },
        };
        Err(self.text.fault(fault))
    }

    /// Checks a line against the lines before it.
    fn check(&mut self, line: LogLine) -> Result<LogLine, LineFault> {
        if line.seq != self.next_seq {
            return Err(LineFault::unexpected("seq", format!("seq {}", self.next_seq), line.seq));
        }
        if line.thread >= MAX_THREADS {
            return Err(LineFault::unexpected("thread", format!("at most {MAX_THREADS} threads"), line.thread));
        }
        // Threads are numbered by first call, so a new one has the next number.
        if line.thread > self.threads {
            let expected = format!("a thread from 0 to {}, the next new one", self.threads);
            return Err(LineFault::unexpected("thread", expected, line.thread));
        }
        if !self.header.tests.contains_key(&line.test) {
            return Err(LineFault::unexpected("test", "an index of the header's tests", line.test));
        }
        if let Some(name) = line.call.name().filter(|name| name.version() > self.header.version) {
            let expected = format!("a call of version {} of the format, which the header names", self.header.version);
            let found = format!("{}, of version {}", name.as_str(), name.version());
            return Err(LineFault::unexpected("call", expected, found));
        }
        self.check_objects(&line.call)?;
        self.next_seq += 1;
        self.threads = self.threads.max(line.thread.saturating_add(1));
        Ok(line)
    }

    fn check_objects(&mut self, call: &LogCall) -> Result<(), LineFault> {
        let object_check = &mut self.object_check;
        match call {
            LogCall::CreateHeap(creation) => object_check.create_heap(creation.heap),
            LogCall::CreateResource(creation) => {
                if let Place::Placed { heap, .. } = creation.place {
                    object_check.use_heap("heap", heap)?;
                }
                object_check.create_resource(creation.resource, &creation.desc)
            }
            LogCall::Map { resource, .. } | LogCall::Unmap { resource, .. } => {
                object_check.use_resource("obj", *resource)
            }
            LogCall::SetName { object, .. } => object_check.use_object(*object),
            LogCall::UseBuffers(_, line) => {
                line.resources().into_iter().try_for_each(|(field, used)| object_check.use_resource(field, used))?;
                line.ranges().into_iter().try_for_each(|(field, range)| object_check.use_range(field, range))
            }
            LogCall::ReleaseResource { resource } => object_check.release_resource(*resource),
            LogCall::ReleaseHeap { heap } => object_check.release_heap(*heap),
            LogCall::EndCapture { objects_created, objects_live } => {
                self.capture_ended = true;
                expect_counted("objects_created", object_check.created(), *objects_created)?;
                expect_counted("objects_live", object_check.live_count(), *objects_live)
            }
            LogCall::BeginTest { .. }
            | LogCall::EndTest { .. }
            | LogCall::CheckFeatureSupport(_)
            | LogCall::Frame { .. }
            | LogCall::GetCopyableFootprints(_)
            | LogCall::GetResourceAllocationInfo(_)
            | LogCall::Submission(_)
            | LogCall::StateBlock { .. } => Ok(()),
        }
    }
}

fn expect_counted(field: &'static str, counted: u64, found: u64) -> Result<(), LineFault> {
    if counted == found {
        return Ok(());
    }
    Err(LineFault::unexpected(field, format!("{counted}, as the lines before say"), found))
}
