//! Field tables of a user: instrumentation manifests (.man) and their form as JSON.

mod content;
mod json;
mod xml;

use std::path::Path;

use content::MAX_BYTES;
pub use content::{Manifest, ManifestError};

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
