//! GUIDs in the byte order of Windows.

use std::fmt;

/// A GUID as 16 bytes of memory: the first three groups are little-endian.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Guid(pub [u8; 16]);

impl Guid {
    /// Parses `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`, with or without braces.
    pub fn parse(text: &str) -> Option<Self> {
        let digits: String = text.trim_matches(['{', '}']).chars().filter(|c| *c != '-').collect();
        if digits.len() != 32 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let mut bytes = u128::from_str_radix(&digits, 16).ok()?.to_be_bytes();
        bytes[..4].reverse();
        bytes[4..6].reverse();
        bytes[6..8].reverse();
        Some(Self(bytes))
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let b = &self.0;
        write!(
            f,
            "{:02x}{:02x}{:02x}{:02x}-{:02x}{:02x}-{:02x}{:02x}-",
            b[3], b[2], b[1], b[0], b[5], b[4], b[7], b[6]
        )?;
        write!(f, "{:02x}{:02x}-", b[8], b[9])?;
        b[10..].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
