//! `taut shell`: an interactive SQL shell.

mod completion;
mod connection;
mod dot_commands;
mod duckdb;
mod line;
mod messages;
mod paging;
mod session;
mod statements;
mod terminal;
mod worker;

pub use worker::work;

use session::Session;
use statements::Statements;
use std::io::{BufRead, ErrorKind, IsTerminal, Read};
use taut_console::args::{Common, Shell};
use taut_console::outcome::{Failure, Outcome};
use taut_console::output::is_stdio;
use taut_tables::sql::MAX_TEXT_BYTES;

/// Action after a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Line,
    End,
    /// DuckDB takes the rest of the input.
    Duckdb,
}

/// Runs the shell until its input ends.
pub fn run(shell: &Shell, common: Common) -> Outcome {
    if shell.files.iter().any(|file| is_stdio(file)) {
        return Err(Failure::usage("queries are read from standard input: traces must be files"));
    }
    let mut session = Session::open(shell, common)?;
    let end = if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        terminal::run(&mut session)?
    } else {
        piped(&mut session)?
    };
    match end {
        Next::Duckdb => duckdb::run(shell, session.interactive),
        Next::Line | Next::End => session.finish(),
    }
}

/// Runs queries from a pipe or file; with `--bail`, the first one that fails ends the shell.
fn piped(session: &mut Session<'_>) -> Result<Next, Failure> {
    let mut statements = Statements::default();
    let mut input = std::io::stdin().lock();
    while let Some(line) = next_line(&mut input)? {
        let next = take(session, &mut statements, &line)?;
        if next != Next::Line {
            return Ok(next);
        }
    }
    // The last query needs no semicolon.
    if let Some(rest) = statements.rest() {
        run_statement(session, &rest)?;
    }
    Ok(Next::End)
}

/// The next line without its end; `None` at the end of the input.
///
/// # Errors
/// The input cannot be read, is no text, or has a line that is longer than any question may be.
fn next_line(input: &mut impl BufRead) -> Result<Option<String>, Failure> {
    let failed = |error: std::io::Error| Failure::reading(error.kind(), error).context("standard input");
    let mut line = Vec::new();
    // With `\r\n` and one byte more than a question may have: its presence is the proof that the line is too long.
    input.take(MAX_TEXT_BYTES + 3).read_until(b'\n', &mut line).map_err(failed)?;
    if line.is_empty() {
        return Ok(None);
    }
    let end = line.strip_suffix(b"\n").map_or(line.len(), |text| text.strip_suffix(b"\r").unwrap_or(text).len());
    line.truncate(end);
    if line.len() as u64 > MAX_TEXT_BYTES {
        return Err(statements::too_long().context("standard input"));
    }
    let text = String::from_utf8(line);
    text.map(Some).map_err(|error| failed(std::io::Error::new(ErrorKind::InvalidData, error.utf8_error())))
}

/// Processes a line: a command of the shell, or part of a query.
fn take(session: &mut Session<'_>, statements: &mut Statements, line: &str) -> Result<Next, Failure> {
    if statements.is_empty() && line.trim_start().starts_with(['.', '\\']) {
        return match dot_commands::run(session, line.trim()) {
            Err(failure) => session.after_failure(failure),
            next => next,
        };
    }
    for statement in statements.push(line)? {
        if run_statement(session, &statement)? == Next::End {
            return Ok(Next::End);
        }
    }
    Ok(Next::Line)
}

fn run_statement(session: &mut Session<'_>, sql: &str) -> Result<Next, Failure> {
    match session.run_query(sql) {
        Ok(()) if session.has_to_end() => Ok(Next::End),
        Ok(()) => Ok(Next::Line),
        Err(failure) => session.after_failure(failure),
    }
}
