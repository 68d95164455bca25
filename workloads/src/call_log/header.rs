//! Header of a log, its first line.

use super::error::LineFault;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fmt;

/// Header of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogHeader {
    /// Version of the format.
    pub version: u64,
    /// Recorded application and machine.
    pub source: String,
    /// `D3D12MA::ALLOCATOR_FLAGS` of the main allocator; 32 disables tight alignment.
    pub allocator_flags: u32,
    /// The application's tests by index: setup first, teardown last.
    pub tests: BTreeMap<u32, String>,
}

/// Name of the format in the header.
const FORMAT: &str = "d3d12-calls";
/// Newest version this build reads; version 1 lacks the calls that use buffers.
const VERSION: u64 = 2;

/// Fields that identify the format in all versions.
#[derive(Deserialize)]
#[serde(expecting = "a d3d12-calls header, an object")]
struct Signature {
    format: String,
    version: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a d3d12-calls header, an object")]
struct RawHeader {
    #[serde(rename = "format")]
    _format: String,
    version: u64,
    source: String,
    allocator_flags: u32,
    #[serde(deserialize_with = "tests")]
    tests: BTreeMap<u32, String>,
}

/// Deserialises the tests by index; a duplicate index is an error.
fn tests<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<u32, String>, D::Error> {
    struct Tests;
    impl<'de> Visitor<'de> for Tests {
        type Value = BTreeMap<u32, String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("names of tests by index, an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut tests = BTreeMap::new();
            while let Some((index, name)) = map.next_entry::<u32, String>()? {
                if let Some(before) = tests.insert(index, name) {
                    let text = format_args!("duplicate test index `{index}`, named {before:?} before");
                    return Err(serde::de::Error::custom(text));
                }
            }
            Ok(tests)
        }
    }
    deserializer.deserialize_map(Tests)
}

impl LogHeader {
    /// Parses the first line.
    pub(super) fn parse(line: &[u8]) -> Result<LogHeader, LineFault> {
        if line.first() != Some(&b'{') {
            let found = format!("a file that begins with \"{}\"", line[..line.len().min(16)].escape_ascii());
            return Err(LineFault::unexpected("", "a d3d12-calls header, a line of JSON", found));
        }
        let json = |error: serde_json::Error| LineFault::json(&error, line);
        // The signature is parsed first, so that a newer version is reported as such and not by its unknown fields.
        let signature: Signature = serde_json::from_slice(line).map_err(json)?;
        if signature.format != FORMAT {
            let found = format!("\"{}\"", signature.format.escape_debug());
            return Err(LineFault::unexpected("format", format!("\"{FORMAT}\""), found));
        }
        if !(1..=VERSION).contains(&signature.version) {
            return Err(LineFault::unexpected("version", format!("version 1 to {VERSION}"), signature.version));
        }
        let RawHeader { version, source, allocator_flags, tests, .. } = serde_json::from_slice(line).map_err(json)?;
        Ok(LogHeader { version, source, allocator_flags, tests })
    }
}
