//! Folders of a cache: created with a tag, and removed only if they have it.

use crate::own_file::open_own;
use std::fs::{DirBuilder, OpenOptions};
use std::io::{ErrorKind, Read, Result as IoResult, Write};
use std::path::{Path, PathBuf};

/// Name of the file that marks a folder as created by `taut`; backup programs look for it too
/// (https://bford.info/cachedir/).
pub(super) const TAG_NAME: &str = "CACHEDIR.TAG";

/// Content of the tag: the signature common to all caches, then a text that identifies this program's.
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# Tautline created this folder for tables that can be made again: `taut cache clear` removes it.\n";

/// Length of a group's name: a 64-bit hash in hexadecimal.
const GROUP_LETTERS: usize = 16;

/// True if a name has the form of a group's.
pub(super) fn is_group(name: &str) -> bool {
    name.len() == GROUP_LETTERS && name.bytes().all(|letter| matches!(letter, b'0'..=b'9' | b'a'..=b'f'))
}

/// True if a name has the form that [`Unfinished`](crate::unfinished::Unfinished) gives to files: `.taut-XXXXXX.part`.
pub(super) fn is_unfinished(name: &str) -> bool {
    let word = name.strip_prefix(".taut-").and_then(|rest| rest.strip_suffix(".part"));
    word.is_some_and(|word| word.len() == 6 && word.bytes().all(|letter| letter.is_ascii_alphanumeric()))
}

/// Creates the cache's folder, with its tag if the folder is new, and the group's folder in it.
pub(super) fn create_folder(cache: &Path, group: &str) -> IoResult<PathBuf> {
    if let Some(parent) = cache.parent() {
        // The parents are ordinary folders of the user, without tag or special permissions.
        std::fs::create_dir_all(parent)?;
    }
    if create_private(cache)? {
        create_tag(cache);
    }
    let folder = cache.join(group);
    create_private(&folder)?;
    // The group's folder could be a link to a folder of other files.
    match std::fs::symlink_metadata(&folder)?.is_dir() {
        true => Ok(folder),
        false => Err(ErrorKind::NotADirectory.into()),
    }
}

/// Creates a folder that other users cannot read, because tables hold the traces' data. Returns true if it is new.
fn create_private(folder: &Path) -> IoResult<bool> {
    #[cfg_attr(not(unix), allow(unused_mut))]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(folder) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes a folder unless something is in it, or another process has removed it.
pub(super) fn remove_empty(folder: &Path) -> IoResult<()> {
    match std::fs::remove_dir(folder) {
        Err(error) if !matches!(error.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::NotFound) => Err(error),
        _ => Ok(()),
    }
}

/// Removes the cache's folder if its tag proves that `taut` created it and nothing else is in it.
pub(super) fn remove_folder(cache: &Path) -> IoResult<()> {
    let tag = cache.join(TAG_NAME);
    let entries = match std::fs::read_dir(cache) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        if entry?.file_name() != TAG_NAME {
            return Ok(());
        }
    }
    if !is_tagged(cache) {
        return Ok(());
    }
    std::fs::remove_file(&tag)?;
    // Without its tag no later command would remove the folder.
    remove_empty(cache).inspect_err(|_| create_tag(cache))
}

/// Writes the tag. A folder without one stays when the cache is cleared.
fn create_tag(cache: &Path) {
    let tag = OpenOptions::new().write(true).create_new(true).open(cache.join(TAG_NAME));
    let _ = tag.and_then(|mut file| file.write_all(TAG.as_bytes()));
}

/// Whether the cache's folder has the tag that proves that `taut` created it.
pub(super) fn is_tagged(cache: &Path) -> bool {
    let Ok(file) = open_own(&cache.join(TAG_NAME)) else { return false };
    let mut text = Vec::new();
    file.take(TAG.len() as u64 + 1).read_to_end(&mut text).is_ok() && text == TAG.as_bytes()
}
