//! Results on stdout: tables, JSON, numbers that people read.

use crate::outcome::Failure;
use clap::ValueEnum;
use comfy_table::{CellAlignment, Table, TableComponent, presets};
use serde::Serialize;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

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

/// A number with its thousands apart: 1,234,567.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Bytes in binary units, three digits: 1.42 GiB.
pub fn bytes(value: u64) -> String {
    const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let unit = (value.max(1).ilog2() / 10) as usize;
    let scaled = value as f64 / (1u64 << (10 * unit)) as f64;
    let places = match scaled {
        _ if unit == 0 => 0,
        scaled if scaled < 9.995 => 2,
        scaled if scaled < 99.95 => 1,
        _ => 0,
    };
    format!("{scaled:.places$} {}", UNITS[unit])
}

/// A time span: 1.42 s, 12.3 ms, 950 ns.
pub fn span(nanoseconds: u64) -> String {
    let (scale, unit) = match nanoseconds {
        0..1_000 => return format!("{nanoseconds} ns"),
        1_000..1_000_000 => (1e3, "µs"),
        1_000_000..1_000_000_000 => (1e6, "ms"),
        _ => (1e9, "s"),
    };
    format!("{:.2} {unit}", nanoseconds as f64 / scale)
}

/// What to say of a name that is not known: the nearest that is, or all there are.
pub fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let near = known.iter().map(|other| (strsim::damerau_levenshtein(name, other), other)).min();
    match near {
        Some((distance, other)) if distance <= 2.max(name.len() / 3) => {
            format!("unknown {what} {name:?}: did you mean {other:?}?")
        }
        _ => format!("unknown {what} {name:?}: expected one of {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_people_write_them() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [0, 1023, 1024, 65_536, 1_356_333_056, u64::MAX].map(bytes),
            ["0 B", "1023 B", "1.00 KiB", "64.0 KiB", "1.26 GiB", "16.0 EiB"]
        );
        assert_eq!([999, 1_500, 2_000_000, 3_250_000_000].map(span), ["999 ns", "1.50 µs", "2.00 ms", "3.25 s"]);
    }
}
