//! Text as UTF-8, converted from the encodings that shells and spreadsheets write.

use crate::encoding::Encoding;
use std::io::{self, Cursor, Read};

/// Number of bytes from which the encoding is recognised.
const HEAD_BYTES: usize = 4;
/// Number of bytes that are converted at a time.
const CHUNK_BYTES: usize = 64 << 10;

/// Reader that converts UTF-16 to UTF-8, and leaves out the byte-order mark.
pub(crate) struct Utf8Reader<R> {
    input: io::Chain<Cursor<Vec<u8>>, R>,
    encoding: Encoding,
    /// Byte of an incomplete unit, and unit of an incomplete surrogate pair.
    odd_byte: Option<u8>,
    surrogate: Option<u16>,
    /// Converted bytes that were not read yet.
    ready: Cursor<Vec<u8>>,
}

impl<R: Read> Utf8Reader<R> {
    /// Recognises the encoding by the byte-order mark, or by the zero bytes of UTF-16.
    pub fn new(mut input: R) -> io::Result<Utf8Reader<R>> {
        let mut head = Vec::new();
        input.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head)?;
        let (encoding, mark_bytes) = Encoding::detect(&head);
        let head = head.split_off(mark_bytes);
        let input = Cursor::new(head).chain(input);
        Ok(Utf8Reader { input, encoding, odd_byte: None, surrogate: None, ready: Cursor::default() })
    }

    /// Converts the next chunk with the function that decodes a unit; leaves nothing ready at the end of the input.
    fn convert(&mut self, unit: fn([u8; 2]) -> u16) -> io::Result<()> {
        let mut text = String::new();
        let mut chunk = vec![0; CHUNK_BYTES];
        while text.is_empty() {
            let read = self.input.read(&mut chunk)?;
            if read == 0 {
                break;
            }
            let bytes: Vec<u8> = self.odd_byte.take().into_iter().chain(chunk[..read].iter().copied()).collect();
            let (pairs, rest) = bytes.as_chunks::<2>();
            self.odd_byte = rest.first().copied();
            let units = pairs.iter().map(|pair| unit(*pair));
            let mut units: Vec<u16> = self.surrogate.take().into_iter().chain(units).collect();
            // A pair may be split between two chunks.
            self.surrogate = units.pop_if(|last| (0xd800..0xdc00).contains(last));
            text.extend(char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)));
        }
        self.ready = Cursor::new(text.into_bytes());
        Ok(())
    }
}

impl<R: Read> Read for Utf8Reader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(unit) = self.encoding.unit() else { return self.input.read(buffer) };
        let read = self.ready.read(buffer)?;
        if read > 0 || buffer.is_empty() {
            return Ok(read);
        }
        self.convert(unit)?;
        self.ready.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> String {
        let mut text = String::new();
        Utf8Reader::new(bytes).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn every_encoding_gives_the_same_text() {
        let expected = "Application,ü\u{1f3ae}\n".repeat(20_000);
        let utf16 = |bytes: fn(u16) -> [u8; 2], mark: &str| -> Vec<u8> {
            (mark.to_owned() + &expected).encode_utf16().flat_map(bytes).collect()
        };
        assert_eq!(text(expected.as_bytes()), expected);
        assert_eq!(text(("\u{feff}".to_owned() + &expected).as_bytes()), expected);
        for mark in ["", "\u{feff}"] {
            assert_eq!(text(&utf16(u16::to_le_bytes, mark)), expected);
            assert_eq!(text(&utf16(u16::to_be_bytes, mark)), expected);
        }
    }

    #[test]
    fn a_file_of_any_length_is_read() {
        for length in 0..6 {
            let bytes = &[0xff, 0xfe, b'a', 0, b'b', 0][..length];
            Utf8Reader::new(bytes).unwrap().read_to_end(&mut Vec::new()).unwrap();
        }
        assert_eq!(text(&[0xff, 0xfe, b'a', 0, b'b']), "a");
    }
}
