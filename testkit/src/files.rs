//! Files of the repository.

use std::path::{Path, PathBuf};

/// Path of a file of the repository.
pub fn repository_file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// Path of an input of tests, a file or folder in `testdata`.
pub fn testdata(path: &str) -> PathBuf {
    repository_file("testdata").join(path)
}
