//! Unnamed temporary files.

use crate::Error;
use std::fs::File;
use std::path::PathBuf;

/// Creates an unnamed file, which disappears with the process.
pub(crate) fn scratch() -> Result<File, Error> {
    let folder = || format!("a file in {}", std::env::temp_dir().display());
    tempfile::tempfile().map_err(|error| Error::io(error).context(folder()))
}

/// Name of an unnamed temporary trace in messages: what the trace is, and the folder whose space it takes.
pub(crate) fn scratch_trace_name() -> PathBuf {
    PathBuf::from(format!("temporary trace of the replay in {}", std::env::temp_dir().display()))
}
