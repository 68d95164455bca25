//! What the threads of a schedule said, kept in memory, and made a trace of.

use crate::shell::EventSink;
use shuttle::sync::Arc;
use std::io::Write;
use std::sync::{Arc as StdArc, Mutex as StdMutex};
use taut_runtime::{Profile, Settings};
use taut_schemas::{Encoder, EventCode, SchemaTable};
use taut_traces::{Header, Trace, TraceWriter, World, WriteOptions};

pub type Events = Vec<(EventCode, u64, Vec<u8>)>;

/// One thread's events, in memory.
#[derive(Clone, Default)]
pub struct Kept(Arc<StdMutex<Events>>);

impl Kept {
    /// What was said; afterwards it is empty.
    pub fn take(&self) -> Events {
        std::mem::take(&mut *self.0.lock().expect("kept events"))
    }
}

impl EventSink for Kept {
    fn event(&mut self, code: EventCode, stamp: u64, payload: &dyn Fn(&mut Encoder<'_>)) {
        let mut row = Vec::new();
        payload(&mut Encoder::new(&mut row));
        self.0.lock().expect("kept events").push((code, stamp, row));
    }
}

/// A sink whose bytes can be had back.
#[derive(Clone, Default)]
struct Bytes(StdArc<StdMutex<Vec<u8>>>);

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("bytes").extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A trace of what each thread said; its number is its place.
pub fn trace(threads: &[Events]) -> Trace {
    let profile = Profile::named("reference").expect("a bundled profile");
    let world = World {
        driver: profile.name.clone(),
        profile: serde_json::to_value(&profile).expect("a profile as JSON"),
        settings: serde_json::to_value(Settings::default()).expect("settings as JSON"),
        ..World::default()
    };
    let bytes = Bytes::default();
    let header = Header { schema: SchemaTable::current(), world };
    let options = WriteOptions { buffer_bytes: 1 << 16, ..WriteOptions::default() };
    let writer = TraceWriter::new(bytes.clone(), header, options).expect("a trace");
    for (thread, events) in threads.iter().enumerate() {
        let mut out = writer.thread(thread as u32);
        for (code, stamp, row) in events {
            out.event(*code, *stamp, |encoder| encoder.raw(row));
        }
    }
    writer.finish().expect("a trace");
    let bytes = std::mem::take(&mut *bytes.0.lock().expect("bytes"));
    Trace::from_bytes(bytes).expect("a trace")
}
