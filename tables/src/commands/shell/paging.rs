//! Answers that are longer than the terminal, a page at a time.

use std::io::Write;
use std::process::{Command, Stdio};
use taut_console::interrupt::ask_instead;
use taut_console::outcome::Failure;
use taut_console::printing::{print, rows_of_stdout, shown_escaped};

/// Shows a text: what does not fit goes through `$PAGER`, or `less`, where there is one.
///
/// # Errors
/// It cannot be printed.
pub fn show(text: &str) -> Result<(), Failure> {
    let fits = rows_of_stdout().is_none_or(|rows| text.lines().count() + 1 < usize::from(rows));
    if fits || !paged(text) { print(text) } else { Ok(()) }
}

/// Whether a pager has shown it.
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
            // Long lines are cut off; what fits is left on the screen; colours are shown.
            command.args(["-S", "-F", "-X", "-R"]);
            command
        }
    };
    let Ok(mut pager) = command.stdin(Stdio::piped()).spawn() else { return false };
    // Ctrl-C is for the pager as long as it runs.
    let _asking = ask_instead(|| {});
    if let Some(mut stdin) = pager.stdin.take() {
        // Who has seen enough ends the pager before all is written.
        let _ = stdin.write_all(shown_escaped(text).as_bytes());
    }
    pager.wait().is_ok_and(|status| status.code() != Some(127))
}
