//! Traces of several blocks, for damage tests.
#![allow(dead_code, clippy::unwrap_used)]

use crate::generate::{Memory, Random, Record, event, records, scalar};
use taut_schemas::{FieldKind, FieldSchema, Opcode, Role, SchemaTable};
use taut_traces::{Trace, WriteOptions};

/// Table with a short header, so that every bit of a file can be tried.
pub fn table() -> SchemaTable {
    let field = |name: &str, kind| FieldSchema { name: name.into(), doc: "what".into(), kind };
    let size = FieldKind::Scalar(scalar("s".into(), 4, Role::Size, false));
    let list = FieldKind::List(vec![scalar("v".into(), 2, Role::Value, true)]);
    let start = event(1, Opcode::Start, vec![field("s", size), field("t", FieldKind::Text)]);
    let stop = event(1, Opcode::Stop, vec![field("l", list)]);
    SchemaTable { events: vec![start, stop].into(), ..SchemaTable::default() }
}

/// Trace of several short blocks: the records are `blocks` runs, each ended by dropping its writers. Every second block
/// is followed by an index block.
pub fn trace_of_blocks(table: &SchemaTable, blocks: usize, count: usize) -> (Vec<u8>, Vec<Record>) {
    trace_with(WriteOptions { index_blocks: 2, ..WriteOptions::default() }, table, blocks, count)
}

pub fn trace_with(options: WriteOptions, table: &SchemaTable, blocks: usize, count: usize) -> (Vec<u8>, Vec<Record>) {
    let memory = Memory::default();
    let header = taut_traces::Header { schema: table.clone(), ..Default::default() };
    let writer = taut_traces::TraceWriter::new(memory.clone(), &header, options).unwrap();
    // Places index blocks between the blocks of records.
    writer.keep_time(taut_traces::Clock::monotonic());
    let all = records(&mut Random(5), table, 2, blocks * count);
    for run in all.chunks(count) {
        let mut threads: Vec<_> = (0..2).map(|thread| writer.thread(thread)).collect();
        for record in run {
            let payload =
                |encoder: &mut taut_schemas::Encoder<'_>| record.payload.iter().for_each(|byte| encoder.u8(*byte));
            threads[record.thread as usize].event(record.code, record.stamp, payload);
        }
    }
    writer.finish().unwrap();
    let bytes = memory.0.lock().unwrap().clone();
    (bytes, all)
}

/// True if `found` is `all` with some elements omitted.
pub fn is_part_of(found: &[Record], all: &[Record]) -> bool {
    let mut all = all.iter();
    found.iter().all(|record| all.any(|known| known == record))
}

/// Trace of about 256 KiB, its records, and the number of records in its largest block.
pub fn quarter_of_a_mebibyte() -> (Vec<u8>, Vec<Record>, usize) {
    let (bytes, all) = trace_of_blocks(&table(), 20, 1630);
    assert!((200 << 10..300 << 10).contains(&bytes.len()), "{} bytes", bytes.len());
    let trace = Trace::from_bytes(bytes.clone()).unwrap();
    assert_eq!(trace.verify(), []);
    let max_records = trace.blocks().iter().map(|block| block.records as usize).max().unwrap();
    (bytes, all, max_records)
}
