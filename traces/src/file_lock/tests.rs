//! Recordings where no file can be locked: whether the process is there decides.
#![allow(clippy::unwrap_used)]

use super::without;
use crate::claim::{Claim, sidecar_path};
use crate::control::{Control, PAGE_BYTES};
use crate::error::WriteError;
use crate::occupied::Occupied;
use crate::parse::run;
use crate::{Header, Trace, TraceWriter, WriteOptions};
use std::fs;

/// A process that has ended.
fn ended() -> u32 {
    let mut child = std::process::Command::new("true").spawn().unwrap();
    child.wait().unwrap();
    child.id()
}

#[test]
fn where_there_are_no_locks_the_process_decides() {
    without::LOCKS.set(true);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.taut");
    let writer = TraceWriter::record(&path, Header::default(), WriteOptions::default()).unwrap();
    let by = Occupied::BeingRecorded(Some(std::process::id()));
    assert_eq!(Claim::holder(&path), Some(by));
    for replace in [false, true] {
        let claimed = Claim::new(&path, &path, replace);
        assert!(matches!(&claimed, Err(WriteError::Occupied { by: found, .. }) if *found == by), "{claimed:?}");
    }
    assert!(Trace::open(&path).unwrap().recovery().is_some_and(|recovery| recovery.is_alive));

    // The same two files, as a process that has ended left them.
    let left = folder.path().join("left.taut");
    fs::copy(&path, &left).unwrap();
    let mut sidecar = fs::read(sidecar_path(&path)).unwrap();
    let control = run(0, "sidecar", &sidecar[..PAGE_BYTES as usize], Control::parse).unwrap();
    let page = Control { process: ended(), ..control }.write();
    sidecar[..page.len()].copy_from_slice(&page);
    fs::write(sidecar_path(&left), sidecar).unwrap();
    let process = run(0, "sidecar", &page, Control::parse).unwrap().process;
    assert_eq!(Claim::holder(&left), Some(Occupied::LeftBehind(process)));
    let claimed = Claim::new(&left, &left, false);
    assert!(matches!(&claimed, Err(WriteError::Occupied { by: Occupied::LeftBehind(_), .. })), "{claimed:?}");
    assert!(Trace::open(&left).unwrap().recovery().is_some_and(|recovery| !recovery.is_alive));
    drop(Claim::new(&left, &left, true).unwrap());

    writer.finish().unwrap();
    assert_eq!(Claim::holder(&path), None);
    assert!(Trace::open(&path).unwrap().summary().complete);
}
