//! Content of a manifest, and its errors.

use std::collections::HashMap;

use crate::decode::{Extent, Field};
use crate::guid::Guid;
use crate::tables::Provider;

/// Largest manifest. That of the whole of Windows has about 30 MiB.
pub(super) const MAX_BYTES: u64 = 64 << 20;

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

/// A number, or the position of the nearest earlier field of this name.
pub(super) fn extent(text: &str, earlier: &[Field]) -> Option<Extent> {
    match number(text) {
        Some(constant) => Some(Extent::Constant(usize::try_from(constant).ok()?)),
        None => Some(Extent::Field(earlier.iter().rposition(|field| field.name == text)?)),
    }
}

/// A decimal number, or a hexadecimal one with `0x`.
pub(super) fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
