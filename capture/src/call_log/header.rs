//! A log's first line.

use super::error::LineFault;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fmt;

/// What the first line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogHeader {
    /// Version of the format.
    pub version: u64,
    /// What was recorded, and on what.
    pub source: String,
    /// `D3D12MA::ALLOCATOR_FLAGS` of the main allocator; 32 keeps it from using tight alignment.
    pub allocator_flags: u32,
    /// The application's tests by index: setup first, teardown last.
    pub tests: BTreeMap<u32, String>,
}

/// Name of the format, as the header gives it.
const FORMAT: &str = "d3d12-calls";
/// The newest version this build reads; version 1 lacks what is done with buffers.
const VERSION: u64 = 2;

/// What tells the format, whatever else a version adds.
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

/// The tests by index; an index that stands there twice is an error.
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
    /// Reads the first line.
    pub(super) fn parse(line: &[u8]) -> Result<LogHeader, LineFault> {
        if line.first() != Some(&b'{') {
            let found = format!("a file that begins with \"{}\"", line[..line.len().min(16)].escape_ascii());
            return Err(LineFault::unexpected("", "a d3d12-calls header, a line of JSON", found));
        }
        let json = |error: serde_json::Error| LineFault::json(&error, line);
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
