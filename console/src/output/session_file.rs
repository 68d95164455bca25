//! Files of a session: in a folder that was created for one process and is removed after it.

use std::fs::File;
use std::io::Result as IoResult;
use std::path::Path;

/// Creates a new file in the folder of a session.
///
/// # Errors
/// The file exists, or cannot be created.
pub fn session_file(path: &Path) -> IoResult<File> {
    File::create_new(path)
}
