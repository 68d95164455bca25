//! In-memory recorder for schedules, and its conversion to a trace.

use crate::session::header;
use crate::{Clock, EventSink, Recorder, Session};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex};
use taut_replay::{Options, Outcome, Replayer};
use taut_runtime::{Profile, Settings};
use taut_schemas::{Encoder, EventCode};
use taut_traces::{Trace, TraceWriter, Workload, WriteOptions};

/// Events of one thread: code, stamp and row.
pub type Events = Vec<(EventCode, u64, Vec<u8>)>;

/// Recorder that stores each thread's events by the thread's number. Its lock is std's, so it is no scheduling point.
#[derive(Clone, Default)]
pub struct MemoryRecorder(Arc<Mutex<BTreeMap<u32, Events>>>);

/// Sink of one thread.
pub struct MemoryRecorderSink {
    thread: u32,
    memory_recorder: MemoryRecorder,
}

impl Recorder for MemoryRecorder {
    type Sink = MemoryRecorderSink;

    fn sink(&self, thread: u32) -> MemoryRecorderSink {
        let before = self.0.lock().unwrap().insert(thread, Events::new());
        assert_eq!(before, None, "two threads have the number {thread}");
        MemoryRecorderSink { thread, memory_recorder: self.clone() }
    }
}

impl EventSink for MemoryRecorderSink {
    fn event(&mut self, code: EventCode, stamp: u64, payload: &dyn Fn(&mut Encoder<'_>)) {
        let mut row = Vec::new();
        payload(&mut Encoder::new(&mut row));
        self.memory_recorder.0.lock().unwrap().get_mut(&self.thread).unwrap().push((code, stamp, row));
    }
}

/// Driver model of all schedules.
pub fn profile() -> Profile {
    Profile::named("reference").unwrap()
}

/// Settings with only as many workers as two tasks need.
pub fn settings() -> Settings {
    Settings { max_background_tasks: 2, max_boosted_tasks: 2, ..Settings::default() }
}

/// Creates a session whose stamps come from the locks alone: no clock hides a missing lock.
pub fn session() -> (Session<MemoryRecorder>, MemoryRecorder) {
    session_of(&profile())
}

/// Creates a session with another driver model.
pub fn session_of(profile: &Profile) -> (Session<MemoryRecorder>, MemoryRecorder) {
    let memory_recorder = MemoryRecorder::default();
    (Session::recorded_by(memory_recorder.clone(), profile, settings(), Clock::Logical), memory_recorder)
}

impl MemoryRecorder {
    /// Returns the recorded events by thread.
    pub fn take(&self) -> BTreeMap<u32, Events> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

/// Sink whose bytes can be read back.
#[derive(Clone, Default)]
struct Bytes(Arc<Mutex<Vec<u8>>>);

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Replays a trace of each thread's events.
///
/// # Panics
/// If the replay differs or does not reach the end.
pub fn assert_replays(threads: &BTreeMap<u32, Events>) -> Outcome {
    assert_replays_of(&profile(), threads)
}

/// Replays with another driver model.
///
/// # Panics
/// If the replay differs or does not reach the end.
pub fn assert_replays_of(profile: &Profile, threads: &BTreeMap<u32, Events>) -> Outcome {
    let bytes = Bytes::default();
    let header = header(&crate::Adapters::from(profile), &settings(), Workload::default(), &Clock::Logical).unwrap();
    let options = WriteOptions { buffer_bytes: 1 << 16, ..WriteOptions::default() };
    let writer = TraceWriter::new(bytes.clone(), header, options).unwrap();
    for (thread, events) in threads {
        let mut out = writer.thread(*thread);
        for (code, stamp, row) in events {
            out.event(*code, *stamp, |encoder| encoder.raw(row));
        }
    }
    writer.finish().unwrap();
    let bytes = std::mem::take(&mut *bytes.0.lock().unwrap());
    let outcome = Replayer::new(&Trace::from_bytes(bytes).unwrap(), Options::default()).run().unwrap();
    assert!(outcome.is_identical(), "{:#?}", outcome.divergences);
    assert_eq!(outcome.unfinished_calls, 0);
    outcome
}
