//! Results on stdout: tables, JSON, numbers that people read.

use crate::outcome::Failure;
use clap::ValueEnum;
use comfy_table::{CellAlignment, ContentArrangement, Table, TableComponent, presets};
use serde::Serialize;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use taut_schemas::nearest;

/// When output is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

static COLOR: AtomicBool = AtomicBool::new(false);

/// Decides once whether stdout is coloured.
pub fn set_color(color: Color) {
    let wanted = match color {
        Color::Auto => std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
        Color::Always => true,
        Color::Never => false,
    };
    COLOR.store(wanted, Ordering::Relaxed);
}

/// `text` in bold, where output is coloured.
pub fn bold(text: &str) -> String {
    if COLOR.load(Ordering::Relaxed) { format!("\u{1b}[1m{text}\u{1b}[0m") } else { text.to_owned() }
}

/// `text` in red, where output is coloured.
pub fn red(text: &str) -> String {
    if COLOR.load(Ordering::Relaxed) { format!("\u{1b}[31m{text}\u{1b}[0m") } else { text.to_owned() }
}

/// The most columns that a paragraph has; a report's tables, where stdout is no terminal.
const COLUMNS: u16 = 120;

/// Columns of the terminal, if stdout is one.
fn terminal_columns() -> Option<u16> {
    terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| width.0.max(40))
}

/// `text` in lines that fit the width.
pub fn paragraph(text: &str) -> String {
    let columns = usize::from(terminal_columns().unwrap_or(COLUMNS).min(COLUMNS));
    let (mut wrapped, mut length) = (String::with_capacity(text.len() + 8), 0);
    for word in text.split(' ') {
        let word_length = word.chars().count();
        if length > 0 && length + 1 + word_length > columns {
            wrapped.push('\n');
            length = 0;
        } else if length > 0 {
            wrapped.push(' ');
            length += 1;
        }
        wrapped += word;
        length += word_length;
    }
    wrapped + "\n"
}

/// Writes to stdout. A reader that has gone away (`| head`) is no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    print_bytes(text.as_bytes())
}

/// [`print`] of bytes that are no text.
pub fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => crate::output::end(0),
        other => other.map_err(|error| Failure::io(error).context("standard output")),
    }
}

/// Prints one JSON document.
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(Failure::io)?;
    print(&(text + "\n"))
}

/// A table with a heading that fits the terminal, if there is one; columns named in `right` are set flush right.
pub fn table<R: IntoIterator<Item = String>>(
    heading: &[&str],
    right: &[usize],
    rows: impl IntoIterator<Item = R>,
) -> String {
    table_within(terminal_columns(), heading, right, rows)
}

/// A table of a report, with sentences in its cells: it fits a page where there is no terminal.
pub fn report_table(heading: &[&str], right: &[usize], rows: Vec<Vec<String>>) -> String {
    table_within(Some(terminal_columns().unwrap_or(COLUMNS)), heading, right, rows)
}

fn table_within<R: IntoIterator<Item = String>>(
    columns: Option<u16>,
    heading: &[&str],
    right: &[usize],
    rows: impl IntoIterator<Item = R>,
) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    if let Some(columns) = columns {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(columns);
    }
    table.set_style(TableComponent::HeaderLines, '─').set_style(TableComponent::MiddleHeaderIntersections, '─');
    table.set_header(heading.iter().map(|name| bold(name)));
    for row in rows {
        table.add_row(row);
    }
    for column in right {
        if let Some(column) = table.column_mut(*column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// What to say of a name that is not known: the nearest that is, or all there are.
pub fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(other) => format!("unknown {what} {name:?}: did you mean {other:?}?"),
        None => format!("unknown {what} {name:?}: expected one of {}", known.join(", ")),
    }
}
