//! Recordings on file systems without locks: the existence of the recording process decides.
#![allow(clippy::unwrap_used)]

use super::without;
use crate::format::error::WriteError;
use crate::format::parse::run;
use crate::format::path_in_use::PathInUse;
use crate::live::control_page::{ControlPage, PAGE_BYTES};
use crate::live::path_claim::{PathClaim, sidecar_path};
use crate::{Header, Trace, TraceWriter, WriteOptions};
use std::fs;

/// Number of a process that has ended.
fn ended() -> u32 {
    let mut child = std::process::Command::new("true").spawn().unwrap();
    child.wait().unwrap();
    child.id()
}

#[test]
fn without_file_locks_the_process_decides() {
    without::LOCKS.set(true);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.taut");
    let writer = TraceWriter::record(&path, Header::default(), WriteOptions::default()).unwrap();
    let by = PathInUse::BeingRecorded(Some(std::process::id()));
    assert_eq!(PathClaim::holder(&path), Some(by));
    for replace in [false, true] {
        let claimed = PathClaim::new(&path, &path, replace);
        assert!(matches!(&claimed, Err(WriteError::PathInUse { by: found, .. }) if *found == by), "{claimed:?}");
    }
    assert!(Trace::open(&path).unwrap().recovery().is_some_and(|recovery| recovery.is_alive));

    // The same two files, as left by a process that has ended.
    let left = folder.path().join("left.taut");
    fs::copy(&path, &left).unwrap();
    let mut sidecar = fs::read(sidecar_path(&path)).unwrap();
    let control_page = run(0, "sidecar", &sidecar[..PAGE_BYTES as usize], ControlPage::parse).unwrap();
    let page = ControlPage { process: ended(), ..control_page }.write();
    sidecar[..page.len()].copy_from_slice(&page);
    fs::write(sidecar_path(&left), sidecar).unwrap();
    let process = run(0, "sidecar", &page, ControlPage::parse).unwrap().process;
    assert_eq!(PathClaim::holder(&left), Some(PathInUse::Orphaned(process)));
    let claimed = PathClaim::new(&left, &left, false);
    assert!(matches!(&claimed, Err(WriteError::PathInUse { by: PathInUse::Orphaned(_), .. })), "{claimed:?}");
    assert!(Trace::open(&left).unwrap().recovery().is_some_and(|recovery| !recovery.is_alive));
    drop(PathClaim::new(&left, &left, true).unwrap());

    writer.finish().unwrap();
    assert_eq!(PathClaim::holder(&path), None);
    assert!(Trace::open(&path).unwrap().summary().complete);
}
