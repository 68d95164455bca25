//! Bold and red, where somebody sees them.

use clap::ValueEnum;
use std::io::IsTerminal;
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

const BOLD: &str = "\u{1b}[1m";
const RED: &str = "\u{1b}[31m";
const PLAIN: &str = "\u{1b}[0m";

/// All that this program tells a terminal.
pub(super) const SEQUENCES: [&str; 3] = [BOLD, RED, PLAIN];

static COLOR: AtomicBool = AtomicBool::new(false);

/// Decides once whether stdout is coloured.
pub fn set_color(color: Color) {
    let wanted = match color {
        Color::Auto => {
            let no_color = std::env::var_os("NO_COLOR").is_some_and(|set| !set.is_empty());
            std::io::stdout().is_terminal() && !no_color && !super::is_dumb()
        }
        Color::Always => true,
        Color::Never => false,
    };
    COLOR.store(wanted, Ordering::Relaxed);
}

/// Whether output is coloured.
pub(super) fn is_on() -> bool {
    COLOR.load(Ordering::Relaxed)
}

/// `text` in bold, where output is coloured.
pub fn bold(text: &str) -> String {
    styled(BOLD, text)
}

/// `text` in red, where output is coloured.
pub fn red(text: &str) -> String {
    styled(RED, text)
}

fn styled(style: &str, text: &str) -> String {
    let text = super::escaped(text);
    if is_on() && !text.is_empty() { format!("{style}{text}{PLAIN}") } else { text.into_owned() }
}
