//! Rows, schema tables and traces generated from a seed.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

use std::io::{self, Write};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};
use taut_schemas::{
    Encoder, EventCode, EventSchema, FieldKind, FieldSchema, IdSpace, Layer, Level, Opcode, Role, ScalarSchema,
    SchemaTable, Slot,
};
use taut_traces::{Header, Rows, Trace, TraceWriter, WriteOptions, WriteSummary};

/// SplitMix64 generator.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// Mostly small numbers, sometimes any.
    pub fn number(&mut self) -> u64 {
        let number = self.next();
        match self.below(4) {
            0 => number % 3,
            1 => number % 1000 * 256,
            2 => number >> self.below(64),
            _ => number,
        }
    }
}

pub fn scalar(name: String, width_bytes: u8, role: Role, in_list: bool) -> ScalarSchema {
    let space = (role == Role::Id).then_some(IdSpace::Object);
    ScalarSchema { name, width_bytes, role, space, slot: Slot::new(role, in_list), code: None, doc: String::new() }
}

pub fn event(id: u16, opcode: Opcode, fields: Vec<FieldSchema>) -> EventSchema {
    let (name, layer) = (format!("Event{id}"), Layer::Api);
    let provider = "generated".to_owned();
    let (level, keywords, doc) = (Level::default(), 0, String::new());
    let (code, etw) = (EventCode::new(id, opcode), None);
    EventSchema { code, name, provider, layer, opcode, level, keywords, etw, doc, fields }
}

/// Table of up to 12 events with up to 6 fields.
pub fn table(random: &mut Random) -> SchemaTable {
    let mut table = SchemaTable::default();
    for id in 1..2 + random.below(6) as u16 {
        for opcode in [Opcode::Info, Opcode::Start, Opcode::Stop] {
            let fields = (0..random.below(7)).map(|index| field(random, index)).collect();
            if random.below(4) != 0 {
                table.events.push(event(id, opcode, fields));
            }
        }
    }
    table
}

fn field(random: &mut Random, index: u64) -> FieldSchema {
    let name = format!("field{index}");
    let column = |random: &mut Random, name: String, in_list| {
        let width_bytes = [1, 2, 4, 8][random.below(4) as usize];
        scalar(name, width_bytes, Role::ALL[random.below(Role::ALL.len() as u64) as usize], in_list)
    };
    let kind = match random.below(8) {
        0 => FieldKind::Text,
        1 => FieldKind::Bytes,
        2 => FieldKind::List((0..1 + random.below(3)).map(|at| column(random, format!("column{at}"), true)).collect()),
        3 => FieldKind::Optional(vec![column(random, "value".into(), true)]),
        _ => FieldKind::Scalar(column(random, name.clone(), false)),
    };
    FieldSchema { name, doc: String::new(), kind }
}

/// Row of `event`.
pub fn row(random: &mut Random, event: &EventSchema) -> Vec<u8> {
    let mut row = Vec::new();
    for field in &event.fields {
        match &field.kind {
            FieldKind::Scalar(scalar) => put(random, &mut row, scalar),
            FieldKind::Text | FieldKind::Bytes => {
                let bytes: Vec<u8> = (0..random.below(12)).map(|_| b'a' + random.below(26) as u8).collect();
                Encoder::new(&mut row).bytes(&bytes);
            }
            FieldKind::List(columns) | FieldKind::Optional(columns) => {
                let max_count = if matches!(field.kind, FieldKind::List(_)) { 5 } else { 2 };
                let count = random.below(max_count);
                row.extend((count as u32).to_le_bytes());
                (0..count).for_each(|_| columns.iter().for_each(|scalar| put(random, &mut row, scalar)));
            }
        }
    }
    row
}

fn put(random: &mut Random, row: &mut Vec<u8>, scalar: &ScalarSchema) {
    row.extend(&random.number().to_le_bytes()[..usize::from(scalar.width_bytes)]);
}

/// Owned record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub stamp: u64,
    pub thread: u32,
    pub code: EventCode,
    pub payload: Vec<u8>,
}

/// Records of `threads` threads with rising stamps.
pub fn records(random: &mut Random, table: &SchemaTable, threads: u32, count: usize) -> Vec<Record> {
    let mut stamp = random.below(1 << 40);
    let mut thread = 0;
    let records = (0..if table.events.is_empty() { 0 } else { count }).map(|_| {
        stamp += 1 + random.below(100);
        if random.below(10) == 0 {
            thread = random.below(threads.into()) as u32;
        }
        let event = &table.events[random.below(table.events.len() as u64) as usize];
        Record { stamp, thread, code: event.code, payload: row(random, event) }
    });
    records.collect()
}

/// Sink whose contents can be read afterwards.
#[derive(Debug, Clone, Default)]
pub struct Memory(pub Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Sink that waits for a signal before each write except the first, which is the header's.
pub struct Gated {
    pub memory: Memory,
    pub gate: Receiver<()>,
    pub writes: usize,
}

impl Write for Gated {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writes += 1;
        // An error means that the gate is permanently open.
        if self.writes > 1 {
            let _ = self.gate.recv();
        }
        self.memory.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Trace of `records`.
pub fn write(table: &SchemaTable, records: &[Record], options: WriteOptions) -> (Vec<u8>, WriteSummary) {
    let memory = Memory::default();
    let header = Header { schema: table.clone(), ..Header::default() };
    let writer = TraceWriter::new(memory.clone(), &header, options).unwrap();
    let threads = records.iter().map(|record| record.thread + 1).max().unwrap_or(0);
    let mut threads: Vec<_> = (0..threads).map(|thread| writer.thread(thread)).collect();
    for record in records {
        let payload = |encoder: &mut Encoder<'_>| record.payload.iter().for_each(|byte| encoder.u8(*byte));
        threads[record.thread as usize].event(record.code, record.stamp, payload);
    }
    drop(threads);
    let summary = writer.finish().unwrap();
    let bytes = memory.0.lock().unwrap().clone();
    (bytes, summary)
}

/// All records that can be read.
pub fn read(trace: &Trace) -> Vec<Record> {
    read_rows(trace.rows())
}

/// All records of these rows.
pub fn read_rows(mut rows: Rows<'_>) -> Vec<Record> {
    let mut records = Vec::new();
    while let Some(row) = rows.next_row() {
        let (stamp, thread, code) = (row.stamp, row.thread, row.code);
        records.push(Record { stamp, thread, code, payload: row.payload.to_vec() });
    }
    records
}
