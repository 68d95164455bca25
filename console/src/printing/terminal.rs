//! Size of the terminal.

use std::io::IsTerminal;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Maximum width of a paragraph, and the width of report tables if stdout is not a terminal.
pub(super) const COLUMNS: u16 = 120;

/// Width of a terminal that reports none (ECMA-48 devices and serial lines have 80 columns).
const DEFAULT_COLUMNS: u16 = 80;

/// Environment variable with the width: for a terminal that reports none, and for output that is no terminal.
const COLUMNS_VARIABLE: &str = "COLUMNS";

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

/// Width of the terminal that output goes to, or of `COLUMNS`; `None` if neither exists.
pub(super) fn columns() -> Option<u16> {
    if FOR_FILE.load(Ordering::Relaxed) {
        return None;
    }
    // Queried once: a dump wraps hundreds of thousands of lines.
    static STDOUT: OnceLock<Option<u16>> = OnceLock::new();
    *STDOUT.get_or_init(|| {
        let stdout = std::io::stdout();
        width(
            terminal_size::terminal_size_of(&stdout).map(|(width, _)| width.0),
            stdout.is_terminal(),
            variable().as_deref(),
        )
    })
}

/// Width of the terminal that stderr is, if it is one.
pub(crate) fn columns_of_stderr() -> Option<u16> {
    let stderr = std::io::stderr();
    let reported = terminal_size::terminal_size_of(&stderr).map(|(width, _)| width.0);
    if stderr.is_terminal() { width(reported, true, variable().as_deref()) } else { None }
}

fn variable() -> Option<String> {
    std::env::var(COLUMNS_VARIABLE).ok()
}

/// Width of an output. `reported` is the width that the terminal reports; 0 stands for an unknown one. `variable` is the
/// value of `COLUMNS`, which a terminal's own width replaces.
fn width(reported: Option<u16>, is_terminal: bool, variable: Option<&str>) -> Option<u16> {
    let reported = reported.filter(|columns| *columns > 0);
    let variable = || variable.and_then(|text| text.trim().parse::<u16>().ok()).filter(|columns| *columns > 0);
    let columns = reported.or_else(variable).or(is_terminal.then_some(DEFAULT_COLUMNS));
    columns.map(|columns| columns.max(MIN_COLUMNS))
}

/// Height of the terminal that stdout is, if it is one.
pub fn rows_of_stdout() -> Option<u16> {
    terminal_size::terminal_size_of(std::io::stdout()).map(|(_, height)| height.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_is_that_of_the_terminal_then_of_the_variable_then_80() {
        assert_eq!(width(Some(100), true, Some("60")), Some(100));
        assert_eq!(width(Some(0), true, Some("60")), Some(60));
        assert_eq!(width(None, true, None), Some(80), "a terminal of 0 rows and columns");
        assert_eq!(width(None, false, Some("90")), Some(90));
        assert_eq!(width(None, false, None), None);
        for wrong in ["", "0", "-1", "eighty", "70000"] {
            assert_eq!(width(None, false, Some(wrong)), None, "{wrong:?}");
            assert_eq!(width(None, true, Some(wrong)), Some(80), "{wrong:?}");
        }
        assert_eq!(width(Some(10), true, None), Some(MIN_COLUMNS));
    }
}
