//! Errors that end the reading of a file, and damage that does not.

use std::fmt;

/// Largest number of damages that a list stores; further ones are counted. A file of garbage has one per buffer.
const MAX_STORED: usize = 1_000;

/// A file that cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The first buffer or the first record of the file is not that of a trace.
    #[error("not an ETL file{looks}: at offset {offset:#x} expected {expected}, found {found}", looks = looks_like.map(|kind| format!(" (the file looks like {kind})")).unwrap_or_default())]
    NotEtl {
        /// Format that the first bytes belong to.
        looks_like: Option<&'static str>,
        offset: u64,
        expected: &'static str,
        found: String,
    },
}

/// Part of a file that the reader left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// Position in the file. In a compressed buffer, the position of the buffer.
    pub offset: u64,
    /// Requirement of the format.
    pub expected: &'static str,
    pub found: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at offset {:#x} expected {}, found {}", self.offset, self.expected, self.found)
    }
}

/// The first damages of a file, and the number of all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DamageList {
    stored: Vec<Damage>,
    total: u64,
}

impl DamageList {
    /// The first 1,000.
    pub fn stored(&self) -> &[Damage] {
        &self.stored
    }

    pub fn total(&self) -> u64 {
        self.total
    }

    pub(crate) fn push(&mut self, offset: u64, expected: &'static str, found: impl Into<String>) {
        self.total += 1;
        if self.stored.len() < MAX_STORED {
            self.stored.push(Damage { offset, expected, found: found.into() });
        }
    }
}
