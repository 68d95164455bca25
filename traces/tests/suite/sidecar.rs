//! Damaged sidecars: every loss is detected, and no event changes.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::generate;
use crate::left;

use generate::{Random, Record, read, records};
use left::{UnfinishedRecording, check};
use std::fs::{self, File};
use std::path::Path;
use taut_schemas::{Encoder, SchemaTable};
use taut_traces::{Header, OnFull, PathClaim, Trace, TraceWriter, WriteOptions};

/// Size of a sidecar's control page, in bytes.
const PAGE: usize = 4096;

/// Begins a recording at `x.taut` in a folder.
fn begin(folder: &Path, table: &SchemaTable, options: WriteOptions) -> TraceWriter {
    let path = folder.join("x.taut");
    let claim = PathClaim::new(&path, &path, false).unwrap();
    let part = folder.join("part");
    let file = File::create(&part).unwrap();
    let header = Header { schema: table.clone(), ..Header::default() };
    TraceWriter::to_claimed(claim, file, move || fs::rename(part, path), header, options).unwrap()
}

fn put(writer: &mut taut_traces::ThreadWriter, record: &Record) {
    let payload = |encoder: &mut Encoder<'_>| encoder.raw(&record.payload);
    writer.event(record.code, record.stamp, payload);
}

/// Current contents of trace and sidecar, as a crash would leave them.
fn killed_now(folder: &Path) -> (Vec<u8>, Vec<u8>) {
    (fs::read(folder.join("x.taut")).unwrap(), fs::read(folder.join("x.taut.live")).unwrap())
}

/// Opens copies of the two files, whose lock nobody holds.
fn open(trace: &[u8], sidecar: &[u8]) -> Trace {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.taut"), trace).unwrap();
    fs::write(folder.path().join("x.taut.live"), sidecar).unwrap();
    Trace::open(folder.path().join("x.taut")).unwrap()
}

/// Records of two threads, and both files with some of them in the trace and some in the sidecar.
fn unfinished_recording() -> (Vec<Record>, Vec<u8>, Vec<u8>) {
    let UnfinishedRecording { all, trace, sidecar } = UnfinishedRecording::with_table(&SchemaTable::current(), 4000);
    (all, trace, sidecar)
}

#[test]
fn trace_and_sidecar_have_every_event() {
    let (all, trace, sidecar) = unfinished_recording();
    let found = open(&trace, &sidecar);
    assert!(read(&found) == all && found.verify().is_empty());
    let recovery = found.recovery().unwrap();
    assert!(!recovery.is_alive && recovery.partial() == 0 && recovery.events() > 0, "{recovery:?}");
    // The records of a block that was being appended are in the slots.
    for cut in [1, 10, 100] {
        let found = open(&trace[..trace.len() - cut], &sidecar);
        assert!(read(&found) == all[..] || !found.verify().is_empty(), "{cut} bytes less");
    }
    // The sidecar of another recording is ignored.
    let (_, _, other) = unfinished_recording();
    assert!(open(&trace, &other).recovery().is_some(), "the same header, so the same key");
}

#[test]
fn a_changed_sidecar_bit_changes_no_event_and_every_loss_is_detected() {
    let (all, trace, sidecar) = unfinished_recording();
    let mut random = Random(9);
    let lines: Vec<usize> = (PAGE..sidecar.len()).step_by(1 << 13).collect();
    for number in 0..400 {
        // In the control page, in lines, and anywhere.
        let byte = match number % 3 {
            0 => random.below(80) as usize,
            1 => lines[random.below(lines.len() as u64) as usize] + random.below(64) as usize,
            _ => random.below(sidecar.len() as u64) as usize,
        };
        let bit = random.below(8);
        let mut changed = sidecar.clone();
        changed[byte] ^= 1 << bit;
        check(&all, &open(&trace, &changed), &format!("bit {bit} of byte {byte}"));
    }
}

#[test]
fn every_loss_from_a_cut_sidecar_is_detected() {
    let (all, trace, sidecar) = unfinished_recording();
    let mut random = Random(4);
    let pages = (0..sidecar.len()).step_by(1 << 12);
    let anywhere: Vec<usize> = (0..100).map(|_| random.below(sidecar.len() as u64) as usize).collect();
    for length in pages.chain([1, 44, 72, 4095, 4097, 4104]).chain(anywhere) {
        check(&all, &open(&trace, &sidecar[..length]), &format!("cut to {length} bytes"));
    }
}

#[test]
fn losses_are_counted_in_place_after_a_kill() {
    let table = SchemaTable::current();
    let all = records(&mut Random(3), &table, 1, 60_000);
    let folder = tempfile::tempdir().unwrap();
    let options =
        WriteOptions { buffer_bytes: 1 << 12, spare_buffers: 1, on_full: OnFull::Drop, ..WriteOptions::default() };
    let writer = begin(folder.path(), &table, options);
    let mut thread = writer.thread(0);
    all.iter().for_each(|record| put(&mut thread, record));
    let (trace, sidecar) = killed_now(folder.path());
    let found = open(&trace, &sidecar);
    assert!(found.verify().is_empty(), "{:?}", found.verify());
    let summary = found.summary();
    assert_eq!(summary.events + summary.lost_events, all.len() as u64, "{summary:?}");
    drop(thread);
    writer.finish().unwrap();
}
