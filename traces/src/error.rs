//! What can go wrong with a trace: damage in the file, failures to read, failures to write.

use crate::header::HeaderError;
use crate::occupied::Occupied;
use crate::trigger_error::TriggerError;
use std::io;
use std::path::PathBuf;
use taut_schemas::{CodecError, EventCode, counted};
use thiserror::Error;

/// One place of a file that is not as FORMAT.md says, and what it cost.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("byte {offset}: {what}: expected {expected}, found {found}{}", lost(*.events_lost))]
pub struct Damage {
    /// Where in the file, in bytes from its start.
    pub offset: u64,
    /// Which part of the file.
    pub what: &'static str,
    /// What the format asks for there.
    pub expected: String,
    /// What is there.
    pub found: String,
    /// Events that cannot be read because of it; `None` where the file does not say how many there were.
    pub events_lost: Option<u64>,
}

fn lost(events: Option<u64>) -> String {
    match events {
        Some(0) => String::new(),
        Some(events) => format!(" ({} lost)", counted(events, "event")),
        None => " (an unknown number of events lost)".to_owned(),
    }
}

/// Threads that a sentence names one by one.
const THREADS_NAMED: usize = 4;

/// What was lost to an output that failed, in words.
fn losses(lost: &[(u32, u64)]) -> String {
    let all = lost.iter().fold(0u64, |sum, (_, events)| sum.saturating_add(*events));
    let of = |(thread, events): &(u32, u64)| format!("{events} of thread {thread}");
    let mut named: Vec<String> = lost.iter().take(THREADS_NAMED).map(of).collect();
    if lost.len() > named.len() {
        let others = lost[named.len()..].iter().fold(0u64, |sum, (_, events)| sum.saturating_add(*events));
        named.push(format!("{others} of {} others", lost.len() - named.len()));
    }
    if all == 0 { String::new() } else { format!("; {} lost: {}", counted(all, "event"), named.join(", ")) }
}

/// Why a trace, or a record of it, could not be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file could not be opened or mapped.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file does not begin like a trace, or its beginning is damaged; nothing can be decoded without it.
    #[error(transparent)]
    Head(Damage),
    /// The file's format is newer than this reader.
    #[error("format version {found}: this reader knows versions up to {known}")]
    Version {
        /// Version in the file.
        found: u16,
        /// Newest version this reader knows.
        known: u16,
    },
    /// The header's text is intact but says something that no trace can say.
    #[error("byte {offset}: header: {source}")]
    Header {
        /// Where the header's text begins, in bytes from the start of the file.
        offset: u64,
        /// What is wrong with it.
        source: HeaderError,
    },
    /// A code that the schema table does not have.
    #[error("event code {}: expected an event of the schema table", .0.0)]
    UnknownEvent(EventCode),
    /// A field that the event does not have.
    #[error("event {event}: expected the name of one of its fields, found `{field}`")]
    UnknownField {
        /// Name of the event.
        event: String,
        /// The name asked for.
        field: String,
    },
    /// A row that its event's schema does not describe.
    #[error("event {event}: {source}")]
    Row {
        /// Name of the event.
        event: String,
        /// Where in the row, what was expected and what was found.
        source: CodecError,
    },
    /// Two layouts of one event that cannot be translated into each other.
    #[error("event {event}, field `{field}`: expected {expected}, found {found}")]
    Layout {
        /// Name of the event.
        event: String,
        /// The field.
        field: String,
        /// What the current layout needs.
        expected: String,
        /// What the file's layout has.
        found: String,
    },
}

/// Why a trace could not be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The output could not be created, written or brought to disk. What was written before is a valid trace without
    /// a footer.
    #[error("{}: {source} (after {bytes_written} bytes){}", path.as_deref().map_or("output".into(), |path| path.to_string_lossy()), losses(lost))]
    Output {
        /// The file; `None` for a sink without a name.
        path: Option<PathBuf>,
        /// Bytes that the output took.
        bytes_written: u64,
        /// What the system said.
        source: io::Error,
        /// Threads and how many of their events are therefore not in the trace; known at the end.
        lost: Vec<(u32, u64)>,
    },
    /// Another recording is there, under way or left behind.
    #[error("{}: {by}", path.display())]
    Occupied {
        /// Where the trace was to go.
        path: PathBuf,
        /// Whose it is.
        by: Occupied,
    },
    /// A recording that keeps its last has no room for that.
    #[error("a size of {max_bytes} bytes is too small: a recording that keeps its last needs {least_bytes} bytes")]
    TooSmall {
        /// The size set for it.
        max_bytes: u64,
        /// The least there may be.
        least_bytes: u64,
    },
    /// The header's table cannot be written.
    #[error("header: {0}")]
    Header(HeaderError),
    /// No event is one that a snapshot was to be taken at.
    #[error("snapshot: {0}")]
    Trigger(TriggerError),
    /// Some records did not have the layout that the schema table gives their code. They are counted as lost; the
    /// file is complete otherwise.
    #[error("{rows} rows do not have the layout of their event; the first, of thread {thread} with code {}: {source}", code.0)]
    Rows {
        /// How many.
        rows: u64,
        /// Thread of the first.
        thread: u32,
        /// Its code.
        code: EventCode,
        /// Where in the row, what was expected and what was found.
        source: CodecError,
    },
    /// The block writer's thread ended before it was told to: a defect of this crate.
    #[error("the background writer ended early")]
    WriterEnded,
}
