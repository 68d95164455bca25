//! Errors of operations, by who is at fault: the caller, the input, or the system.

use std::fmt::Display;
use std::io::ErrorKind;
use taut_analyze::AnalyzeError;
use taut_capture::SessionError;
use taut_schemas::{HResultCode, unknown_name};
use taut_traces::{ReadError, WriteError};
use taut_workloads::WorkloadError;

/// Error of a library, or of the system.
type Source = Box<dyn std::error::Error + Send + Sync>;

/// Reason why an operation has no result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An option names something that does not exist.
    #[error("{}", unknown_name(what, name, &known.iter().map(String::as_str).collect::<Vec<_>>()))]
    UnknownName {
        /// Kind of the name, such as `workload`.
        what: &'static str,
        name: String,
        /// All names that exist.
        known: Vec<String>,
    },
    /// An option has an invalid value, or cannot be combined with another option.
    #[error("{0}")]
    Usage(String),
    /// The system lacks a resource that the operation needs, such as threads.
    #[error("{0}")]
    Limit(String),
    /// A trace cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A trace cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The input is corrupt, or of another kind.
    #[error(transparent)]
    Input(Source),
    /// The system cannot read or write.
    #[error(transparent)]
    Io(Source),
    /// An error with the file or the activity that it occurred in.
    #[error("{context}")]
    In { context: String, source: Box<Error> },
}

impl Error {
    /// Unknown name, with the names that exist.
    pub fn unknown<'a>(what: &'static str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Error {
        let known = known.into_iter().map(str::to_owned).collect();
        Error::UnknownName { what, name: name.to_owned(), known }
    }

    /// Wrong option.
    pub fn usage(error: impl Display) -> Error {
        Error::Usage(error.to_string())
    }

    /// Corrupt input.
    pub fn input(error: impl Into<Source>) -> Error {
        Error::Input(error.into())
    }

    /// Failure of the system.
    pub fn io(error: impl Into<Source>) -> Error {
        Error::Io(error.into())
    }

    /// Error of reading an input file. A file that is too large or is not text is a corrupt input. `kind` is the kind of
    /// the system's error that `error` describes.
    pub fn reading(kind: ErrorKind, error: impl Into<Source>) -> Error {
        match kind {
            ErrorKind::FileTooLarge | ErrorKind::InvalidData => Error::input(error),
            _ => Error::io(error),
        }
    }

    /// Adds the file or the activity.
    pub fn context(self, context: impl Into<String>) -> Error {
        Error::In { context: context.into(), source: Box::new(self) }
    }

    /// Error of a workload: a limit if the system cannot create a thread, else as `otherwise` classifies it.
    pub(crate) fn workload(error: WorkloadError, otherwise: impl FnOnce(WorkloadError) -> Error) -> Error {
        match error {
            WorkloadError::Thread { .. } => Error::Limit(error.to_string()),
            // The driver, which an option names, does not have what the calls need; their input is correct.
            WorkloadError::CallFailed { hr: HResultCode::DXGI_ERROR_UNSUPPORTED, .. } => Error::usage(error),
            error => otherwise(error),
        }
    }
}

impl From<SessionError> for Error {
    fn from(error: SessionError) -> Error {
        match error {
            SessionError::Write(error) => Error::Write(error),
            error => Error::io(error),
        }
    }
}

impl From<AnalyzeError> for Error {
    fn from(error: AnalyzeError) -> Error {
        Error::input(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_that_is_too_large_is_a_wrong_input_and_a_missing_one_is_not() {
        let is_input = |kind| matches!(Error::reading(kind, std::io::Error::from(kind)), Error::Input(_));
        let kinds = [ErrorKind::FileTooLarge, ErrorKind::InvalidData, ErrorKind::NotFound];
        assert_eq!(kinds.map(is_input), [true, true, false]);
    }

    #[test]
    fn an_error_of_a_library_keeps_its_causes() {
        use std::error::Error as _;
        let error = Error::input(std::io::Error::other("it broke")).context("a.taut");
        assert_eq!(error.to_string(), "a.taut");
        assert_eq!(error.source().map(ToString::to_string).as_deref(), Some("it broke"));
    }
}
