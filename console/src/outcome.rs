//! How a command ends: the exit codes that scripts rely on.

use std::fmt::Display;
use taut_traces::{Occupied, ReadError, WriteError};

/// How a command that could do its work ended. Where several apply, the greatest counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Nothing to report: exit code 0.
    Fine = 0,
    /// The command found something (a divergence, a failed check): exit code 1.
    Found = 1,
    /// The input was corrupt or incomplete; what could be read was used: exit code 3.
    Incomplete = 3,
    /// Ctrl-C; what was written is whole: exit code 130.
    Interrupted = 130,
}

/// Why a command could not do its work, and the exit code that says so.
#[derive(Debug)]
pub struct Failure {
    code: u8,
    error: anyhow::Error,
}

impl Failure {
    /// The exit code of reading or writing that failed.
    pub const IO_CODE: u8 = 4;

    /// The command was not used as it is meant to be: exit code 2.
    pub fn usage(error: impl Display) -> Failure {
        Failure { code: 2, error: anyhow::anyhow!("{error}") }
    }

    /// The input is corrupt or of another kind: exit code 3.
    pub fn input(error: impl Into<anyhow::Error>) -> Failure {
        Failure { code: 3, error: error.into() }
    }

    /// Reading or writing failed: exit code 4.
    pub fn io(error: impl Into<anyhow::Error>) -> Failure {
        Failure { code: Self::IO_CODE, error: error.into() }
    }

    /// A trace went to a pipe, and who read from it has gone away: as with anything that is printed, no failure.
    fn is_reader_gone(&self) -> bool {
        self.error.chain().any(|cause| cause.downcast_ref().is_some_and(is_reader_gone))
    }

    /// Says what was being done.
    pub fn context(self, context: impl Display + Send + Sync + 'static) -> Failure {
        Failure { error: self.error.context(context), ..self }
    }
}

/// Whoever read what is written has gone away.
pub(crate) fn is_reader_gone(error: &WriteError) -> bool {
    matches!(error, WriteError::Output { source, .. } if source.kind() == std::io::ErrorKind::BrokenPipe)
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
            WriteError::Occupied { by: Occupied::LeftBehind(_), .. } | WriteError::TooSmall { .. } => {
                Failure::usage(error)
            }
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
    /// The failure and its causes in one line, and its exit code; none where it is no failure after all.
    pub(crate) fn told(&self) -> Option<(u8, String)> {
        (!self.is_reader_gone()).then(|| (self.code, told(&self.error)))
    }
}

/// What every command returns.
pub type Outcome = Result<Status, Failure>;

/// A failure and its causes in one line. A cause that is said already is not said again.
fn told(error: &anyhow::Error) -> String {
    let mut causes: Vec<String> = Vec::new();
    for cause in error.chain().map(ToString::to_string) {
        if !causes.iter().any(|said| said.contains(&cause)) {
            causes.push(cause);
        }
    }
    causes.join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Error;

    #[test]
    fn what_the_system_says_is_said_once() {
        let wrapped = |error: Error| WriteError::Output {
            path: Some("level.taut".into()),
            bytes_written: 0,
            source: error,
            lost: Vec::new(),
        };
        let failure = Failure::io(wrapped(Error::from_raw_os_error(2))).context("recording");
        let text = told(&failure.error);
        assert_eq!(text.matches("os error 2").count(), 1, "{text}");
        let failure = Failure::io(Error::other("it broke")).context("a").context("b");
        assert_eq!(told(&failure.error), "b: a: it broke");
    }
}
