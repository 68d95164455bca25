//! How a trace is taken away: so that whoever comes after a writer that was killed over it can go on.

use super::{TRACES, place, view};
use crate::tables::TABLES;
use std::io::{ErrorKind, Result as IoResult};
use std::path::{Path, PathBuf};

/// A folder beside the mark of a trace that is being taken away.
fn going(folder: &Path, id: &str) -> PathBuf {
    place(folder, TRACES, id).with_extension("going")
}

/// Takes a trace away: its mark first, then its tables. Whoever is killed over it has said so before.
///
/// # Errors
/// A file cannot be removed.
pub(super) fn remove(folder: &Path, id: &str) -> IoResult<()> {
    match std::fs::create_dir(going(folder, id)) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => remove_rest(folder, id),
    }
}

/// The trace is written again, and goes no more.
///
/// # Errors
/// What says that it goes cannot be removed.
pub(super) fn stays(folder: &Path, id: &str) -> IoResult<()> {
    gone(std::fs::remove_dir(going(folder, id)))
}

/// Takes away what is left of a trace that is being taken away, if it is.
///
/// # Errors
/// A file cannot be removed.
pub(super) fn remove_rest(folder: &Path, id: &str) -> IoResult<()> {
    let going = going(folder, id);
    if !going.exists() {
        return Ok(());
    }
    // The mark is the file that stands last.
    for file in view::files().rev() {
        let path = place(folder, file, id);
        gone(std::fs::remove_file(&path))?;
        remove_folder(&path);
    }
    remove_former(folder, id)?;
    gone(std::fs::remove_dir(&going))?;
    remove_folder(&going);
    Ok(())
}

/// Takes away the files that versions of before wrote of a trace, and this one does not: nobody keeps these in step.
///
/// # Errors
/// A file cannot be removed.
pub(super) fn remove_former(folder: &Path, id: &str) -> IoResult<()> {
    for table in TABLES.iter().filter(|table| view::is_of_others(table.name)) {
        let path = place(folder, table.name, id);
        gone(std::fs::remove_file(&path))?;
        remove_folder(&path);
    }
    Ok(())
}

/// A folder in which something else lies stays.
fn remove_folder(of: &Path) {
    if let Some(folder) = of.parent() {
        let _ = std::fs::remove_dir(folder);
    }
}

/// What is not there need not be taken away.
pub(super) fn gone(result: IoResult<()>) -> IoResult<()> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
