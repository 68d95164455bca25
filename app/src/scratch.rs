//! Unnamed temporary files.

use crate::Error;
use std::fs::File;

/// Creates an unnamed file, which disappears with the process.
pub(crate) fn scratch() -> Result<File, Error> {
    let folder = || format!("a file in {}", std::env::temp_dir().display());
    tempfile::tempfile().map_err(|error| Error::io(error).context(folder()))
}
