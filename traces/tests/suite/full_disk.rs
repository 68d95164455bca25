//! Recordings on a full disk: trace and sidecar fill most of it, and every event is recorded or counted as lost.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(target_os = "linux")]

use crate::generate;

use generate::{Random, event};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use taut_schemas::{EventCode, FieldKind, FieldSchema, Opcode, SchemaTable};
use taut_traces::{Disk, DiskCall, Header, Mode, OnFull, Trace, TraceWriter, WriteError, WriteOptions};

const CODE: EventCode = EventCode::new(1, Opcode::Info);

/// Environment variable that passes the size, the recording mode and the folder of the small disk to a child process.
const DISK: &str = "TAUT_TEST_SMALL_DISK";

fn header() -> Header {
    let field = FieldSchema { name: "data".into(), doc: String::new(), kind: FieldKind::Bytes };
    let events = vec![event(1, Opcode::Info, vec![field])];
    Header { schema: SchemaTable { events: events.into(), ..SchemaTable::default() }, ..Header::default() }
}

/// Runs a test of this binary again in a namespace with an empty file system of this size; `None` if that is not
/// possible.
fn on_small_disk(test: &str, mebibytes: u64, how: &str) -> Option<()> {
    let folder = tempfile::tempdir().unwrap();
    let script = "mount -t tmpfs -o size=$1m none \"$2\" || exit 99; exec \"$3\" --exact \"$4\" --nocapture";
    let output = Command::new("unshare")
        .args(["--mount", "--map-root-user", "sh", "-c", script, "sh", &mebibytes.to_string()])
        .arg(folder.path())
        .arg(std::env::current_exe().unwrap())
        .arg(test)
        .env(DISK, format!("{mebibytes} {how} {}", folder.path().display()))
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    if output.status.code() == Some(99) || !text.contains("running 1 test") {
        eprintln!("skipped: {test}: no file system can be mounted");
        return None;
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{mebibytes} MiB, {how}: {text}{errors}");
    println!("{text}");
    Some(())
}

/// Records until the end is requested; returns the number of events of each thread.
fn record(path: &Path, options: WriteOptions) -> (BTreeMap<u32, u64>, Result<(), WriteError>) {
    let writer = TraceWriter::record(path, header(), options).unwrap();
    let is_over = Arc::new(AtomicBool::new(false));
    let over = Arc::clone(&is_over);
    writer.on_failure(move |_| over.store(true, Ordering::Relaxed));
    let produced = std::thread::scope(|scope| {
        let threads = [0, 1, 2, 3].map(|thread| {
            let (mut recorder, is_over) = (writer.thread(thread), &is_over);
            scope.spawn(move || {
                let (mut random, mut produced) = (Random(thread.into()), 0);
                while !is_over.load(Ordering::Relaxed) {
                    let value = random.below(u64::MAX);
                    recorder.event(CODE, produced, |encoder| {
                        encoder.count(16);
                        encoder.u64(value);
                        encoder.u64(produced);
                    });
                    produced += 1;
                }
                (thread, produced)
            })
        });
        threads.map(|thread| thread.join().unwrap()).into_iter().collect()
    });
    (produced, writer.finish().map(drop))
}

fn check_small_disk() {
    let Ok(how) = std::env::var(DISK) else { return };
    let mut parts = how.splitn(3, ' ');
    let mebibytes: u64 = parts.next().unwrap().parse().unwrap();
    let (mode, on_full) = match parts.next().unwrap() {
        "wait" => (Mode::Sequential, OnFull::Block),
        "drop" => (Mode::Sequential, OnFull::Drop),
        _ => (Mode::Ring, OnFull::Block),
    };
    let folder = Path::new(parts.next().unwrap());
    let path = folder.join("x.taut");
    let bytes = mebibytes << 20;
    let max_bytes = mode.discards_oldest().then_some(bytes * 4);
    let (produced, ended) = record(&path, WriteOptions { mode, on_full, max_bytes, ..WriteOptions::default() });
    let trace = Trace::open(&path).unwrap();
    let lost = match &ended {
        Err(WriteError::Output { lost, .. }) => lost.iter().map(|(_, events)| events).sum::<u64>(),
        ended => panic!("{how}: {ended:?}"),
    };
    let summary = trace.summary();
    let size = fs::metadata(&path).unwrap().len();
    let rest =
        fs::metadata(folder.join("x.taut.live")).map_or(0, |file| std::os::unix::fs::MetadataExt::blocks(&file) * 512);
    let segments: u64 = fs::read_dir(folder.join("x.taut.ring"))
        .map_or(0, |files| files.flatten().map(|file| file.metadata().unwrap().len()).sum());
    let all: u64 = produced.values().sum();
    let what = format!(
        "{how}: {all} produced, {} in the trace, {} lost by its count, {lost} by the error; complete {}; {size}, {rest} and \
         {segments} bytes of {bytes}; {:?}",
        summary.events,
        summary.lost_events,
        summary.complete,
        trace.verify()
    );
    println!("{what}");
    assert!(trace.verify().is_empty(), "{what}");
    assert!((size + rest + segments) * 10 >= bytes * 8, "{what}");
    assert_eq!(all, summary.events + lost, "{what}");
    assert_eq!(summary.lost_events, lost, "{what}");
    if mode == Mode::Sequential {
        assert!(summary.complete && rest == 0, "{what}");
    }
    for thread in &summary.threads {
        assert_eq!(produced[&thread.thread], thread.events + thread.lost_events, "{what}, thread {}", thread.thread);
    }
}

#[test]
fn a_full_disk_has_a_complete_trace_that_counts_what_was_lost() {
    if std::env::var_os(DISK).is_some() {
        return check_small_disk();
    }
    for mebibytes in [4, 8, 16, 32] {
        for how in ["wait", "drop"] {
            if on_small_disk("a_full_disk_has_a_complete_trace_that_counts_what_was_lost", mebibytes, how).is_none() {
                return;
            }
        }
    }
}

#[test]
fn a_ring_on_a_full_disk_loses_no_segment() {
    if std::env::var_os(DISK).is_some() {
        return check_small_disk();
    }
    for mebibytes in [4, 16] {
        if on_small_disk("a_ring_on_a_full_disk_loses_no_segment", mebibytes, "ring").is_none() {
            return;
        }
    }
}

#[test]
fn a_trace_whose_end_finds_no_space_has_its_losses_in_its_sidecar() {
    for on_full in [OnFull::Block, OnFull::Drop] {
        for capacity in [30_000, 300_000, 1_000_000] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("x.taut");
            let bytes_left = AtomicUsize::new(capacity);
            // A user's quota: the file system has space, and does not report the limit.
            let disk = Disk::with_gate(move |call, path, bytes| {
                if call != DiskCall::Write || path.extension().is_some_and(|extension| extension == "live") {
                    return Ok(bytes);
                }
                let left = bytes_left.load(Ordering::Relaxed);
                bytes_left.store(left.saturating_sub(bytes), Ordering::Relaxed);
                if left == 0 { Err(ErrorKind::QuotaExceeded.into()) } else { Ok(bytes.min(left)) }
            });
            let (produced, ended) = record(&path, WriteOptions { on_full, disk, ..WriteOptions::default() });
            let Err(WriteError::Output { lost, .. }) = ended else { panic!("{ended:?}") };
            let trace = Trace::open(&path).unwrap();
            let lost: BTreeMap<u32, u64> = lost.into_iter().collect();
            assert!(!trace.summary().complete && trace.summary().events > 0);
            for (thread, produced) in produced {
                let found = trace.summary().threads.iter().find(|found| found.thread == thread);
                let (events, counted) = found.map_or((0, 0), |found| (found.events, found.lost_events));
                let lost = lost.get(&thread).copied().unwrap_or_default();
                assert_eq!((events + counted, counted), (produced, lost), "{on_full:?} {capacity}: thread {thread}");
            }
        }
    }
}
