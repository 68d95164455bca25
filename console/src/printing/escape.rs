//! What comes out of a trace may hold anything; no terminal is to obey it, and no reader to be misled by it.

use super::colour;
use std::borrow::Cow;
use std::fmt::Write;

/// Whether a terminal would obey `character`, or show what follows in another order or place.
fn is_active(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Whether all of `text` is visible ASCII, blanks, and the line ends that are allowed. Most text is, and there may be much of it:
/// chunks without an early end are looked at by vectors.
fn is_plain(text: &str, line_ends: bool) -> bool {
    let is_active = |byte: u8| ((byte < b' ') & !(line_ends & (byte == b'\n'))) | (byte >= 0x7f);
    text.as_bytes().chunks(64).all(|chunk| !chunk.iter().fold(false, |found, &byte| found | is_active(byte)))
}

/// `text` in one line: characters that control a terminal or the direction of writing as `\n` or `\u{1b}`.
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

/// Text of many lines: what [`escaped`] escapes but line ends, tabs and this program's own colours.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    if is_plain(text, true) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let known = colour::SEQUENCES.iter().find(|sequence| colour::is_on() && rest.starts_with(**sequence));
        let taken = known.map_or(character.len_utf8(), |sequence| sequence.len());
        match (known, character) {
            (Some(sequence), _) => out += sequence,
            (None, '\n' | '\t') => out.push(character),
            (None, character) => escape_into(&mut out, character),
        }
        rest = &rest[taken..];
    }
    Cow::Owned(out)
}

/// JSON with the same characters in JSON's own escapes. (Those below a space it has escaped itself within strings.)
pub(super) fn json(text: &str) -> Cow<'_, str> {
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
    fn what_a_terminal_would_obey_is_shown() {
        assert_eq!(escaped(HOSTILE), r"a\u{1b}[31mb\nc\u{7}d\u{202e}e\u{9b}f\u{feff}");
        assert_eq!(harmless(HOSTILE), "a\\u{1b}[31mb\nc\\u{7}d\\u{202e}e\\u{9b}f\\u{feff}");
    }

    proptest! {
        #[test]
        fn nothing_active_is_left(text in any::<String>()) {
            prop_assert!(!escaped(&text).contains(is_active));
            prop_assert!(!harmless(&text).contains(|c| is_active(c) && c != '\n' && c != '\t'));
        }

        #[test]
        fn json_says_the_same_without_them(text in any::<String>(), spice in "[\u{7f}-\u{9f}\u{202a}-\u{202e}\u{e0001}a]{0,4}") {
            let text = text + &spice;
            let document = serde_json::to_string(&text).unwrap_or_default();
            let shown = json(&document);
            prop_assert!(!shown.contains(is_active));
            prop_assert_eq!(serde_json::from_str::<String>(&shown).ok(), Some(text));
        }
    }
}
