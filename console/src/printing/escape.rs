//! Escaping of untrusted text from traces: it must neither control the terminal nor mislead the reader.

use super::colour;
use std::borrow::Cow;
use std::fmt::Write;

/// True if a terminal would interpret `character`, or display following text in another order or position.
fn is_active(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// True if `text` is visible ASCII, spaces and permitted line ends. Most text is, and there may be a lot of it: chunks
/// without an early exit are vectorised.
fn is_plain(text: &str, line_ends: bool) -> bool {
    let is_active = |byte: u8| ((byte < b' ') & !(line_ends & (byte == b'\n'))) | (byte >= 0x7f);
    text.as_bytes().chunks(64).all(|chunk| !chunk.iter().fold(false, |found, &byte| found | is_active(byte)))
}

/// Escapes text to one line: characters that control a terminal or the writing direction become `
/// ` or `\u{1b}`.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if is_plain(text, false) || !text.contains(is_active) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    text.chars().for_each(|character| escape_into(&mut out, character));
    Cow::Owned(out)
}

fn escape_into(out: &mut String, character: char) {
    if is_active(character) { out.extend(character.escape_default()) } else { out.push(character) }
}

/// Escapes text of many lines like [`escaped`], except for line ends, tabs and the program's own colours.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    harmless_of(text, colour::is_on())
}

/// Escapes as [`harmless`] does; without colour, the program's own sequences are escaped like all others.
fn harmless_of(text: &str, is_coloured: bool) -> Cow<'_, str> {
    if is_plain(text, true) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let own = if is_coloured && character == '\u{1b}' { colour::own_sequence(rest) } else { None };
        let taken = own.map_or(character.len_utf8(), |sequence| sequence.marked.len());
        match (own, character) {
            (Some(sequence), _) => out += sequence.printed,
            (None, '\n' | '\t') => out.push(character),
            (None, character) => escape_into(&mut out, character),
        }
        rest = &rest[taken..];
    }
    Cow::Owned(out)
}

/// Escapes the same characters in a JSON document, in JSON's notation. (Characters below a space in strings are escaped
/// already.)
pub fn json(text: &str) -> Cow<'_, str> {
    let is_active = |character: char| character >= '\u{7f}' && is_active(character);
    if !text.contains(is_active) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_active(character) {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// ESC, newline, bell, right-to-left override, a C1 control, a BOM.
    const HOSTILE: &str = "a\u{1b}[31mb\nc\u{7}d\u{202e}e\u{9b}f\u{feff}";

    #[test]
    fn terminal_control_characters_are_escaped() {
        assert_eq!(escaped(HOSTILE), r"a\u{1b}[31mb\nc\u{7}d\u{202e}e\u{9b}f\u{feff}");
        assert_eq!(harmless(HOSTILE), "a\\u{1b}[31mb\nc\\u{7}d\\u{202e}e\\u{9b}f\\u{feff}");
    }

    #[test]
    fn colours_of_the_program_are_printed_and_those_of_a_text_are_escaped() {
        let own = colour::styled(0, "a\u{1b}[1mb", true);
        assert_eq!(
            harmless_of(&format!("{own} \u{1b}[1mc\u{1b}[31md"), true),
            "\u{1b}[1ma\\u{1b}[1mb\u{1b}[0m \\u{1b}[1mc\\u{1b}[31md"
        );
        assert_eq!(textwrap::core::display_width(&colour::styled(1, "four", true)), 4, "colours take no room");
    }

    proptest! {
        #[test]
        fn nothing_active_is_left(text in any::<String>()) {
            prop_assert!(!escaped(&text).contains(is_active));
            prop_assert!(!harmless(&text).contains(|c| is_active(c) && c != '\n' && c != '\t'));
        }

        #[test]
        fn escaped_json_parses_to_the_same_value(text in any::<String>(), spice in "[\u{7f}-\u{9f}\u{202a}-\u{202e}\u{e0001}a]{0,4}") {
            let text = text + &spice;
            let document = serde_json::to_string(&text).unwrap_or_default();
            let shown = json(&document);
            prop_assert!(!shown.contains(is_active));
            prop_assert_eq!(serde_json::from_str::<String>(&shown).ok(), Some(text));
        }
    }
}
