//! Results on stdout: tables, JSON, numbers that people read.

mod colour;
mod columns;
mod escape;
mod paragraph;
mod table;
mod terminal;

pub use colour::{Color, bold, red, set_color};
pub use escape::escaped;
pub(crate) use escape::harmless;
pub use paragraph::{folded, paragraph};
pub use table::{report_table, table};
pub(crate) use terminal::{columns_of_stderr, is_dumb};
pub use terminal::{for_a_file, rows_of_stdout};

use crate::outcome::Failure;
use serde::Serialize;
use std::fmt::Display;
use std::io::{ErrorKind, Write};
use taut_schemas::{nearest, nearest_few};

/// Writes people's text to stdout; what no terminal should obey is shown escaped. A reader that has gone away (`| head`) is
/// no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    print_bytes(harmless(text).as_bytes())
}

/// People's text with what no terminal should obey escaped, as [`print`] shows it.
pub fn shown_escaped(text: &str) -> std::borrow::Cow<'_, str> {
    harmless(text)
}

/// Writes what is no people's text to stdout, as it is.
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

/// One JSON document in many lines, as it may go to a terminal.
pub fn json_document(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(value).map_err(Failure::io)?;
    Ok(escape::json(&text).into_owned() + "\n")
}

/// Prints one JSON document in one line.
pub fn print_json_line(value: &impl Serialize) -> Result<(), Failure> {
    print_bytes(json_line(value)?.as_bytes())
}

/// One JSON document in one line, as it may go to a terminal.
pub fn json_line(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string(value).map_err(Failure::io)?;
    Ok(escape::json(&text).into_owned() + "\n")
}

/// Says something on stderr; what no terminal should obey is shown escaped.
pub fn tell(message: impl Display) {
    eprintln!("{}", paragraph::folded_on_stderr(&format!("taut: {}", harmless(&message.to_string()))));
}

/// Names that are told, of more than these.
const TOLD: usize = 40;
/// Names that are told of many.
const TOLD_OF_MANY: usize = 5;

/// What to say of a name that is not known: the nearest that is, or all there are, or of many the nearest few.
pub fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(other) => format!("unknown {what} {name:?}: did you mean {other:?}?"),
        None if known.len() > TOLD => {
            let few = nearest_few(name, known.iter().copied(), TOLD_OF_MANY);
            let count = known.len();
            format!("unknown {what} {name:?}: expected one of {count} such as {}", few.join(", "))
        }
        None => format!("unknown {what} {name:?}: expected one of {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_names_the_nearest_few_are_told() {
        let many: Vec<String> = (0..130).map(|number| format!("FORMAT_{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let told = unknown("format", "quite another thing", &many);
        assert!(told.contains("expected one of 130 such as FORMAT_") && told.len() < 140, "{told}");
        assert_eq!(unknown("colour", "quite", &["red", "blue"]), "unknown colour \"quite\": expected one of red, blue");
    }
}
