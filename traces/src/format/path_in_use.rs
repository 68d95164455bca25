//! Occupants of a path at which a recording was to begin.

use std::fmt;

/// Occupant of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathInUse {
    /// Active recording of this process; `None` if the process is unknown.
    BeingRecorded(Option<u32>),
    /// Unfinished recording of this process, which has ended.
    Orphaned(u32),
    /// Unfinished recording of an unknown process.
    Unfinished,
}

impl fmt::Display for PathInUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathInUse::BeingRecorded(Some(process)) => write!(f, "process {process} is recording this file"),
            PathInUse::BeingRecorded(None) => f.write_str("another process is recording this file"),
            PathInUse::Orphaned(process) => write!(
                f,
                "this is the recording of process {process}, which did not end it: `taut recover` completes the file, --force \
                 replaces it"
            ),
            PathInUse::Unfinished => f.write_str(
                "this is a recording that was not ended: `taut recover` completes the file, --force replaces it",
            ),
        }
    }
}
