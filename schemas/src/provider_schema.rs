//! Providers as a schema table stores them.

use serde::{Deserialize, Serialize};

/// A provider: the source of some of a table's events. Names of events are unique per provider.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ProviderSchema {
    pub name: String,
    /// Identifies the provider independently of its name: a UUID in its usual form.
    pub uuid: String,
    /// Version of the provider's events: incremented when the meaning of one changes.
    pub version: u32,
    /// Bit and name of each keyword, by which events are selected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<(u64, String)>,
    /// True if few recordings have events of the provider: a trace then defines them when the first one occurs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub defined_when_used: bool,
}

impl ProviderSchema {
    /// Creates a provider without keywords, with a UUID derived from its name.
    pub fn from_name(name: &str, version: u32) -> ProviderSchema {
        let (name, uuid) = (name.to_owned(), uuid_text(uuid_of_name(name)));
        ProviderSchema { name, uuid, version, keywords: Vec::new(), defined_when_used: false }
    }
}

/// The UUID of a provider without an explicit one: version 8 (RFC 9562: vendor-specific), from the 128-bit FNV-1a hash
/// of `tautline/` and its name.
pub const fn uuid_of_name(name: &str) -> u128 {
    // Prime and offset basis of the 128-bit FNV-1a hash.
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let mut sum: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    let parts = [b"tautline/", name.as_bytes()];
    let mut part = 0;
    while part < parts.len() {
        let mut at = 0;
        while at < parts[part].len() {
            sum = (sum ^ parts[part][at] as u128).wrapping_mul(PRIME);
            at += 1;
        }
        part += 1;
    }
    let version_and_variant = !(0xf << 76 | 0x3 << 62);
    (sum & version_and_variant) | 0x8 << 76 | 0x2 << 62
}

/// Formats a UUID in its usual form: `6fa459ea-ee8a-8ca4-894e-db77e160355e`.
pub fn uuid_text(uuid: u128) -> String {
    let digits = format!("{uuid:032x}");
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 9562, section 5.8: version 8 in bits 48 to 51, variant 10 in bits 64 and 65.
    #[test]
    fn a_name_gives_a_uuid_of_version_8() {
        let uuid = uuid_text(uuid_of_name("level-streamer"));
        let parts: Vec<&str> = uuid.split('-').collect();
        assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<_>>(), [8, 4, 4, 4, 12], "{uuid}");
        assert!(parts[2].starts_with('8') && "89ab".contains(&parts[3][..1]), "{uuid}");
        assert_ne!(uuid_of_name("level-streamer"), uuid_of_name("level-streame"));
    }
}
