//! Thread schedules, explored: whatever order threads get through the real lock sets, the recorded order replays.
//!
//! The shell's own files are compiled here a second time, over locks that shuttle schedules.
#![allow(clippy::expect_used)]

#[allow(dead_code, missing_docs)]
#[path = "../../capture/src/clock.rs"]
mod clock;
#[allow(dead_code, missing_docs)]
#[path = "../../capture/src/locks.rs"]
mod locks;
#[allow(dead_code, missing_docs)]
#[path = "../../capture/src/shell.rs"]
mod shell;
mod sync {
    pub use shuttle::sync::{Condvar, Mutex, MutexGuard};
    pub use std::sync::TryLockError;
}

use clock::Clock;
use shell::{AppThread, EventSink, Shell};
use shuttle::sync::Arc;
use shuttle::sync::atomic::{AtomicU64, Ordering};
use std::io::Write;
use std::sync::{Arc as StdArc, Mutex as StdMutex};
use taut_replay::{Options, Replayer};
use taut_runtime::{Profile, Settings};
use taut_schemas::{
    DeviceId, Dimension, Encoder, EventCode, HResult, HeapDesc, HeapId, HeapProperties, HeapType, ObjectId,
    ResourceDesc, ResourceFlags, ResourceId, SchemaTable, TextureLayout, api,
};
use taut_traces::{Header, Trace, TraceWriter, World, WriteOptions};

/// The adapter's one device.
const DEVICE: DeviceId = DeviceId(1);

type Events = Vec<(EventCode, u64, Vec<u8>)>;

/// One thread's events, in memory.
#[derive(Clone, Default)]
struct Kept(Arc<StdMutex<Events>>);

impl EventSink for Kept {
    fn event(&mut self, code: EventCode, stamp: u64, payload: &dyn Fn(&mut Encoder<'_>)) {
        let mut row = Vec::new();
        payload(&mut Encoder::new(&mut row));
        self.0.lock().expect("kept events").push((code, stamp, row));
    }
}

fn heap(app: &mut AppThread<'_, Kept>) -> HResult<HeapId> {
    let properties = HeapProperties { heap_type: HeapType::UPLOAD, ..Default::default() };
    let desc = HeapDesc { size_bytes: 1 << 20, properties, ..Default::default() };
    app.call(&api::CreateHeap { device: DEVICE, desc })
}

fn buffer() -> ResourceDesc {
    ResourceDesc {
        dimension: Dimension::BUFFER,
        width: 300,
        height: 1,
        depth_or_array_size: 1,
        mip_levels: 1,
        sample_count: 1,
        layout: TextureLayout::ROW_MAJOR,
        flags: ResourceFlags::USE_TIGHT_ALIGNMENT,
        ..Default::default()
    }
}

fn placed(app: &mut AppThread<'_, Kept>, heap: HeapId, heap_offset_bytes: u64) -> HResult<ResourceId> {
    let (device, desc) = (DEVICE, buffer());
    app.call(&api::CreatePlacedResource { device, heap, heap_offset_bytes, desc, ..Default::default() })
}

/// What a thread does to objects that other threads use, too: any of it may come too late, and says so.
fn race(app: &mut AppThread<'_, Kept>, (shared, shared_heap): (ResourceId, HeapId), board: &AtomicU64, number: u64) {
    let _ = app.call(&api::Map { resource: shared, subresource: 0, read_range: None });
    let own = placed(app, shared_heap, 512 * number);
    let _ = app.call(&api::SetName { object: ObjectId(shared.0), name: format!("thread {number}") });
    app.call(&api::GetResourceAllocationInfo { device: DEVICE, visible_mask: 1, descs: vec![buffer()] });
    let _ = app.call(&api::GetGPUVirtualAddress { resource: shared });
    if number == 1 {
        let _ = app.call(&api::ReleaseHeap { heap: shared_heap });
    }
    let _ = app.call(&api::GetHeapDesc { heap: shared_heap });
    let _ = app.call(&api::Unmap { resource: shared, subresource: 0, written_range: None });
    let _ = app.call(&api::ReleaseResource { resource: shared });
    // What is on the board may be gone, or not yet there, by the time it is used.
    let seen = ResourceId(board.load(Ordering::SeqCst));
    let _ = app.call(&api::Map { resource: seen, subresource: 0, read_range: None });
    let put = own.unwrap_or_default();
    let taken = ResourceId(board.swap(put.0, Ordering::SeqCst));
    let _ = app.call(&api::ReleaseResource { resource: taken });
    let _ = app.call(&api::GetDesc { resource: put });
}

/// Runs three threads against one machine and gives back each one's events.
fn record() -> Vec<Events> {
    let profile = Profile::named("reference").expect("a bundled profile");
    let shell = Arc::new(Shell::new(Settings::default(), taut_runtime::driver(&profile), Clock::Logical));
    let first = Kept::default();
    let mut main = shell.thread(first.clone());
    main.call(&api::CreateDevice::default()).expect("the device");
    let shared_heap = heap(&mut main).expect("a heap");
    let shared = placed(&mut main, shared_heap, 0).expect("a resource");
    let board = Arc::new(AtomicU64::new(0));
    let mut kept = vec![first];
    let threads: Vec<_> = (1..=3)
        .map(|number| {
            let (sink, shell, after) = (Kept::default(), shell.clone(), main.last_stamp());
            let board = board.clone();
            kept.push(sink.clone());
            shuttle::thread::spawn(move || {
                let mut app = shell.thread(sink);
                app.observe(after);
                race(&mut app, (shared, shared_heap), &board, number);
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("a thread");
    }
    drop(main);
    kept.iter().map(|kept| std::mem::take(&mut *kept.0.lock().expect("kept events"))).collect()
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

fn trace(threads: &[Events]) -> Trace {
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

/// Replays every schedule's recording. With `Clock::Logical` the stamps come from the locks alone: no clock hides a
/// missing lock.
fn every_schedule_replays() {
    let threads = record();
    let trace = trace(&threads);
    let outcome = Replayer::new(&trace, Options::default()).run().expect("a replay");
    assert!(outcome.is_identical(), "{:#?}", outcome.divergences);
    let starts = threads.iter().flatten().filter(|(code, ..)| code.opcode() == Some(taut_schemas::Opcode::Start));
    assert!(outcome.calls > 20 && starts.count() as u64 == outcome.calls + outcome.ddi_calls);
}

#[test]
fn every_random_schedule_replays() {
    shuttle::check_random(every_schedule_replays, 1000);
}

#[test]
fn every_schedule_with_few_preemptions_replays() {
    shuttle::check_pct(every_schedule_replays, 500, 3);
}
