//! Events defined on first use: in the trace in which they occur, and in the sidecar until the recording ends.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::generate;

use generate::{Memory, event, read, scalar};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use taut_schemas::{EventCode, FieldKind, FieldSchema, Opcode, ProviderSchema, Role, SchemaTable, Shared};
use taut_traces::{Header, ThreadWriter, Trace, TraceWriter, WriteOptions};

/// Kind of schema blocks.
const SCHEMA: u16 = 6;

/// Three providers with one mark each; the marks of the second and the third are defined on first use.
fn table() -> SchemaTable {
    let number = FieldKind::Scalar(scalar("n".into(), 8, Role::Value, false));
    let marks = (1..=3).map(|id| {
        let field = FieldSchema { name: "n".into(), doc: String::new(), kind: number.clone() };
        let mut mark = event(id, Opcode::Info, vec![field]);
        (mark.name, mark.provider) = (format!("Mark{id}"), format!("provider-{id}"));
        mark
    });
    let providers = (1..=3).map(|id| ProviderSchema {
        defined_when_used: id > 1,
        ..ProviderSchema::from_name(&format!("provider-{id}"), 1)
    });
    SchemaTable { events: marks.collect(), codes: Shared::default(), providers: providers.collect() }
}

fn header() -> Header {
    Header { schema: table(), ..Header::default() }
}

fn code(id: u16) -> EventCode {
    EventCode::new(id, Opcode::Info)
}

fn record(thread: &mut ThreadWriter, id: u16, stamp: u64) {
    thread.event(code(id), stamp, |encoder| encoder.u64(stamp));
}

/// Blocks of a file: kind, offset and length, parsed by the envelope in FORMAT.md.
fn blocks(file: &[u8]) -> Vec<(u16, usize, usize)> {
    let u32_at = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let (mut at, mut found) = (24 + u32_at(12), Vec::new());
    while file.get(at..at + 4) == Some(b"\xb1TB1") {
        found.push((u16::from_le_bytes(file[at + 16..at + 18].try_into().unwrap()), at, u32_at(at + 8)));
        at += u32_at(at + 8);
    }
    found
}

fn definitions(file: &[u8]) -> Vec<(usize, usize)> {
    blocks(file).iter().filter(|block| block.0 == SCHEMA).map(|(_, at, length)| (*at, *length)).collect()
}

/// Trace with a record of each of these marks, each in a block of its own.
fn trace_of(marks: &[u16]) -> Vec<u8> {
    let memory = Memory::default();
    let writer = TraceWriter::new(memory.clone(), header(), WriteOptions::default()).unwrap();
    for (thread, mark) in marks.iter().enumerate() {
        record(&mut writer.thread(thread as u32), *mark, 10 * thread as u64);
    }
    writer.finish().unwrap();
    memory.0.lock().unwrap().clone()
}

#[test]
fn a_trace_defines_what_occurs_in_it() {
    assert_eq!(definitions(&trace_of(&[1, 1])), []);
    let bytes = trace_of(&[1, 2, 1, 2]);
    // At first use, and repeated at the end.
    let kinds: Vec<u16> =
        blocks(&bytes).iter().map(|block| block.0).filter(|kind| *kind == 1 || *kind == SCHEMA).collect();
    assert_eq!(kinds, [1, SCHEMA, 1, 1, 1, SCHEMA]);
    let trace = Trace::from_bytes(bytes).unwrap();
    assert!(trace.verify().is_empty());
    assert_eq!(read(&trace).len(), 4);
    let names: Vec<&str> = trace.header().schema.events.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["Mark1", "Mark2"]);
    // The providers are in the header in any case.
    assert_eq!(trace.header().schema.providers.len(), 3);
    let all = Trace::from_bytes(trace_of(&[3, 2, 1])).unwrap();
    assert!(all.verify().is_empty());
    assert_eq!(all.header().schema, table());
}

#[test]
fn a_changed_bit_of_a_definition_costs_no_event_and_is_noticed() {
    let bytes = trace_of(&[1, 2, 1, 2]);
    let all = read(&Trace::from_bytes(bytes.clone()).unwrap());
    for (at, length) in definitions(&bytes) {
        for bit in 0..8 * length {
            let mut bytes = bytes.clone();
            bytes[at + bit / 8] ^= 1 << (bit % 8);
            let found = Trace::from_bytes(bytes).unwrap();
            assert!(!found.verify().is_empty(), "bit {bit} of the block at {at}");
            assert_eq!(read(&found), all, "bit {bit} of the block at {at}");
        }
    }
}

#[test]
fn without_definitions_records_are_reported_as_lost() {
    let mut bytes = trace_of(&[1, 2, 1, 2]);
    for (at, length) in definitions(&bytes) {
        bytes[at + length / 2] ^= 1;
    }
    let found = Trace::from_bytes(bytes).unwrap();
    let damage = found.verify();
    assert_eq!(read(&found).iter().filter(|record| record.code == code(1)).count(), 2);
    let lost: u64 = damage.iter().filter_map(|damage| damage.events_lost).sum();
    assert_eq!(lost, 2, "{damage:#?}");
    assert!(damage.iter().all(|damage| damage.offset > 0), "{damage:#?}");
}

/// Unfinished recording of the marks, all in its threads' buffers or some in the trace.
fn killed(folder: &Path, marks: &[u16], flushed: usize) -> Trace {
    let path = folder.join("x.taut");
    let options = WriteOptions { buffer_bytes: 4096, ..WriteOptions::default() };
    let writer = TraceWriter::record(&path, header(), options).unwrap();
    let mut threads: Vec<ThreadWriter> = (0..marks.len() as u32).map(|number| writer.thread(number)).collect();
    for (number, mark) in marks.iter().enumerate().rev() {
        record(&mut threads[number], *mark, 10 * number as u64);
        if number < flushed {
            threads[number].hand_over();
        }
    }
    // Records that were handed over are in the file, or still in their slot.
    let elsewhere = folder.join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let live = fs::read(folder.join("x.taut.live")).unwrap();
    fs::write(elsewhere.join("x.taut"), fs::read(&path).unwrap()).unwrap();
    fs::write(elsewhere.join("x.taut.live"), live).unwrap();
    Trace::open(elsewhere.join("x.taut")).unwrap()
}

#[test]
fn the_sidecar_defines_events_of_a_killed_recording_that_are_in_no_block() {
    for flushed in [0, 2] {
        let folder = tempfile::tempdir().unwrap();
        let found = killed(folder.path(), &[1, 2, 3, 2], flushed);
        assert!(found.damage().is_empty(), "{:#?}", found.damage());
        let all = read(&found);
        assert_eq!(all.len(), 4);
        assert_eq!(found.header().schema, table());
        // The recovered trace is self-contained and tolerates a changed bit.
        let mut bytes = Vec::new();
        found.write_finished(&mut bytes).unwrap();
        let recovered = Trace::from_bytes(bytes.clone()).unwrap();
        assert!(recovered.verify().is_empty() && read(&recovered) == all);
        assert!(definitions(&bytes).len() >= 2);
        let (at, length) = definitions(&bytes)[0];
        bytes[at + length / 2] ^= 1;
        assert_eq!(read(&Trace::from_bytes(bytes).unwrap()), all);
    }
}

#[test]
fn a_killed_recording_of_what_its_head_defines_needs_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let found = killed(folder.path(), &[1, 1], 0);
    let mut bytes = Vec::new();
    found.write_finished(&mut bytes).unwrap();
    assert_eq!(definitions(&bytes), []);
    assert_eq!(read(&Trace::from_bytes(bytes).unwrap()).len(), 2);
}

#[test]
fn damaged_definitions_of_a_sidecar_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    drop(killed(folder.path(), &[1, 2], 0));
    let live = folder.path().join("elsewhere/x.taut.live");
    let mut bytes = fs::read(&live).unwrap();
    bytes[4096 + 20] ^= 1;
    fs::write(&live, bytes).unwrap();
    let found = Trace::open(folder.path().join("elsewhere/x.taut")).unwrap();
    assert!(found.damage().iter().any(|damage| damage.expected.contains("definitions")), "{:#?}", found.damage());
    assert_eq!(read(&found).len(), 1);
    assert_eq!(found.summary().lost_events, 1);
}

#[test]
fn a_recording_with_a_max_size_reserves_space_for_repeated_definitions() {
    const MAX_BYTES: u64 = 80_000;
    let mut header = header();
    // Names that compression does not shorten.
    for id in 10..600 {
        let mut mark = header.schema.events[1].clone();
        mark.code = code(id);
        mark.name = format!("{:032x}", u128::from(id).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835));
        header.schema.events.push(mark);
    }
    let (memory, ended) = (Memory::default(), Arc::new(AtomicBool::new(false)));
    let options = WriteOptions { buffer_bytes: 1024, max_bytes: Some(MAX_BYTES), ..WriteOptions::default() };
    let writer = TraceWriter::new(memory.clone(), header, options).unwrap();
    let end = Arc::clone(&ended);
    writer.on_end(move |_| end.store(true, Ordering::SeqCst));
    let written = || memory.0.lock().unwrap().len();
    for batch in 0..10_000 {
        if ended.load(Ordering::SeqCst) {
            break;
        }
        let before = written();
        let mut thread = writer.thread(0);
        (0..20).for_each(|number| record(&mut thread, 2, 20 * batch + number));
        drop(thread);
        // The block is in the file.
        while written() == before {
            std::thread::yield_now();
        }
    }
    writer.finish().unwrap();
    let bytes = memory.0.lock().unwrap().clone();
    assert!(ended.load(Ordering::SeqCst));
    let (_, defined_bytes) = definitions(&bytes)[0];
    assert!(defined_bytes > 8_000, "{defined_bytes}");
    // The end is requested in time, except for a block or two written before the request arrives.
    let max_size = MAX_BYTES as usize + 2_000;
    assert!(bytes.len() <= max_size, "{} bytes, {defined_bytes} of definitions", bytes.len());
}
