//! Paragraphs, wrapped at spaces only.

use super::terminal::{COLUMNS, columns};
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// Wrapping options: at spaces, never within a word.
pub(super) fn at_spaces<'a>(columns: usize) -> Options<'a> {
    Options::new(columns)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit)
}

/// Wraps `text` to the width of the output.
pub fn paragraph(text: &str) -> String {
    let columns = usize::from(columns().unwrap_or(COLUMNS).min(COLUMNS));
    textwrap::fill(&super::escaped(text), at_spaces(columns)) + "\n"
}

/// Wraps `text` to the width of the output as an item of a list, two columns to the right.
pub fn list_item(text: &str) -> String {
    let columns = usize::from(columns().unwrap_or(COLUMNS).min(COLUMNS));
    let options = at_spaces(columns).initial_indent("  • ").subsequent_indent("    ");
    textwrap::fill(&super::escaped(text), options) + "\n"
}

/// Wraps lines that are too long for the terminal, if there is one, and indents their continuation.
pub fn folded(text: &str) -> String {
    match columns() {
        Some(columns) => folded_within(usize::from(columns), text),
        None => text.to_owned(),
    }
}

/// Wraps lines as [`folded`] does, for stderr.
pub(super) fn folded_on_stderr(text: &str) -> String {
    match super::terminal::columns_of_stderr() {
        Some(columns) => folded_within(usize::from(columns), text),
        None => text.to_owned(),
    }
}

pub(super) fn folded_within(columns: usize, text: &str) -> String {
    text.split('\n').map(|line| folded_line(columns, line)).collect::<Vec<_>>().join("\n")
}

fn folded_line(columns: usize, line: &str) -> String {
    let words = line.trim_start_matches(' ');
    // At least half of the width remains for the words.
    let indent = " ".repeat((line.len() - words.len()).min(columns / 2));
    let further = format!("{indent}  ");
    if textwrap::core::display_width(line) <= columns {
        return line.to_owned();
    }
    textwrap::fill(words, at_spaces(columns).initial_indent(&indent).subsequent_indent(&further))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn folding_breaks_no_word_and_no_line_is_too_long_but_for_one_word(
            text in "( {0,6}([a-z]{1,30} ){0,20}[a-z]{1,9}\n){1,5}",
            columns in 40usize..100,
        ) {
            let folded = folded_within(columns, &text);
            prop_assert!(folded.split_whitespace().eq(text.split_whitespace()));
            for line in folded.lines() {
                prop_assert!(line.len() <= columns, "{line:?}");
            }
        }
    }

    #[test]
    fn a_line_goes_on_below_itself() {
        assert_eq!(
            folded_within(40, "  one two three four five six seven eight nine"),
            "  one two three four five six seven\n    eight nine"
        );
        assert_eq!(folded_within(40, "short\n\n  and more\n"), "short\n\n  and more\n");
    }
}
