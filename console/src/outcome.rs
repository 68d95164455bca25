//! Outcome of a command: the exit codes that scripts rely on.

use std::fmt::Display;
use std::io::ErrorKind;
use taut_traces::{PathInUse, ReadError, WriteError};

/// Result of a command that could do its work. If several apply, the maximum counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// No findings: exit code 0.
    Fine = 0,
    /// The command found something (a divergence, a failed check): exit code 1.
    Found = 1,
    /// The input was corrupt or incomplete; the readable part was used: exit code 3.
    Incomplete = 3,
    /// Ctrl-C; the output is complete: exit code 130.
    Interrupted = 130,
}

/// Reason why a command could not do its work, with its exit code.
#[derive(Debug)]
pub struct Failure {
    code: u8,
    error: anyhow::Error,
}

impl Failure {
    /// Exit code of failed reading or writing.
    pub const IO_CODE: u8 = 4;

    /// Wrong usage: exit code 2.
    pub fn usage(error: impl Display) -> Failure {
        Failure { code: 2, error: anyhow::anyhow!("{error}") }
    }

    /// The input exceeds a limit of the command: exit code 1.
    pub fn limit(error: impl Display) -> Failure {
        Failure { code: 1, error: anyhow::anyhow!("{error}") }
    }

    /// A failure of another process, with its exit code.
    pub fn with_code(code: u8, error: impl Display) -> Failure {
        Failure { code, error: anyhow::anyhow!("{error}") }
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        self.code
    }

    /// Error of the system among the causes.
    pub fn system_error(&self) -> Option<&std::io::Error> {
        self.error.chain().find_map(|cause| cause.downcast_ref())
    }

    /// The input is corrupt or of another kind: exit code 3.
    pub fn input(error: impl Into<anyhow::Error>) -> Failure {
        Failure { code: 3, error: error.into() }
    }

    /// Reading or writing failed: exit code 4.
    pub fn io(error: impl Into<anyhow::Error>) -> Failure {
        Failure { code: Self::IO_CODE, error: error.into() }
    }

    /// An input could not be read. If it is too large or is not text, the input is at fault: exit code 3; otherwise the
    /// system: exit code 4. `kind` is the kind of the system's error that `error` describes.
    pub fn reading(kind: ErrorKind, error: impl Into<anyhow::Error>) -> Failure {
        match kind {
            ErrorKind::FileTooLarge | ErrorKind::InvalidData => Failure::input(error),
            _ => Failure::io(error),
        }
    }

    /// True if a trace went to a pipe whose reader has closed it, which is not a failure.
    fn is_reader_gone(&self) -> bool {
        self.error.chain().any(|cause| cause.downcast_ref().is_some_and(is_reader_gone))
    }

    /// Adds the activity during which the failure occurred.
    pub fn context(self, context: impl Display + Send + Sync + 'static) -> Failure {
        Failure { error: self.error.context(context), ..self }
    }
}

/// True if the reader of the output has closed the pipe.
pub(crate) fn is_reader_gone(error: &WriteError) -> bool {
    matches!(error, WriteError::Output { source, .. } if source.kind() == ErrorKind::BrokenPipe)
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        match error {
            ReadError::Io { .. } => Failure::io(error),
            error => Failure::input(error),
        }
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Failure {
        match error {
            WriteError::PathInUse { by: PathInUse::Orphaned(_) | PathInUse::Unfinished, .. }
            | WriteError::SideFile { .. }
            | WriteError::Replaces { .. }
            | WriteError::TooSmall { .. } => Failure::usage(error),
            error => Failure::io(error),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::io(error)
    }
}

impl Failure {
    /// The exit code, and the failure with its causes in one line; `None` if it is no failure (closed pipe).
    pub fn report(&self) -> Option<(u8, String)> {
        (!self.is_reader_gone()).then(|| (self.code, report(&self.error)))
    }
}

/// Result type of every command.
pub type Outcome = Result<Status, Failure>;

/// Joins an error and its causes in one line. A cause that a previous text contains is left out.
fn report(error: &anyhow::Error) -> String {
    let mut causes: Vec<String> = Vec::new();
    for cause in error.chain().map(|cause| without_number(&cause.to_string())) {
        if !causes.iter().any(|known| known.contains(&cause)) {
            causes.push(cause);
        }
    }
    causes.join(": ")
}

/// Removes the numbers of system errors, which follow the text of the same meaning.
fn without_number(text: &str) -> String {
    let mut parts = text.split(" (os error ");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((number, rest)) if number.parse::<i32>().is_ok() => plain += rest,
            _ => plain = format!("{plain} (os error {part}"),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Error;

    #[test]
    fn an_input_that_is_too_large_has_the_code_of_a_bad_input() {
        let code = |kind: ErrorKind| Failure::reading(kind, Error::from(kind)).code;
        assert_eq!([ErrorKind::FileTooLarge, ErrorKind::InvalidData, ErrorKind::NotFound].map(code), [3, 3, 4]);
    }

    #[test]
    fn a_system_error_is_printed_once() {
        let wrapped = |error: Error| WriteError::Output {
            path: Some("level.taut".into()),
            bytes_written: 0,
            source: error,
            lost: Vec::new(),
        };
        let failure = Failure::io(wrapped(Error::from_raw_os_error(2))).context("recording");
        let text = report(&failure.error);
        assert_eq!(text.matches("o such file").count(), 1, "{text}");
        assert!(!text.contains("os error"), "{text}");
        assert_eq!(without_number("a (os error 2), b (os error x)"), "a, b (os error x)");
        let failure = Failure::io(Error::other("it broke")).context("a").context("b");
        assert_eq!(report(&failure.error), "b: a: it broke");
    }
}
