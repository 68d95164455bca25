//! Damage tests: any change of a file is detected, and everything else is read.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::blocks;
use crate::generate;

use blocks::{is_part_of, quarter_of_a_mebibyte, table, trace_of_blocks, trace_with};
use generate::{Random, Record, event, read, write};
use taut_schemas::{FieldKind, FieldSchema, Opcode, SchemaTable};
use taut_traces::{Selection, Trace, WriteOptions};

/// Calls every reading function; none may panic.
fn read_everything(trace: &Trace) -> Vec<Record> {
    let events = trace.header().schema.events.iter();
    let names = |event: &taut_schemas::EventSchema| event.fields.iter().map(|field| field.name.clone()).collect();
    let selection = Selection { events: events.map(|event| (event.code, names(event))).collect() };
    trace.extract(&selection).unwrap();
    read(trace)
}

#[test]
fn every_flipped_bit_is_noticed() {
    let (bytes, all) = trace_of_blocks(&table(), 3, 6);
    assert!(bytes.len() < 6144, "{} bytes", bytes.len());
    for bit in 0..bytes.len() * 8 {
        let mut bytes = bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let Ok(trace) = Trace::from_bytes(bytes) else { continue };
        assert_ne!(trace.verify(), [], "bit {} of byte {}", bit % 8, bit / 8);
        assert!(is_part_of(&read_everything(&trace), &all), "bit {} of byte {}", bit % 8, bit / 8);
    }
}

#[test]
fn every_truncation_is_noticed() {
    let (bytes, all) = trace_of_blocks(&table(), 3, 6);
    for length in 0..bytes.len() {
        let Ok(trace) = Trace::from_bytes(bytes[..length].to_vec()) else { continue };
        assert_ne!(trace.damage(), [], "{length} bytes");
        assert!(!trace.summary().complete);
        let ends: Vec<u64> = trace.blocks().iter().map(|block| block.offset + u64::from(block.length_bytes)).collect();
        assert!(ends.iter().all(|end| *end <= length as u64));
        let found = read_everything(&trace);
        assert_eq!(found.len() as u64, trace.summary().events, "{length} bytes");
        assert!(is_part_of(&found, &all), "{length} bytes");
    }
}

#[test]
fn bytes_after_the_end_are_detected() {
    let (mut bytes, all) = trace_of_blocks(&table(), 3, 6);
    bytes.push(0);
    let trace = Trace::from_bytes(bytes).unwrap();
    assert_ne!(trace.damage(), []);
    assert_eq!(read(&trace), all);
}

/// Blocks of the trace, and the records outside the block at `index`.
fn without(all: &[Record], trace: &Trace, index: usize) -> Vec<Record> {
    let block = &trace.blocks()[index];
    let inside = |record: &&Record| {
        record.thread != block.thread || record.stamp < block.min_stamp || record.stamp > block.max_stamp
    };
    all.iter().filter(inside).cloned().collect()
}

#[test]
fn a_damaged_block_costs_exactly_its_records_and_is_located() {
    let (bytes, all) = trace_of_blocks(&SchemaTable::current(), 5, 200);
    let sound = Trace::from_bytes(bytes.clone()).unwrap();
    assert_eq!(sound.verify(), []);
    for (index, block) in sound.blocks().iter().enumerate() {
        for at in [0, 5, 30, 90, block.length_bytes as usize / 2, block.length_bytes as usize - 1] {
            let mut bytes = bytes.clone();
            bytes[block.offset as usize + at] ^= 0x10;
            let trace = Trace::from_bytes(bytes).unwrap();
            assert_eq!(trace.damage(), [], "the footer is intact");
            let mut rows = trace.rows();
            while rows.next_row().is_some() {}
            let [damage] = rows.damage() else { panic!("{:?}", rows.damage()) };
            assert_eq!(damage.events_lost, Some(block.records.into()));
            assert!((block.offset..block.offset + u64::from(block.length_bytes)).contains(&damage.offset), "{damage}");
            assert_eq!(trace.verify(), rows.damage());
            assert_eq!(trace.extract(&Selection::default()).unwrap().damage, rows.damage());
            assert!(read(&trace) == without(&all, &sound, index), "block {index}, byte {at}");
        }
    }
}

#[test]
fn without_a_footer_blocks_after_a_damaged_one_are_found_and_losses_counted() {
    let (bytes, all) = trace_with(WriteOptions::default(), &SchemaTable::current(), 5, 200);
    let sound = Trace::from_bytes(bytes.clone()).unwrap();
    let last = sound.blocks().last().unwrap();
    let end = (last.offset + u64::from(last.length_bytes)) as usize;
    for index in 0..sound.blocks().len() - 2 {
        let block = &sound.blocks()[index];
        let mut bytes = bytes[..end].to_vec();
        bytes[block.offset as usize + 40] ^= 1;
        let trace = Trace::from_bytes(bytes).unwrap();
        assert!(read(&trace) == without(&all, &sound, index), "block {index}");
        let lost: u64 = trace.damage().iter().filter_map(|damage| damage.events_lost).sum();
        assert_eq!(lost, u64::from(block.records), "{:?}", trace.damage());
        assert!(trace.damage().iter().any(|damage| damage.offset >= block.offset && damage.what == "block head"));
    }
}

#[test]
fn a_trace_within_a_trace_is_not_taken_for_its_own_blocks() {
    let (inner, _) = trace_of_blocks(&table(), 2, 20);
    let field = FieldSchema { name: "b".into(), doc: String::new(), kind: FieldKind::Bytes };
    let outer = SchemaTable { events: vec![event(2, Opcode::Info, vec![field])].into(), ..SchemaTable::default() };
    let mut payload = Vec::new();
    taut_schemas::Encoder::new(&mut payload).bytes(&inner);
    let record = Record { stamp: 1, thread: 0, code: outer.events[0].code, payload };
    let (bytes, _) = write(&outer, &[record], WriteOptions::default());
    let sound = Trace::from_bytes(bytes.clone()).unwrap();
    let mut bytes = bytes;
    bytes[sound.blocks()[0].offset as usize + 9] ^= 1;
    bytes.truncate(bytes.len() - 3);
    let trace = Trace::from_bytes(bytes).unwrap();
    assert_eq!(trace.blocks(), []);
    assert_eq!(read(&trace), []);
}

/// Checks a trace with one bit flipped: the change is detected, no other event changes, at most one block is lost, and
/// its events are counted.
fn flip(bytes: &[u8], all: &[Record], max_lost: usize, bit: usize) {
    let mut flipped = bytes.to_vec();
    flipped[bit / 8] ^= 1 << (bit % 8);
    let Ok(trace) = Trace::from_bytes(flipped) else { return };
    let damage = trace.verify();
    assert_ne!(damage, [], "bit {bit}");
    let found = read(&trace);
    assert!(is_part_of(&found, all), "bit {bit}");
    let lost = all.len() - found.len();
    assert!(lost <= max_lost, "bit {bit}: {lost} lost");
    let reported: u64 = damage.iter().filter_map(|damage| damage.events_lost).sum();
    assert_eq!(reported, lost as u64, "bit {bit}: {damage:?}");
}

/// Checks a trace cut to a length: the cut is detected, and every whole block is read.
fn cut(bytes: &[u8], all: &[Record], ends: &[(usize, usize)], length: usize) {
    let Ok(trace) = Trace::from_bytes(bytes[..length].to_vec()) else { return };
    assert_ne!(trace.damage(), [], "{length} bytes");
    let found = read(&trace);
    let whole: usize = ends.iter().filter(|(end, _)| *end <= length).map(|(_, records)| records).sum();
    assert_eq!(found.len(), whole, "{length} bytes");
    assert!(is_part_of(&found, all), "{length} bytes");
}

fn ends(bytes: &[u8]) -> Vec<(usize, usize)> {
    let trace = Trace::from_bytes(bytes.to_vec()).unwrap();
    let end = |block: &taut_traces::BlockInfo| block.offset as usize + block.length_bytes as usize;
    trace.blocks().iter().map(|block| (end(block), block.records as usize)).collect()
}

#[test]
fn flipped_bits_and_cuts_of_a_larger_trace_cost_max_one_block() {
    let (bytes, all, max_lost) = quarter_of_a_mebibyte();
    let (ends, mut random) = (ends(&bytes), Random(6));
    for _ in 0..60 {
        flip(&bytes, &all, max_lost, random.below(8 * bytes.len() as u64) as usize);
        cut(&bytes, &all, &ends, random.below(bytes.len() as u64) as usize);
    }
}
