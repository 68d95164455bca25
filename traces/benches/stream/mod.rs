//! The stream that layouts are measured with: 200 kinds of events of five 64-bit arguments each.
#![allow(dead_code, missing_docs)]

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use taut_schemas::{
    EventCode, EventSchema, FieldKind, FieldSchema, IdSpace, Layer, Opcode, Role, ScalarSchema, SchemaTable, Slot,
};
use taut_traces::{Header, TraceWriter, WriteOptions};

pub const IDS: u16 = 200;

/// Events to measure with: `TAUT_BENCH_EVENTS`, or two million.
pub fn events() -> u64 {
    std::env::var("TAUT_BENCH_EVENTS").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000_000)
}

#[derive(Clone, Copy)]
pub struct Event {
    pub stamp: u64,
    pub id: u16,
    pub arguments: [u64; 5],
}

/// Generates the stream. An event costs about 2 ns.
pub struct Stream {
    zipf: Vec<u16>,
    stamp: u64,
    next: u64,
}

const SIZES: [u64; 16] = [256, 256, 4096, 65536, 256, 1024, 64, 64, 4096, 256, 16384, 1 << 20, 256, 64, 4096, 512];

impl Stream {
    pub fn new() -> Stream {
        let weights: Vec<f64> = (1..=u32::from(IDS)).map(|rank| 1.0 / f64::from(rank)).collect();
        let total: f64 = weights.iter().sum();
        let mut zipf = Vec::with_capacity(4096);
        let (mut id, mut sum) = (0, weights[0]);
        for cell in 0..4096u32 {
            while (f64::from(cell) + 0.5) / 4096.0 * total > sum && id + 1 < usize::from(IDS) {
                id += 1;
                sum += weights[id];
            }
            zipf.push(id as u16);
        }
        Stream { zipf, stamp: 1 << 44, next: 0 }
    }

    #[inline]
    pub fn next(&mut self) -> Event {
        let i = self.next;
        self.next += 1;
        let mut h = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        h = (h ^ (h >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        h ^= h >> 31;
        // Stamps as a time-stamp counter gives them: even, some tens of ticks apart, with a pause now and then.
        self.stamp += 24 + 2 * (h >> 32 & 0x1f) + if i % 4096 == 4095 { 20_000 + (h >> 20 & 0xfff) } else { 0 };
        let failed = if h >> 44 & 0x7f == 0 { 0x8007_000e } else { 0 };
        let handle = 0x7f00_0000_0000 + ((i >> 5).wrapping_mul(7) & 0xfff) * 0x90;
        let arguments = [handle, SIZES[(h & 15) as usize], i >> 3, h >> 8 & 0xff_ffff, failed];
        Event { stamp: self.stamp, id: self.zipf[(h >> 52) as usize], arguments }
    }
}

pub fn code(id: u16) -> EventCode {
    EventCode::new(id + 1, Opcode::Info)
}

pub fn header() -> Header {
    let fields = [
        ("handle", Role::Id),
        ("size", Role::Size),
        ("frame", Role::Count),
        ("bits", Role::Value),
        ("hr", Role::HResult),
    ];
    let field = |(name, role): (&str, Role)| {
        let (name, slot, doc) = (name.to_owned(), Slot::of(role, false), String::new());
        let space = (role == Role::Id).then_some(IdSpace::Object);
        let scalar =
            ScalarSchema { name: name.clone(), width_bytes: 8, role, space, slot, code: None, doc: doc.clone() };
        FieldSchema { name, doc, kind: FieldKind::Scalar(scalar) }
    };
    let event = |id| EventSchema {
        code: code(id),
        name: format!("Call{id}"),
        provider: "stream".to_owned(),
        layer: Layer::Api,
        opcode: Opcode::Info,
        doc: String::new(),
        fields: fields.into_iter().map(field).collect(),
    };
    let schema = SchemaTable { events: (0..IDS).map(event).collect(), codes: Vec::new() };
    Header { schema, ..Header::default() }
}

/// Time that this thread has run, in nanoseconds. Other work on the machine does not count; where the system does not
/// tell, time on the wall.
pub fn thread_ns() -> u64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|text| text.split_whitespace().next().and_then(|word| word.parse().ok()));
    told.unwrap_or_else(|| START.elapsed().as_nanos() as u64)
}

static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);

/// A sink that counts bytes, and notes how long the thread that writes to it has run.
#[derive(Clone, Default)]
pub struct Count {
    pub bytes: Arc<AtomicU64>,
    pub writer_ns: Arc<AtomicU64>,
}

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.writer_ns.store(thread_ns(), Ordering::Relaxed);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes `events` events through one thread.
pub fn record(writer: &TraceWriter, events: u64) {
    let mut thread = writer.thread(1);
    let mut stream = Stream::new();
    for _ in 0..events {
        let event = stream.next();
        thread
            .event(code(event.id), event.stamp, |encoder| event.arguments.iter().for_each(|value| encoder.u64(*value)));
    }
}

/// A writer that keeps everything in the thread's buffer until the end, so that recording and encoding do not overlap.
pub fn one_buffer(events: u64) -> WriteOptions {
    WriteOptions { buffer_bytes: (events as usize + 1) * 54, spare_buffers: 1, sync: false, ..WriteOptions::default() }
}

/// A trace of the stream, in memory.
pub fn trace(events: u64) -> Vec<u8> {
    #[derive(Clone, Default)]
    struct Memory(Arc<std::sync::Mutex<Vec<u8>>>);
    impl Write for Memory {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().map_err(|_| io::ErrorKind::Other)?.extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let memory = Memory::default();
    if let Ok(writer) = TraceWriter::new(memory.clone(), header(), WriteOptions::default()) {
        record(&writer, events);
        let _ = writer.finish();
    }
    memory.0.lock().map(|mut bytes| std::mem::take(&mut *bytes)).unwrap_or_default()
}
