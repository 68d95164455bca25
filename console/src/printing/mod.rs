//! Printing of results on stdout: tables, JSON, text.

mod colour;
mod columns;
mod csv_safe;
mod escape;
mod paragraph;
mod table;
mod terminal;

pub use colour::{Color, bold, is_for_people, red, set_color};
pub use csv_safe::csv_safe;
pub(crate) use escape::harmless;
pub use escape::{escaped, json as json_escaped};
pub use paragraph::{folded, list_item, paragraph};
pub use table::{ranked_table, report_table, table};
pub(crate) use terminal::{columns_of_stderr, is_dumb};
pub use terminal::{for_a_file, rows_of_stdout, set_wide};

pub use taut_schemas::unknown_name as unknown;

use crate::outcome::Failure;
use serde::Serialize;
use std::fmt::Display;
use std::io::{ErrorKind, Write};

/// Prints text on stdout with control characters escaped. A closed pipe (`| head`) is no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    print_bytes(harmless(text).as_bytes())
}

/// Returns text escaped as [`print()`] prints it.
pub fn shown_escaped(text: &str) -> std::borrow::Cow<'_, str> {
    harmless(text)
}

/// Prints bytes on stdout unchanged.
pub fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => crate::unfinished::end(0),
        other => other.map_err(|error| Failure::io(error).context("standard output")),
    }
}

/// Prints one JSON document.
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print_bytes(json_document(value)?.as_bytes())
}

/// Formats an indented JSON document that is safe for a terminal.
pub fn json_document(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(value).map_err(Failure::io)?;
    Ok(escape::json(&text).into_owned() + "\n")
}

/// Prints one JSON document in one line.
pub fn print_json_line(value: &impl Serialize) -> Result<(), Failure> {
    print_bytes(json_line(value)?.as_bytes())
}

/// Formats a JSON document in one line that is safe for a terminal.
pub fn json_line(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string(value).map_err(Failure::io)?;
    Ok(escape::json(&text).into_owned() + "\n")
}

/// Prints a message on stderr. A line end is preserved only before two spaces, as in an excerpt of SQL; any other is
/// escaped, because the rest of a file name could look like a separate message. Control characters are escaped. A
/// failure to write is ignored.
pub fn print_message(message: impl Display) {
    let message = message.to_string();
    let lines: Vec<_> = message.split(CONTINUED).map(escaped).collect();
    write_on_stderr(&(paragraph::folded_on_stderr(&format!("taut: {}", lines.join(CONTINUED))) + "\n"));
}

/// Start of a continuation line of a message.
const CONTINUED: &str = "\n  ";

/// Prints text on stderr as [`print()`] does on stdout. A failure to write is ignored.
pub fn print_on_stderr(text: &str) {
    write_on_stderr(&harmless(text));
}

/// Writes to stderr. `eprint!` would panic if stderr is full or closed, and replace the exit code of the outcome.
fn write_on_stderr(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
