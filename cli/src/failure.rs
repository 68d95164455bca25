//! Exit codes of the errors of operations.

use taut_app::Error;
use taut_console::outcome::Failure;

/// Converts the error of an operation to a failure of the command.
pub fn failure(error: Error) -> Failure {
    match error {
        Error::UnknownName { .. } | Error::Usage(_) => Failure::usage(error),
        Error::Limit(_) => Failure::limit(error),
        Error::Read(error) => error.into(),
        Error::Write(error) => error.into(),
        // The error of the library itself: a failure looks for known errors among its causes.
        Error::Input(source) => Failure::input(anyhow::Error::from_boxed(source)),
        Error::Io(source) => Failure::io(anyhow::Error::from_boxed(source)),
        Error::In { context, source } => failure(*source).context(context),
    }
}
