//! Encodings of text files that other programs write.

/// Encoding of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Utf16LittleEndian,
    Utf16BigEndian,
}

impl Encoding {
    /// Returns the encoding of a text, and the size in bytes of its byte order mark. Without a mark, a zero in one half of
    /// the first unit shows UTF-16: all formats that are read begin with an ASCII character.
    pub(crate) fn detect(bytes: &[u8]) -> (Encoding, usize) {
        match bytes {
            [0xff, 0xfe, ..] => (Encoding::Utf16LittleEndian, 2),
            [0xfe, 0xff, ..] => (Encoding::Utf16BigEndian, 2),
            [0xef, 0xbb, 0xbf, ..] => (Encoding::Utf8, 3),
            [1..=0x7f, 0, ..] => (Encoding::Utf16LittleEndian, 0),
            [0, 1..=0x7f, ..] => (Encoding::Utf16BigEndian, 0),
            _ => (Encoding::Utf8, 0),
        }
    }

    /// Returns the function that decodes a unit of two bytes; `None` for UTF-8.
    pub(crate) fn unit(self) -> Option<fn([u8; 2]) -> u16> {
        match self {
            Encoding::Utf8 => None,
            Encoding::Utf16LittleEndian => Some(u16::from_le_bytes),
            Encoding::Utf16BigEndian => Some(u16::from_be_bytes),
        }
    }

    /// Decodes the beginning of a text; invalid bytes become replacement characters.
    pub(crate) fn decode_lossy(bytes: &[u8]) -> String {
        let (encoding, mark_bytes) = Encoding::detect(bytes);
        let bytes = &bytes[mark_bytes..];
        match encoding.unit() {
            None => String::from_utf8_lossy(bytes).into_owned(),
            Some(unit) => {
                let units = bytes.as_chunks::<2>().0.iter().map(|pair| unit(*pair));
                char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
            }
        }
    }
}
