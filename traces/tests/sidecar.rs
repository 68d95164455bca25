//! What stands beside a recording, damaged: what is lost is noticed, and no event changes.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod blocks;
mod generate;
mod left;

use generate::{Random, Record, read, records};
use left::{Left, check};
use std::fs::{self, File};
use std::path::Path;
use taut_schemas::{Encoder, SchemaTable};
use taut_traces::{Claim, Header, OnFull, Trace, TraceWriter, WriteOptions};

/// Size of the page that a sidecar begins with.
const PAGE: usize = 4096;

/// Begins a recording at `x.taut` of a folder.
fn begin(folder: &Path, table: &SchemaTable, options: WriteOptions) -> TraceWriter {
    let path = folder.join("x.taut");
    let claim = Claim::new(&path, &path, false).unwrap();
    let part = folder.join("part");
    let file = File::create(&part).unwrap();
    let header = Header { schema: table.clone(), ..Header::default() };
    TraceWriter::to_claimed(claim, file, move || fs::rename(part, path), header, options).unwrap()
}

fn put(writer: &mut taut_traces::ThreadWriter, record: &Record) {
    let payload = |encoder: &mut Encoder<'_>| encoder.raw(&record.payload);
    writer.event(record.code, record.stamp, payload);
}

/// The two files as the end of the process would leave them now.
fn killed_now(folder: &Path) -> (Vec<u8>, Vec<u8>) {
    (fs::read(folder.join("x.taut")).unwrap(), fs::read(folder.join("x.taut.live")).unwrap())
}

/// Opens the two files somewhere else, where nobody holds them.
fn open(trace: &[u8], sidecar: &[u8]) -> Trace {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.taut"), trace).unwrap();
    fs::write(folder.path().join("x.taut.live"), sidecar).unwrap();
    Trace::open(folder.path().join("x.taut")).unwrap()
}

/// Records of two threads, and both files with some of them in the trace and some beside it.
fn left_behind() -> (Vec<Record>, Vec<u8>, Vec<u8>) {
    let Left { all, trace, sidecar } = Left::of(&SchemaTable::current(), 4000);
    (all, trace, sidecar)
}

#[test]
fn the_trace_and_what_is_beside_it_have_every_event() {
    let (all, trace, sidecar) = left_behind();
    let found = open(&trace, &sidecar);
    assert!(read(&found) == all && found.verify().is_empty());
    let recovery = found.recovery().unwrap();
    assert!(!recovery.is_alive && recovery.torn() == 0 && recovery.events() > 0, "{recovery:?}");
    // A block that was being appended is in the slots.
    for cut in [1, 10, 100] {
        let found = open(&trace[..trace.len() - cut], &sidecar);
        assert!(read(&found) == all[..] || !found.verify().is_empty(), "{cut} bytes less");
    }
    // Of another recording, it is of no use.
    let (_, _, other) = left_behind();
    assert!(open(&trace, &other).recovery().is_some(), "the same header, so the same key");
}

#[test]
fn a_changed_bit_beside_a_recording_changes_no_event_and_is_noticed_where_one_is_lost() {
    let (all, trace, sidecar) = left_behind();
    let mut random = Random(9);
    let lines: Vec<usize> = (PAGE..sidecar.len()).step_by(1 << 13).collect();
    for number in 0..400 {
        // In the page, in lines, and anywhere.
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
fn a_sidecar_cut_anywhere_is_noticed_where_an_event_is_lost() {
    let (all, trace, sidecar) = left_behind();
    let mut random = Random(4);
    let pages = (0..sidecar.len()).step_by(1 << 12);
    let anywhere: Vec<usize> = (0..100).map(|_| random.below(sidecar.len() as u64) as usize).collect();
    for length in pages.chain([1, 44, 72, 4095, 4097, 4104]).chain(anywhere) {
        check(&all, &open(&trace, &sidecar[..length]), &format!("cut to {length} bytes"));
    }
}

#[test]
fn losses_are_counted_where_they_were_by_a_kill_as_well() {
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
