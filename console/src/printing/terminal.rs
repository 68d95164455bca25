//! Size of the terminal.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Maximum width of a paragraph, and the width of report tables if stdout is not a terminal.
pub(super) const COLUMNS: u16 = 120;

/// Minimum width: a terminal that reports less is treated as this wide.
const MIN_COLUMNS: u16 = 40;

static FOR_FILE: AtomicBool = AtomicBool::new(false);

static WIDE: AtomicBool = AtomicBool::new(false);

/// Decides whether tables show all columns on a terminal that is too narrow for them.
pub fn set_wide(is_wide: bool) {
    WIDE.store(is_wide, Ordering::Relaxed);
}

/// True if tables show all columns.
pub(super) fn is_wide() -> bool {
    WIDE.load(Ordering::Relaxed)
}

/// Switches to output for a file: without colour, and with the width used without a terminal.
pub fn for_a_file() {
    super::set_color(super::Color::Never);
    FOR_FILE.store(true, Ordering::Relaxed);
}

/// True if the terminal has no control sequences.
pub(crate) fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Width of the terminal that output goes to, if it is one.
pub(super) fn columns() -> Option<u16> {
    if FOR_FILE.load(Ordering::Relaxed) {
        return None;
    }
    // Queried once: a dump wraps hundreds of thousands of lines.
    static STDOUT: OnceLock<Option<u16>> = OnceLock::new();
    *STDOUT
        .get_or_init(|| terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| width.0.max(MIN_COLUMNS)))
}

/// Width of the terminal that stderr is, if it is one.
pub(crate) fn columns_of_stderr() -> Option<u16> {
    terminal_size::terminal_size_of(std::io::stderr()).map(|(width, _)| width.0.max(MIN_COLUMNS))
}

/// Height of the terminal that stdout is, if it is one.
pub fn rows_of_stdout() -> Option<u16> {
    terminal_size::terminal_size_of(std::io::stdout()).map(|(_, height)| height.0)
}
