//! A process that records forks: what the child does is not recorded, and hurts nothing.
#![cfg(unix)]
#![allow(unsafe_code, clippy::unwrap_used)]

mod generate;

use generate::{Random, Record, read, records};
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

/// waitpid: do not wait.
const WNOHANG: i32 = 1;

/// Runs `child` in a child, which has to come to an end with success.
fn in_child(child: impl FnOnce() -> bool) {
    // SAFETY: the child does nothing but what `child` does, and leaves without unwinding into the parent's frames.
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
    // So few and small that a child who recorded would have to wait.
    let options = WriteOptions { buffer_bytes: 1 << 12, spare_buffers: 1, ..WriteOptions::default() };
    TraceWriter::record(path, header, options).unwrap()
}

#[test]
fn what_a_forked_child_does_is_not_recorded_and_hurts_nothing() {
    let table = SchemaTable::current();
    let all = records(&mut Random(11), &table, 1, 6000);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.taut");
    let writer = begun(&path, &table);
    let mut thread = writer.thread(0);
    let (first, rest) = all.split_at(2000);
    let (second, third) = rest.split_at(2000);
    first.iter().for_each(|record| put(&mut thread, record));
    // It records on, begins a thread, and ends.
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
    // It becomes another program.
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
    // It drops and finishes what is its parent's. The parent keeps its own.
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
