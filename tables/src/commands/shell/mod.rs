//! `taut shell`: questions one after another.

mod answering;
mod completing;
mod dotted;
mod line;
mod paging;
mod session;
mod statements;
mod terminal;

use session::Session;
use statements::Statements;
use std::io::{BufRead, IsTerminal};
use taut_console::args::{Common, Shell};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::output::is_stdio;

/// What to do after a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Line,
    End,
}

/// Answers questions until there are no more.
pub fn run(shell: &Shell, common: Common) -> Outcome {
    if shell.files.iter().any(|file| is_stdio(file)) {
        return Err(Failure::usage("questions come from standard input: traces are files here"));
    }
    let mut session = Session::open(shell, common)?;
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        terminal::run(&mut session)?;
    } else {
        piped(&mut session)?;
    }
    Ok(session.damage())
}

/// Answers what comes out of a pipe or file; the first question that has no answer is the last.
fn piped(session: &mut Session) -> Outcome {
    let mut statements = Statements::default();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::io(error).context("standard input"))?;
        if take(session, &mut statements, &line)? == Next::End {
            return Ok(Status::Fine);
        }
    }
    // The last needs no end.
    if let Some(rest) = statements.rest() {
        session.ask(&rest)?;
    }
    Ok(Status::Fine)
}

/// Takes a line: a command of the shell, or some of a question.
fn take(session: &mut Session, statements: &mut Statements, line: &str) -> Result<Next, Failure> {
    if statements.is_empty() && line.trim_start().starts_with('.') {
        return dotted::run(session, line.trim());
    }
    for statement in statements.push(line) {
        session.ask(&statement)?;
    }
    Ok(Next::Line)
}
