//! The text of a dump: BuildStatsString gives UTF-16 that begins with a byte order mark; programs write it as that or as UTF-8.

use super::error::DumpError;
use std::borrow::Cow;

/// The text in a file's bytes.
pub(super) fn text<'a>(bytes: &'a [u8], origin: &str) -> Result<Cow<'a, str>, DumpError> {
    let fault = |at, expected| DumpError::Text { origin: origin.to_owned(), at, expected };
    let utf_16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let (pairs, rest) = bytes.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(fault(2 + bytes.len(), "the second byte of a UTF-16 unit"));
        }
        let (mut text, mut at) = (String::with_capacity(pairs.len()), 2);
        for unit in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
            let letter = unit.map_err(|_| fault(at, "UTF-16, each surrogate with its other half"))?;
            at += 2 * letter.len_utf16();
            text.push(letter);
        }
        // The string's end is written by some programs.
        Ok(Cow::Owned(text.trim_end_matches('\0').to_owned()))
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf_16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf_16(rest, u16::from_be_bytes),
        _ => {
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|error| fault(error.valid_up_to(), "UTF-8 or UTF-16"))
        }
    }
}
