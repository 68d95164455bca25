//! Paging of results that are longer than the terminal.

use std::io::Write;
use std::process::{Command, Stdio};
use taut_console::interrupt::handle_interrupt;
use taut_console::outcome::Failure;
use taut_console::printing::{print, rows_of_stdout, shown_escaped};

/// Prints a text; if it does not fit the terminal, it goes through `$PAGER`, or `less` if available.
///
/// # Errors
/// The text cannot be printed.
pub fn show(text: &str) -> Result<(), Failure> {
    let fits = rows_of_stdout().is_none_or(|rows| text.lines().count() + 1 < usize::from(rows));
    if fits || !paged(text) { print(text) } else { Ok(()) }
}

/// True if a pager displayed the text.
fn paged(text: &str) -> bool {
    let chosen = std::env::var("PAGER").unwrap_or_default();
    let mut words = chosen.split_whitespace();
    let mut command = match words.next() {
        Some(program) => {
            let mut command = Command::new(program);
            command.args(words);
            command
        }
        None => {
            let mut command = Command::new("less");
            // -S truncates long lines, -F exits if the text fits, -X leaves it on the screen, -R shows colours.
            command.args(["-S", "-F", "-X", "-R"]);
            command
        }
    };
    let Ok(mut pager) = command.stdin(Stdio::piped()).spawn() else { return false };
    // While the pager runs, Ctrl-C is for the pager.
    let _guard = handle_interrupt(|| {});
    if let Some(mut stdin) = pager.stdin.take() {
        // Fails if the user quits the pager before all text is written.
        let _ = stdin.write_all(shown_escaped(text).as_bytes());
    }
    pager.wait().is_ok_and(|status| status.code() != Some(127))
}
