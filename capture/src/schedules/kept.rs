//! What the threads of a schedule said, kept in memory, and made a trace of.

use crate::session::header;
use crate::{Clock, EventSink, Recorder, Session};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex};
use taut_replay::{Options, Outcome, Replayer};
use taut_runtime::{Profile, Settings};
use taut_schemas::{Encoder, EventCode};
use taut_traces::{Trace, TraceWriter, Workload, WriteOptions};

/// One thread's events: code, stamp and row.
pub type Events = Vec<(EventCode, u64, Vec<u8>)>;

/// Keeps each thread's events, by its number. Waiting for it is nothing that a schedule decides.
#[derive(Clone, Default)]
pub struct Kept(Arc<Mutex<BTreeMap<u32, Events>>>);

/// One thread's part of it.
pub struct KeptThread {
    thread: u32,
    kept: Kept,
}

impl Recorder for Kept {
    type Sink = KeptThread;

    fn sink(&self, thread: u32) -> KeptThread {
        let before = self.0.lock().unwrap().insert(thread, Events::new());
        assert_eq!(before, None, "two threads have the number {thread}");
        KeptThread { thread, kept: self.clone() }
    }
}

impl EventSink for KeptThread {
    fn event(&mut self, code: EventCode, stamp: u64, payload: &dyn Fn(&mut Encoder<'_>)) {
        let mut row = Vec::new();
        payload(&mut Encoder::new(&mut row));
        self.kept.0.lock().unwrap().get_mut(&self.thread).unwrap().push((code, stamp, row));
    }
}

/// The driver model of all schedules.
pub fn profile() -> Profile {
    Profile::named("reference").unwrap()
}

/// No more workers than two tasks need.
pub fn settings() -> Settings {
    Settings { max_background_tasks: 2, max_boosted_tasks: 2, ..Settings::default() }
}

/// A session whose stamps come from the locks alone: no clock hides a missing lock.
pub fn session() -> (Session<Kept>, Kept) {
    session_of(&profile())
}

/// The same with another driver model.
pub fn session_of(profile: &Profile) -> (Session<Kept>, Kept) {
    let kept = Kept::default();
    (Session::recorded_by(kept.clone(), profile, settings(), Clock::Logical), kept)
}

impl Kept {
    /// What was said, by thread.
    pub fn take(&self) -> BTreeMap<u32, Events> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

/// A sink whose bytes can be had back.
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

/// Replays a trace of what each thread said.
///
/// # Panics
/// If it does not replay the same, to the end.
pub fn assert_replays(threads: &BTreeMap<u32, Events>) -> Outcome {
    assert_replays_of(&profile(), threads)
}

/// The same with another driver model.
///
/// # Panics
/// If it does not replay the same, to the end.
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
