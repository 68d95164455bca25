//! The room there is.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most columns that a paragraph has; a report's tables, where stdout is no terminal.
pub(super) const COLUMNS: u16 = 120;

/// A terminal that says it is narrower is treated as if it had so many columns.
const LEAST_COLUMNS: u16 = 40;

static ELSEWHERE: AtomicBool = AtomicBool::new(false);

/// From now on text is made for a file: without colour, and as wide as where there is no terminal.
pub fn for_a_file() {
    super::set_color(super::Color::Never);
    ELSEWHERE.store(true, Ordering::Relaxed);
}

/// Whether the terminal says that it can do nothing but print.
pub(crate) fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Columns of the terminal, if that is where text goes.
pub(super) fn columns() -> Option<u16> {
    if ELSEWHERE.load(Ordering::Relaxed) {
        return None;
    }
    // Asked once: a dump folds hundreds of thousands of lines.
    static STDOUT: OnceLock<Option<u16>> = OnceLock::new();
    *STDOUT
        .get_or_init(|| terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| width.0.max(LEAST_COLUMNS)))
}

/// Columns of the terminal that stderr is, if it is one.
pub(crate) fn columns_of_stderr() -> Option<u16> {
    terminal_size::terminal_size_of(std::io::stderr()).map(|(width, _)| width.0.max(LEAST_COLUMNS))
}

/// Rows of the terminal that stdout is, if it is one.
pub fn rows_of_stdout() -> Option<u16> {
    terminal_size::terminal_size_of(std::io::stdout()).map(|(_, height)| height.0)
}
