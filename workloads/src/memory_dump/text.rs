//! Decoding of a dump's text: BuildStatsString returns UTF-16 with a byte order mark; programs save it unchanged, without
//! the mark (`wcslen` × 2 bytes), or as UTF-8.

use super::error::DumpError;
use crate::encoding::Encoding;
use std::borrow::Cow;

/// Decodes the bytes of a file. Terminating zeros, which some programs write with the string, are left out.
pub(super) fn text<'a>(bytes: &'a [u8], origin: &str) -> Result<Cow<'a, str>, DumpError> {
    let (encoding, mark_bytes) = Encoding::detect(bytes);
    let fault = |at: usize, expected| DumpError::Text { origin: origin.to_owned(), at: mark_bytes + at, expected };
    let bytes = &bytes[mark_bytes..];
    let text = match encoding.unit() {
        None => {
            Cow::Borrowed(std::str::from_utf8(bytes).map_err(|error| fault(error.valid_up_to(), "UTF-8 or UTF-16"))?)
        }
        Some(unit) => Cow::Owned(utf_16(bytes, unit).map_err(|(at, expected)| fault(at, expected))?),
    };
    Ok(match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_end_matches('\0')),
        Cow::Owned(text) => Cow::Owned(text.trim_end_matches('\0').to_owned()),
    })
}

/// Decodes UTF-16. Returns the byte offset of the first fault, and the expected bytes.
fn utf_16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, (usize, &'static str)> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    // A single zero at the end is half of a terminator that was cut, or the terminator of a narrow string.
    if rest.iter().any(|byte| *byte != 0) {
        return Err((bytes.len(), "the second byte of a UTF-16 unit"));
    }
    let (mut text, mut at) = (String::with_capacity(pairs.len()), 0);
    for unit in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        let letter = unit.map_err(|_| (at, "UTF-16, each surrogate with its other half"))?;
        at += 2 * letter.len_utf16();
        text.push(letter);
    }
    Ok(text)
}
