//! Field tables of a user: instrumentation manifests (.man) and their form as JSON.

mod json;
mod xml;

use std::collections::HashMap;
use std::path::Path;

use crate::decode::{Extent, Field};
use crate::guid::Guid;
use crate::tables::Provider;

/// Largest manifest. That of the whole of Windows has about 30 MiB.
const MAX_BYTES: u64 = 64 << 20;

/// Reason why a manifest cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("expected at most {MAX_BYTES} bytes, found {0}")]
    Size(u64),
    #[error("at byte {offset}: expected {expected}, found {found}")]
    Content { offset: u64, expected: &'static str, found: String },
}

/// Field tables of a manifest.
#[derive(Debug, Default)]
pub struct Manifest {
    pub providers: HashMap<Guid, Provider>,
    /// Events whose fields this crate cannot decode, such as structures. They stay without a description.
    pub unsupported: Vec<String>,
}

impl Manifest {
    /// Reads a file: a JSON object, or XML.
    ///
    /// # Errors
    /// The file cannot be read, is too large, or has another form.
    pub fn read(path: &Path) -> Result<Self, ManifestError> {
        let size = std::fs::metadata(path)?.len();
        if size > MAX_BYTES {
            return Err(ManifestError::Size(size));
        }
        Self::parse(&std::fs::read(path)?)
    }

    /// Parses the content of a file.
    ///
    /// # Errors
    /// The content has another form.
    pub fn parse(bytes: &[u8]) -> Result<Self, ManifestError> {
        let text = decoded(bytes)?;
        if text.trim_start().starts_with('{') { json::parse(&text) } else { xml::parse(&text) }
    }
}

/// Text of UTF-8 or, with a byte order mark, of UTF-16, in which Windows' tools write manifests.
fn decoded(bytes: &[u8]) -> Result<String, ManifestError> {
    if let Some(units) = bytes.strip_prefix(&[0xFF, 0xFE]) {
        return Ok(crate::bytes::utf16_text(units));
    }
    let bytes = bytes.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(bytes);
    std::str::from_utf8(bytes).map(str::to_owned).map_err(|error| ManifestError::Content {
        offset: error.valid_up_to() as u64,
        expected: "text in UTF-8 or UTF-16",
        found: "other bytes".to_owned(),
    })
}

/// A number, or the position of the nearest earlier field of this name.
fn extent(text: &str, earlier: &[Field]) -> Option<Extent> {
    match number(text) {
        Some(constant) => Some(Extent::Constant(usize::try_from(constant).ok()?)),
        None => Some(Extent::Field(earlier.iter().rposition(|field| field.name == text)?)),
    }
}

/// A decimal number, or a hexadecimal one with `0x`.
fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
