//! Completion of a recording that was not ended.

use crate::Error;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};
use taut_traces::{Damage, PathClaim, PathInUse, Recovery, Trace, WriteError, WriteSummary};

/// Checks that no process is recording to the path.
///
/// # Errors
/// A process is.
pub fn check_ended(path: &Path) -> Result<(), Error> {
    match PathClaim::holder(path) {
        Some(by @ PathInUse::BeingRecorded(_)) => Err(WriteError::PathInUse { path: path.to_owned(), by }.into()),
        _ => Ok(()),
    }
}

/// Waits until no process records to the path, at most for `max`. A copy of a process that has ended releases the path on a
/// thread of its own.
pub fn wait_until_ended(path: &Path, max: Duration) {
    let end = Instant::now() + max;
    while check_ended(path).is_err() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A recording and its damage, for a recovery.
pub struct Recoverable<'t> {
    trace: &'t Trace,
    pub damage: Vec<Damage>,
}

impl<'t> Recoverable<'t> {
    /// Checks every block of the trace.
    pub fn new(trace: &'t Trace) -> Recoverable<'t> {
        Recoverable { trace, damage: trace.check() }
    }

    /// True if the recording was ended.
    pub fn is_complete(&self) -> bool {
        self.trace.summary().complete
    }

    /// Removes the claim of a recording that was ended. Errors name the path `name`.
    ///
    /// # Errors
    /// A file beside the recording cannot be removed.
    pub fn clear(&self, path: &Path, name: &str) -> Result<(), Error> {
        PathClaim::clear(path).map_err(|error| Error::io(error).context(name))
    }

    /// Checks that this build can complete the trace. Errors name it `name`.
    ///
    /// # Errors
    /// Another version wrote the trace.
    pub fn check_version(&self, name: &str) -> Result<(), Error> {
        if self.trace.can_be_finished() {
            return Ok(());
        }
        let why = "another version wrote this trace; it is read as it is";
        Err(Error::input(why).context(name))
    }

    /// Writes the complete trace.
    ///
    /// # Errors
    /// The trace cannot be read or written.
    pub fn write(&self, out: &mut impl Write) -> Result<WriteSummary, Error> {
        self.trace.write_finished(out).map_err(Error::io)
    }

    /// True if a recovery loses no event: a recording without its end may have all events.
    pub fn is_lossless(&self) -> bool {
        self.trace.recovery().is_some() && self.damage.is_empty()
    }

    /// Number of events that come from the file beside the recording.
    pub fn recovered_events(&self) -> u64 {
        self.trace.recovery().map_or(0, Recovery::events)
    }

    /// The result as JSON. `file` names the complete trace; `written` is `None` if it was complete before.
    pub fn json(&self, file: &str, is_complete: bool, written: Option<WriteSummary>) -> Value {
        let (summary, recovery) = (self.trace.summary(), self.trace.recovery());
        json!({
            "file": file,
            "complete": is_complete,
            "was_complete": summary.complete,
            "events": summary.events,
            "lost_events": summary.lost_events,
            "bytes": written.map_or(summary.file_bytes, |written| written.bytes),
            "recovered_events": self.recovered_events(),
            "torn_events": recovery.map_or(0, Recovery::partial),
            "threads": recovery.map_or(&[][..], |recovery| &recovery.threads),
        })
    }
}
