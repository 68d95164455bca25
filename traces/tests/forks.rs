//! Forks of a recording process: events of the child are not recorded and do no harm.
#![cfg(unix)]
#![allow(unsafe_code, clippy::unwrap_used)]

#[path = "suite/generate/mod.rs"]
mod generate;

use generate::{Random, Record, read, records};
#[cfg(target_os = "linux")]
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use taut_schemas::{Encoder, SchemaTable};
use taut_traces::{Header, ThreadWriter, Trace, TraceWriter, WriteError, WriteOptions};

unsafe extern "C" {
    fn fork() -> i32;
    fn _exit(status: i32) -> !;
    fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
}

/// waitpid flag: do not wait.
const WNOHANG: i32 = 1;

/// Runs `child` in a forked child, which has to exit successfully.
fn in_child(child: impl FnOnce() -> bool) {
    // SAFETY: the child only runs `child`, and exits without unwinding into the parent's frames.
    let process = unsafe { fork() };
    assert!(process >= 0);
    if process == 0 {
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(child)).unwrap_or(false);
        // SAFETY: ends the process.
        unsafe { _exit(i32::from(!done)) }
    }
    let (begun, mut status) = (Instant::now(), 0);
    loop {
        // SAFETY: the status lives as long as the call.
        match unsafe { waitpid(process, &raw mut status, WNOHANG) } {
            0 => assert!(begun.elapsed() < Duration::from_secs(60), "the child hangs"),
            ended => {
                assert_eq!((ended, status), (process, 0));
                return;
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn put(thread: &mut ThreadWriter, record: &Record) {
    let payload = |encoder: &mut Encoder<'_>| encoder.raw(&record.payload);
    thread.event(record.code, record.stamp, payload);
}

fn begun(path: &Path, table: &SchemaTable) -> TraceWriter {
    let header = Header { schema: table.clone(), ..Header::default() };
    // So few and small buffers that a child that recorded would have to wait.
    let options = WriteOptions { buffer_bytes: 1 << 12, spare_buffers: 1, ..WriteOptions::default() };
    TraceWriter::record(path, header, options).unwrap()
}

#[test]
fn events_of_a_forked_child_are_ignored_and_harmless() {
    let table = SchemaTable::current();
    let all = records(&mut Random(11), &table, 1, 6000);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.taut");
    let writer = begun(&path, &table);
    let mut thread = writer.thread(0);
    let (first, rest) = all.split_at(2000);
    let (second, third) = rest.split_at(2000);
    first.iter().for_each(|record| put(&mut thread, record));
    // The child goes on recording, begins a thread, and exits.
    in_child(|| {
        third.iter().for_each(|record| put(&mut thread, record));
        let mut other = writer.thread(7);
        third.iter().for_each(|record| put(&mut other, record));
        thread.hand_over();
        drop(other);
        true
    });
    second.iter().for_each(|record| put(&mut thread, record));
    let left = Trace::open(&path).unwrap();
    assert!(left.recovery().is_some_and(|recovery| recovery.is_alive && recovery.process == std::process::id()));
    assert!(left.damage().is_empty() && read(&left) == all[..4000]);
    // The child executes another program.
    in_child(|| {
        let error = Command::new("true").exec();
        panic!("{error}");
    });
    third.iter().for_each(|record| put(&mut thread, record));
    drop(thread);
    let other = folder.path().join("y.taut");
    let of_child = begun(&other, &table);
    let mut thread = of_child.thread(0);
    first.iter().for_each(|record| put(&mut thread, record));
    // The child drops and finishes objects of the parent, whose own are unaffected.
    let mut both = Some((writer, of_child, thread));
    in_child(|| {
        let (writer, of_child, thread) = both.take().unwrap();
        drop(thread);
        drop(of_child);
        matches!(writer.finish(), Err(WriteError::WriterEnded))
    });
    let (writer, of_child, thread) = both.take().unwrap();
    drop(thread);
    assert_eq!(of_child.finish().unwrap().events, 2000);
    let summary = writer.finish().unwrap();
    assert_eq!((summary.events, summary.lost_events), (6000, 0));
    for (path, all) in [(&path, &all[..]), (&other, first)] {
        let trace = Trace::open(path).unwrap();
        assert!(trace.summary().complete && trace.verify().is_empty() && read(&trace) == all);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "both sidecars are gone");
}

/// A mapping keeps the file open, and with it the lock of the recording.
#[cfg(target_os = "linux")]
#[test]
fn a_forked_child_does_not_map_the_sidecar_and_unmaps_nothing_in_its_place() {
    let table = SchemaTable::current();
    let all = records(&mut Random(12), &table, 1, 500);
    let folder = tempfile::tempdir().unwrap();
    let writer = begun(&folder.path().join("x.taut"), &table);
    let mut thread = writer.thread(0);
    all.iter().for_each(|record| put(&mut thread, record));
    // By number: the recorder created the file under another name.
    let sidecar = std::fs::metadata(folder.path().join("x.taut.live")).unwrap().ino().to_string();
    let is_of_sidecar = |line: &str| line.split_whitespace().nth(4) == Some(sidecar.as_str());
    let maps_sidecar = || std::fs::read_to_string("/proc/self/maps").unwrap().lines().any(is_of_sidecar);
    assert!(maps_sidecar());
    let mut both = Some((writer, thread));
    in_child(|| {
        let is_mapped = maps_sidecar();
        // Memory of this size takes the addresses that the child does not map.
        let memory: Vec<_> = (0..64).map(|_| memmap2::MmapMut::map_anon(1 << 12).unwrap()).collect();
        drop(both.take());
        !is_mapped && memory.iter().all(|memory| memory.iter().all(|byte| *byte == 0))
    });
    let (writer, thread) = both.take().unwrap();
    drop(thread);
    assert_eq!(writer.finish().unwrap().events, 500);
}
