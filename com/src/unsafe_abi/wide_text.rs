//! Texts of wide characters: of 32 bits on Linux, of 16 on Windows.

use super::convention::Convention;
use super::pointer::In;
use std::ffi::c_void;

/// Characters of a name at most.
const MAX: usize = 1 << 16;

/// LPCWSTR that the client passes; may be null.
#[repr(transparent)]
#[derive(Debug, Clone, Copy)]
pub struct WideText(*const c_void);

impl WideText {
    /// The text up to its end; characters that are none are replaced. `None` for NULL.
    pub fn read(self) -> Option<String> {
        if self.0.is_null() {
            return None;
        }
        Some(match Convention::current() {
            Convention::SystemV => from_words(elements(In::from_pointer(self.0.cast()))),
            Convention::Windows => from_halves(elements(In::from_pointer(self.0.cast()))),
        })
    }
}

/// Elements of a text up to its end.
fn elements<T: super::plain::Plain + Default + PartialEq>(pointer: In<T>) -> impl Iterator<Item = T> {
    (0..MAX).map_while(move |index| pointer.at(index)).take_while(|element| *element != T::default())
}

fn from_words(words: impl Iterator<Item = u32>) -> String {
    words.map(|word| char::from_u32(word).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

fn from_halves(halves: impl Iterator<Item = u16>) -> String {
    char::decode_utf16(halves).map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// The text of bytes that the client passed, up to its end.
pub fn wide_text(bytes: &[u8]) -> String {
    match Convention::current() {
        Convention::SystemV => {
            let words = bytes.chunks_exact(4).filter_map(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
            from_words(words.take_while(|word| *word != 0))
        }
        Convention::Windows => {
            let halves = bytes.chunks_exact(2).filter_map(|bytes| bytes.try_into().ok()).map(u16::from_le_bytes);
            from_halves(halves.take_while(|half| *half != 0))
        }
    }
}

/// Bytes of a text with an end.
pub fn wide_bytes(text: &str) -> Vec<u8> {
    match Convention::current() {
        Convention::SystemV => text.chars().map(u32::from).chain([0]).flat_map(u32::to_le_bytes).collect(),
        Convention::Windows => text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_both_systems_end_at_zero_and_replace_what_is_no_character() {
        assert_eq!(from_words([0x66, 0x1f600, 0xd800].into_iter()), "f\u{1f600}\u{fffd}");
        assert_eq!(from_halves([0x66, 0xd83d, 0xde00, 0xd800].into_iter()), "f\u{1f600}\u{fffd}");
        let text = [0x66_u16, 0xe7, 0, 0x67];
        assert_eq!(from_halves(elements(In::from_pointer(text.as_ptr()))), "f\u{e7}");
        let text = [0x66_u32, 0, 0x67];
        assert_eq!(from_words(elements(In::from_pointer(text.as_ptr()))), "f");
    }
}
