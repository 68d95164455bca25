//! Start and end of the process.

use crate::interrupt::fail_writes_at_size_limit;
use crate::outcome::{Failure, Outcome};
use crate::printing::{escaped, print_message};
use clap::{Command, FromArgMatches, Parser};
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// Converts an outcome to an exit code; a failure's chain of causes is printed on stderr.
pub fn exit(outcome: Outcome) -> ExitCode {
    match outcome.map_err(|failure| failure.report()) {
        Ok(status) => ExitCode::from(status as u8),
        Err(None) => ExitCode::SUCCESS,
        Err(Some((code, error))) => {
            print_message(error);
            ExitCode::from(code)
        }
    }
}

/// Reports a failure on stderr without ending the process.
pub fn report_failure(failure: &Failure) {
    if let Some((_, error)) = failure.report() {
        print_message(error);
    }
}

/// Parses the command line. If it requests help or is wrong, prints the text and returns the exit code as the error.
/// Failing to write help is a failure, except for a closed pipe.
///
/// # Errors
/// The process is to end with the returned code.
pub fn arguments<A: Parser>() -> Result<A, ExitCode> {
    arguments_of(A::command())
}

/// Parses the command line as [`arguments`] does, with a command that the caller has changed.
///
/// # Errors
/// The process is to end with the returned code.
pub fn arguments_of<A: FromArgMatches>(mut command: Command) -> Result<A, ExitCode> {
    fail_writes_at_size_limit();
    let parsed = command.try_get_matches_from_mut(std::env::args_os());
    let parsed = parsed.and_then(|mut matches| A::from_arg_matches_mut(&mut matches));
    parsed.map_err(|error| {
        let error = escaped_error(&mut command).unwrap_or_else(|| error.format(&mut command));
        let printed = error.print().and_then(|()| std::io::stdout().flush());
        match printed {
            Err(failed) if !error.use_stderr() && failed.kind() != ErrorKind::BrokenPipe => {
                exit(Err(Failure::io(failed).context("standard output")))
            }
            _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(u8::MAX)),
        }
    })
}

/// Parses the command line again with escaped arguments if any contains terminal control characters, because clap's
/// message repeats some of them (file names, for example). `None` if there are none.
fn escaped_error(command: &mut Command) -> Option<clap::Error> {
    let arguments: Vec<String> = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
    let shown: Vec<String> = arguments.iter().map(|argument| escaped(argument).into_owned()).collect();
    if shown == arguments { None } else { command.try_get_matches_from_mut(shown).err() }
}
