//! Error for a file of another kind.

use super::table::accepted;
use std::fmt;

/// File in none of the accepted formats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedInput {
    /// Name of the file.
    pub origin: String,
    pub is_empty: bool,
    /// Kind of the file, with article.
    pub found: String,
    /// Advice to the user; empty if there is none.
    pub advice: &'static str,
}

impl fmt::Display for RejectedInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RejectedInput { origin, found, advice, .. } = self;
        if self.is_empty {
            return write!(f, "{origin}: the file is empty; expected {}", accepted());
        }
        write!(f, "{origin}: expected {}, found {found}", accepted())?;
        if advice.is_empty() { Ok(()) } else { write!(f, "; {advice}") }
    }
}

impl std::error::Error for RejectedInput {}
