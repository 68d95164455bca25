//! Errors of traces: damage in the file, read errors, write errors.

use crate::format::header::HeaderError;
use crate::format::path_in_use::PathInUse;
use crate::format::trigger_error::TriggerError;
use std::io;
use std::path::PathBuf;
use taut_schemas::{CodecError, EventCode, counted};
use thiserror::Error;

/// One place of a file that violates FORMAT.md, and its cost.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("byte {offset}: {what}: expected {expected}, found {found}{}", lost(*.events_lost))]
pub struct Damage {
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// Name of the damaged structure.
    pub what: &'static str,
    /// Requirement of the format at this place.
    pub expected: String,
    /// Actual content.
    pub found: String,
    /// Number of events that cannot be read because of the damage; `None` if the file does not state it.
    pub events_lost: Option<u64>,
}

fn lost(events: Option<u64>) -> String {
    match events {
        Some(0) => String::new(),
        Some(events) => format!(" ({} lost)", counted(events, "event")),
        None => " (an unknown number of events lost)".to_owned(),
    }
}

/// Max number of threads that an error lists individually.
const THREADS_NAMED: usize = 4;

/// Clause about the events lost to a failed output; empty without any.
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

/// Error of reading a trace or a record of it.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file could not be opened or mapped.
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// The file does not begin like a trace, or its head is damaged; nothing can be decoded without it.
    #[error(transparent)]
    Head(Damage),
    /// The file's format is newer than this reader.
    #[error("format version {found}: this reader knows versions up to {known}")]
    Version {
        found: u16,
        /// Newest version that this reader knows.
        known: u16,
    },
    /// The header's text is intact, but its content is invalid.
    #[error("byte {offset}: header: {source}")]
    Header {
        /// Offset of the header's text in the file, in bytes.
        offset: u64,
        source: HeaderError,
    },
    /// A code that is not in the schema table.
    #[error("event code {}: expected an event of the schema table", .0.0)]
    UnknownEvent(EventCode),
    /// A field that the event does not have.
    #[error("event {event}: expected the name of one of its fields, found `{field}`")]
    UnknownField {
        event: String,
        /// Name of the requested field.
        field: String,
    },
    /// A row that does not match its event's schema.
    #[error("event {event}: {source}")]
    Row {
        event: String,
        /// Position in the row, expectation and actual value.
        source: CodecError,
    },
    /// Two layouts of one event that cannot be translated into each other.
    #[error("event {event}, field `{field}`: expected {expected}, found {found}")]
    Layout {
        event: String,
        field: String,
        /// Requirement of the current layout.
        expected: String,
        /// Layout in the file.
        found: String,
    },
}

/// Error of writing a trace.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The output could not be created, written or synced to disk. What was written before is a valid trace without a
    /// footer.
    #[error("{}: {source} (after {bytes_written} bytes){}", path.as_deref().map_or("output".into(), |path| path.to_string_lossy()), losses(lost))]
    Output {
        /// Path of the output; `None` for a sink without a name.
        path: Option<PathBuf>,
        /// Number of bytes that the output accepted.
        bytes_written: u64,
        source: io::Error,
        /// Threads and the numbers of their events that are missing from the trace as a result; complete only at the
        /// end.
        lost: Vec<(u32, u64)>,
    },
    /// Another recording occupies the path: active or unfinished.
    #[error("{}: {by}", path.display())]
    PathInUse {
        /// Path of the trace.
        path: PathBuf,
        by: PathInUse,
    },
    /// A file that is not the recorder's has the name of one of its side files.
    #[error(
        "{}: expected no file here, or a side file of this recording (a regular file with one link, owned by this user, with \
         contents of the trace), found {found}; remove it or move it away, or record to another file",
        path.display()
    )]
    SideFile {
        /// Path of the file.
        path: PathBuf,
        /// Kind of file that was found.
        found: String,
    },
    /// The existing trace is of another workload, driver or settings than the recording that would replace it.
    #[error("{}: this trace exists and is of another recording ({difference}); only a trace of the same workload, driver and settings is replaced without --force", path.display())]
    Replaces {
        /// Path of the trace.
        path: PathBuf,
        /// Setting that differs, with both values.
        difference: String,
    },
    /// The configured size is too small for a ring recording.
    #[error("a size of {max_bytes} bytes is too small: a ring recording needs at least {min_bytes} bytes")]
    TooSmall {
        /// Configured size, in bytes.
        max_bytes: u64,
        /// Min size, in bytes.
        min_bytes: u64,
    },
    /// The header cannot be written.
    #[error("header: {0}")]
    Header(HeaderError),
    /// The snapshot trigger matches no event.
    #[error("snapshot: {0}")]
    Trigger(TriggerError),
    /// Some records did not have the layout of their event. They are counted as lost; the file is otherwise complete.
    #[error("{rows} rows do not have the layout of their event; the first, of thread {thread} with code {}: {source}", code.0)]
    Rows {
        /// Number of such rows.
        rows: u64,
        /// Thread of the first.
        thread: u32,
        /// Code of the first.
        code: EventCode,
        /// Position in the row, expectation and actual value.
        source: CodecError,
    },
    /// The block writer's thread ended unexpectedly: a defect of this crate.
    #[error("the background writer ended early")]
    WriterEnded,
}
