//! Files that `taut record` reads: one table of formats, found by their content.
//!
//! [`detect`] returns the entry of [`INPUTS`] that a file's content matches. A file of another kind is a
//! [`RejectedInput`], which names the kind and the accepted formats. The suffix of a name counts only where the content
//! decides nothing: a damaged document, a pipe, a file that does not exist.

mod content;
mod delimited;
mod foreign;
mod json_keys;
mod rejected;
mod table;

pub use rejected::RejectedInput;
pub use table::{INPUTS, InputFormat, InputKind, accepted};

use content::{Content, Shape};
use std::io;
use std::path::Path;

/// Result of looking at a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Detected {
    /// A format of the table.
    Input(&'static InputFormat),
    /// A file of another kind.
    Rejected(RejectedInput),
}

/// Determines the format of a regular file by its content.
///
/// # Errors
/// The file cannot be read.
pub fn detect(path: &Path) -> io::Result<Detected> {
    let content = Content::read(path)?;
    let origin = path.display().to_string();
    if let Some(format) = INPUTS.iter().find(|format| (format.matches)(&content)) {
        return Ok(Detected::Input(format));
    }
    let rejected = |found: String, advice| {
        Detected::Rejected(RejectedInput { origin, is_empty: content.shape == Shape::Empty, found, advice })
    };
    if let Some(foreign) = foreign::name(path, &content) {
        return Ok(rejected(foreign.name.to_owned(), foreign.advice));
    }
    // If a document ends or is damaged before its first significant key, its file name selects the reader, which reports
    // line and column of the damage.
    match by_suffix(path).filter(|format| content.shape.is_damaged(format.shape)) {
        Some(format) => Ok(Detected::Input(format)),
        None => Ok(rejected(content.describe(), "")),
    }
}

/// Returns the format that a file's name ends like.
pub fn by_suffix(path: &Path) -> Option<&'static InputFormat> {
    let name = path.to_string_lossy().to_lowercase();
    INPUTS.iter().find(|format| format.suffixes.iter().any(|suffix| name.ends_with(suffix)))
}

#[cfg(test)]
mod tests;
