//! Results on stdout: tables, JSON, numbers that people read.

use crate::outcome::Failure;
use clap::ValueEnum;
use comfy_table::{CellAlignment, Table, TableComponent, presets};
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

/// Writes to stdout. A reader that has gone away (`| head`) is no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        other => other.map_err(|error| Failure::io(error).context("standard output")),
    }
}

/// Prints one JSON document.
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(Failure::io)?;
    print(&(text + "\n"))
}

/// A table with a heading; columns named in `right` are set flush right.
pub fn table<R: IntoIterator<Item = String>>(
    heading: &[&str],
    right: &[usize],
    rows: impl IntoIterator<Item = R>,
) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
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
