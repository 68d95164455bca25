//! Cause of a full disk.

use crate::format::error::WriteError;
use std::io;

/// System error of a full disk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FullCause {
    kind: io::ErrorKind,
    system: Option<i32>,
}

impl FullCause {
    pub(super) fn new(error: &WriteError) -> Option<FullCause> {
        match error {
            WriteError::Output { source, .. } => Some(FullCause { kind: source.kind(), system: source.raw_os_error() }),
            _ => None,
        }
    }

    /// The error as an [`io::Error`].
    pub fn error(self) -> io::Error {
        self.system.map_or_else(|| self.kind.into(), io::Error::from_raw_os_error)
    }
}
