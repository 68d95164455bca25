//! Schedules of three threads that use the same objects.

use super::memory_recorder::{Events, MemoryRecorder, assert_replays, session};
use super::runs;
use crate::SessionThread;
use shuttle::sync::atomic::{AtomicU64, Ordering};
use std::collections::BTreeMap;
use std::sync::Arc;
use taut_schemas::{
    DeviceId, HResult, HeapDesc, HeapId, HeapProperties, HeapType, ObjectId, ResourceDesc, ResourceFlags, ResourceId,
    d3d12,
};

/// Only device of the adapter.
const DEVICE: DeviceId = DeviceId(1);

fn heap(app: &mut SessionThread<MemoryRecorder>) -> HResult<HeapId> {
    let properties = HeapProperties { heap_type: HeapType::UPLOAD, ..Default::default() };
    let desc = HeapDesc { size_bytes: 1 << 20, properties, ..Default::default() };
    app.call(d3d12::CreateHeap { device: DEVICE, desc })
}

fn buffer() -> ResourceDesc {
    ResourceDesc { flags: ResourceFlags::USE_TIGHT_ALIGNMENT, ..ResourceDesc::buffer(300) }
}

fn placed(app: &mut SessionThread<MemoryRecorder>, heap: HeapId, heap_offset_bytes: u64) -> HResult<ResourceId> {
    let (device, desc) = (DEVICE, buffer());
    app.call(d3d12::CreatePlacedResource { device, heap, heap_offset_bytes, desc, ..Default::default() })
}

/// Calls on objects that other threads also use. A call on a released object fails.
fn race(
    app: &mut SessionThread<MemoryRecorder>,
    shared: ResourceId,
    shared_heap: HeapId,
    board: &AtomicU64,
    number: u64,
) {
    let _ = app.call(d3d12::Map { resource: shared, subresource: 0, read_range: None });
    let own = placed(app, shared_heap, 512 * number);
    let _ = app.call(d3d12::SetName { object: ObjectId(shared.0), name: format!("thread {number}") });
    app.call(d3d12::GetResourceAllocationInfo { device: DEVICE, visible_mask: 1, descs: vec![buffer()] });
    let _ = app.call(d3d12::GetGPUVirtualAddress { resource: shared });
    if number == 1 {
        let _ = app.call(d3d12::ReleaseHeap { heap: shared_heap });
    }
    let _ = app.call(d3d12::GetHeapDesc { heap: shared_heap });
    let _ = app.call(d3d12::Unmap { resource: shared, subresource: 0, written_range: None });
    let _ = app.call(d3d12::ReleaseResource { resource: shared });
    // The resource on the board may be released, or not created yet, when it is used.
    let seen = ResourceId(board.load(Ordering::SeqCst));
    let _ = app.call(d3d12::Map { resource: seen, subresource: 0, read_range: None });
    let put = own.unwrap_or_default();
    let taken = ResourceId(board.swap(put.0, Ordering::SeqCst));
    let _ = app.call(d3d12::ReleaseResource { resource: taken });
    let _ = app.call(d3d12::GetDesc { resource: put });
}

/// Runs three threads on one machine and returns the events of each.
fn record() -> BTreeMap<u32, Events> {
    let (session, memory_recorder) = session();
    let mut main = session.thread(0);
    main.call(d3d12::CreateDevice::default()).expect("the device");
    let shared_heap = heap(&mut main).expect("a heap");
    let shared = placed(&mut main, shared_heap, 0).expect("a resource");
    let board = Arc::new(AtomicU64::new(0));
    let threads: Vec<_> = (1..=3)
        .map(|number| {
            let (session, board, after) = (session.clone(), board.clone(), main.last_stamp());
            shuttle::thread::spawn(move || {
                let mut app = session.thread(number);
                app.observe(after);
                race(&mut app, shared, shared_heap, &board, number.into());
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("a thread");
    }
    drop(main);
    session.end().expect("a recording");
    memory_recorder.take()
}

/// Checks that the recording of a schedule replays.
fn every_schedule_replays() {
    let threads = record();
    let outcome = assert_replays(&threads);
    let events = threads.values().flatten();
    let starts = events.filter(|(code, ..)| code.opcode() == Some(taut_schemas::Opcode::Start));
    assert!(outcome.calls > 20 && starts.count() as u64 == outcome.calls + outcome.ddi_calls);
}

#[test]
fn every_random_schedule_replays() {
    shuttle::check_random(every_schedule_replays, runs(1000));
}

#[test]
fn every_schedule_with_few_preemptions_replays() {
    shuttle::check_pct(every_schedule_replays, runs(500), 3);
}
