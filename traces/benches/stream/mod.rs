//! The stream that layouts are measured with: 200 kinds of events of five 64-bit arguments each.
#![allow(dead_code, missing_docs)]

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use taut_schemas::EventCode;
use taut_traces::{Header, StandardStream, TraceWriter, WriteOptions};

/// Events to measure with: `TAUT_BENCH_EVENTS`, or two million.
pub fn events() -> u64 {
    std::env::var("TAUT_BENCH_EVENTS").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000_000)
}

#[derive(Clone, Copy)]
pub struct Event {
    pub stamp: u64,
    pub code: EventCode,
    pub arguments: [u64; 5],
}

/// The standard stream, with stamps that no clock gave.
pub struct Stream {
    stream: StandardStream,
    stamp: u64,
}

impl Stream {
    pub fn new() -> Stream {
        Stream { stream: StandardStream::default(), stamp: 1 << 44 }
    }

    #[inline]
    pub fn next(&mut self) -> Event {
        let event = self.stream.event();
        self.stamp += self.stream.ticks();
        Event { stamp: self.stamp, code: event.code, arguments: event.arguments }
    }
}

pub fn header() -> Header {
    Header { schema: StandardStream::schema(), ..Header::default() }
}

/// Time that this thread has run, in nanoseconds. Other work on the machine does not count; where the system does not
/// tell, time on the wall.
pub fn thread_ns() -> u64 {
    let reported = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let reported = reported.and_then(|text| text.split_whitespace().next().and_then(|word| word.parse().ok()));
    reported.unwrap_or_else(|| START.elapsed().as_nanos() as u64)
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
        thread.event(event.code, event.stamp, |encoder| event.arguments.iter().for_each(|value| encoder.u64(*value)));
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
