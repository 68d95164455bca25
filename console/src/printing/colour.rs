//! Bold and red text, if the output goes to a colour terminal.

use clap::ValueEnum;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::IsTerminal;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// When to colour the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Terminal sequence that this program emits.
#[derive(Debug)]
pub(super) struct Sequence {
    /// Form in the text until it is printed. Its second parameter is a random number of the process: text of a trace or
    /// a file name cannot contain it, so no such text is taken for the program's own colours.
    pub marked: String,
    /// Form that the terminal receives (ECMA-48, 8.3.117).
    pub printed: &'static str,
}

/// Sequences for bold, red, and the reset of both.
fn sequences() -> &'static [Sequence; 3] {
    static SEQUENCES: OnceLock<[Sequence; 3]> = OnceLock::new();
    SEQUENCES.get_or_init(|| {
        let number = RandomState::new().build_hasher().finish();
        [("1", "\u{1b}[1m"), ("31", "\u{1b}[31m"), ("0", "\u{1b}[0m")]
            .map(|(code, printed)| Sequence { marked: format!("\u{1b}[{code};{number}m"), printed })
    })
}

/// The program's own sequence at the start of `text`, if there is one.
pub(super) fn own_sequence(text: &str) -> Option<&'static Sequence> {
    sequences().iter().find(|sequence| text.starts_with(&sequence.marked))
}

static COLOR: AtomicBool = AtomicBool::new(false);

/// Decides once whether stdout is coloured.
pub fn set_color(color: Color) {
    #[cfg(windows)]
    let has_sequences = crate::console_mode::enable(&std::io::stdout());
    #[cfg(not(windows))]
    let has_sequences = true;
    let wanted = match color {
        Color::Auto => {
            let no_color = std::env::var_os("NO_COLOR").is_some_and(|set| !set.is_empty());
            has_sequences && std::io::stdout().is_terminal() && !no_color && !super::is_dumb()
        }
        Color::Always => true,
        Color::Never => false,
    };
    COLOR.store(wanted, Ordering::Relaxed);
}

/// True if output is coloured.
pub(super) fn is_on() -> bool {
    COLOR.load(Ordering::Relaxed)
}

/// True if stdout is read on a terminal: it is one, or colour is forced (`| less -R`).
pub fn is_for_people() -> bool {
    is_on() || std::io::stdout().is_terminal()
}

/// Returns `text` in bold if output is coloured.
pub fn bold(text: &str) -> String {
    styled(0, text, is_on())
}

/// Returns `text` in red if output is coloured.
pub fn red(text: &str) -> String {
    styled(1, text, is_on())
}

/// Encloses `text` in the sequence of this index and the reset.
pub(super) fn styled(sequence: usize, text: &str, is_coloured: bool) -> String {
    let text = super::escaped(text);
    let sequences = sequences();
    match sequences.get(sequence) {
        Some(begin) if is_coloured && !text.is_empty() => format!("{}{text}{}", begin.marked, sequences[2].marked),
        _ => text.into_owned(),
    }
}
