//! Whose a path is that another wants to record at.

use std::fmt;

/// Who has a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occupied {
    /// This process records there, if it says who it is.
    BeingRecorded(Option<u32>),
    /// A recording that did not end is there, of this process.
    LeftBehind(u32),
}

impl fmt::Display for Occupied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Occupied::BeingRecorded(Some(process)) => write!(f, "process {process} is recording this file"),
            Occupied::BeingRecorded(None) => f.write_str("another process is recording this file"),
            Occupied::LeftBehind(process) => write!(
                f,
                "this is the recording of process {process}, which did not end it: `taut recover` makes it whole, --force \
                 replaces it"
            ),
        }
    }
}
