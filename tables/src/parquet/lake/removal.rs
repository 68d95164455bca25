//! Removal of a trace, in an order that lets the next writer complete it if this one is killed.

use super::{TRACES, place, view};
use crate::tables::TABLES;
use std::io::{Error as IoError, ErrorKind, Result as IoResult};
use std::path::{Path, PathBuf};
use taut_console::output::Kind;

/// Extension of `removal_marker`, and its name in builds before version 0.1.0, whose removals are completed too.
const REMOVING: [&str; 2] = ["removing", "going"];

/// Tables that earlier builds stored under another name.
const FORMER_TABLES: [&str; 1] = ["decisions"];

/// Folders next to a trace's mark that record that the trace is being removed: of this build, and of earlier ones.
fn removal_markers(folder: &Path, id: &str) -> [PathBuf; 2] {
    REMOVING.map(|extension| place(folder, TRACES, id).with_extension(extension))
}

/// Removes a trace. The first of `removal_markers` is created first: a later writer finds it and completes the removal.
///
/// # Errors
/// A file cannot be removed.
pub(super) fn remove(folder: &Path, id: &str) -> IoResult<()> {
    let [marker, _] = removal_markers(folder, id);
    match std::fs::create_dir(marker) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => remove_rest(folder, id),
    }
}

/// Cancels a pending removal, because the trace is written again.
///
/// # Errors
/// The folder that marks the removal cannot be removed.
pub(super) fn cancel_removal(folder: &Path, id: &str) -> IoResult<()> {
    removal_markers(folder, id).iter().try_for_each(|marker| ignore_missing(std::fs::remove_dir(marker)))
}

/// Completes the removal of a trace, if one is pending.
///
/// # Errors
/// A file cannot be removed.
pub(super) fn remove_rest(folder: &Path, id: &str) -> IoResult<()> {
    let markers = removal_markers(folder, id);
    if !markers.iter().any(|marker| marker.symlink_metadata().is_ok_and(|found| found.is_dir())) {
        return Ok(());
    }
    // The mark is the last of the files, so it is removed first: from then on no reader sees the trace.
    for file in view::files().rev() {
        let path = place(folder, file, id);
        remove_file(&path)?;
        remove_folder(&path);
    }
    remove_obsolete(folder, id)?;
    cancel_removal(folder, id)?;
    markers.iter().for_each(|marker| remove_folder(marker));
    Ok(())
}

/// Removes a trace's files of tables that earlier versions stored, and this one derives or stores under another name: they
/// would become stale.
///
/// # Errors
/// A file cannot be removed.
pub(super) fn remove_obsolete(folder: &Path, id: &str) -> IoResult<()> {
    let derived = TABLES.iter().map(|table| table.name).filter(|table| view::is_derived(table));
    for table in derived.chain(FORMER_TABLES) {
        let path = place(folder, table, id);
        remove_file(&path)?;
        remove_folder(&path);
    }
    Ok(())
}

/// Removes the folder of a file; a folder that is not empty stays.
fn remove_folder(of: &Path) {
    if let Some(folder) = of.parent() {
        let _ = std::fs::remove_dir(folder);
    }
}

/// Removes a file of the lake, if it is there.
///
/// # Errors
/// The file cannot be removed, or its name belongs to a link, a pipe, or a file that is not Parquet.
pub(super) fn remove_file(path: &Path) -> IoResult<()> {
    // Whoever may write to the lake may have put a file of the user's there: its name proves nothing.
    match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
        Ok(found) if found.is_file() && Kind::Parquet.is_at(path)? => {}
        Ok(_) => {
            let why = format!("{}: expected a file of the lake, found something else", path.display());
            return Err(IoError::new(ErrorKind::InvalidInput, why));
        }
    }
    ignore_missing(std::fs::remove_file(path))
}

/// Treats a missing file as removed.
fn ignore_missing(result: IoResult<()>) -> IoResult<()> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_parquet_are_removed_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("table"), "PAR1 and more").unwrap();
        std::fs::write(at("letter"), "Dear").unwrap();
        std::os::unix::fs::symlink(at("table"), at("link")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        for name in ["letter", "link", "pipe", "."] {
            assert_eq!(remove_file(&at(name)).unwrap_err().kind(), ErrorKind::InvalidInput, "{name}");
            assert!(at(name).symlink_metadata().is_ok(), "{name}");
        }
        remove_file(&at("table")).unwrap();
        remove_file(&at("none")).unwrap();
        assert!(!at("table").exists());
    }
}
