//! The beginning and the end of the process.

use crate::outcome::{Failure, Outcome};
use crate::printing::tell;
use clap::Parser;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// Ends the process as `outcome` says; a failure's chain of causes goes to stderr.
pub fn exit(outcome: Outcome) -> ExitCode {
    match outcome.map_err(|failure| failure.told()) {
        Ok(status) => ExitCode::from(status as u8),
        Err(None) => ExitCode::SUCCESS,
        Err(Some((code, error))) => {
            tell(error);
            ExitCode::from(code)
        }
    }
}

/// Tells a failure on stderr, where the process goes on.
pub fn tell_failure(failure: &Failure) {
    if let Some((_, error)) = failure.told() {
        tell(error);
    }
}

/// The command line; where it asks for help or is wrong, that is printed, and the process ends with this code. Help that cannot
/// be written is a failure like any other; a reader that has gone away is none.
///
/// # Errors
/// There is nothing more to do.
pub fn arguments<A: Parser>() -> Result<A, ExitCode> {
    A::try_parse().map_err(|error| {
        let printed = error.print().and_then(|()| std::io::stdout().flush());
        match printed {
            Err(failed) if !error.use_stderr() && failed.kind() != ErrorKind::BrokenPipe => {
                exit(Err(Failure::io(failed).context("standard output")))
            }
            _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(u8::MAX)),
        }
    })
}
