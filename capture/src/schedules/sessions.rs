//! Schedules of threads that start, call and end while a session ends.

use super::memory_recorder::{Events, MemoryRecorder, assert_replays, session};
use super::runs;
use crate::Session;
use shuttle::thread::spawn;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use taut_schemas::{
    DeviceId, EventHandle, HResultCode, HeapDesc, HeapProperties, HeapType, Opcode, WaitStatus, d3d12, win32,
};

const DEVICE: DeviceId = DeviceId(1);

/// Calls of each thread: creates and releases heaps, and polls an event that is set.
fn call(session: &Session<MemoryRecorder>, event: EventHandle, times: u32) {
    let properties = HeapProperties { heap_type: HeapType::UPLOAD, ..Default::default() };
    let desc = HeapDesc { size_bytes: 1 << 16, properties, ..Default::default() };
    for _ in 0..times {
        let heap = session.call(d3d12::CreateHeap { device: DEVICE, desc }).unwrap();
        session.call(d3d12::GetHeapDesc { heap }).unwrap();
        session.call(d3d12::ReleaseHeap { heap }).unwrap();
        assert_eq!(session.wait(event, 0), Ok(WaitStatus::OBJECT_0));
    }
}

/// Creates a session whose main thread has created a device and an event.
fn begun(is_set: bool) -> (Session<MemoryRecorder>, MemoryRecorder, EventHandle) {
    let (session, memory_recorder) = session();
    session.call(d3d12::CreateDevice::default()).unwrap();
    let event = session.call(win32::CreateEvent { manual_reset: true, initial_state: is_set }).unwrap();
    (session, memory_recorder, event)
}

fn events(threads: &BTreeMap<u32, Events>) -> u64 {
    threads.values().map(|events| events.len() as u64).sum()
}

/// Returns the number of events of a session whose main thread makes the calls this many times.
fn events_of(times: u32) -> u64 {
    let (session, memory_recorder, event) = begun(true);
    call(&session, event, times);
    session.end().unwrap();
    events(&memory_recorder.take())
}

/// Checks that everything called before the end is recorded, everything after it is counted, and that the recording
/// replays.
fn threads_go_on_while_the_session_ends() {
    static EVENTS: OnceLock<u64> = OnceLock::new();
    let (session, memory_recorder, event) = begun(true);
    let threads = [2, 2, 2].map(|times| {
        let session = session.clone();
        spawn(move || call(&session, event, times))
    });
    call(&session, event, 1);
    session.end().unwrap();
    assert!(session.end().is_err());
    let recorded = memory_recorder.take();
    assert_replays(&recorded);
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(memory_recorder.take().len(), 0, "nothing is recorded any more");
    assert_eq!(events(&recorded) + session.late_events(), *EVENTS.get_or_init(|| events_of(7)));
}

/// Checks that the events of a thread that has ended remain, and that no other thread gets its number.
fn threads_come_and_go_while_another_calls() {
    let (session, memory_recorder, event) = begun(true);
    let other = session.clone();
    let steady = spawn(move || call(&other, event, 2));
    for _ in 0..2 {
        let session = session.clone();
        spawn(move || call(&session, event, 1)).join().unwrap();
    }
    steady.join().unwrap();
    session.end().unwrap();
    let recorded = memory_recorder.take();
    let application: Vec<u32> = recorded.keys().copied().filter(|thread| *thread < 0x1_0000).collect();
    assert_eq!(application, [0, 1, 2, 3]);
    assert_eq!((events(&recorded), session.late_events()), (events_of(4), 0));
    assert_replays(&recorded);
}

/// Checks that a thread that waits for an event that never comes gets an error when the session ends, and that its
/// calls are complete.
fn waits_end_with_the_session() {
    let (session, memory_recorder, event) = begun(false);
    let other = session.clone();
    let waiting = spawn(move || other.wait(event, u32::MAX));
    session.end().unwrap();
    assert_eq!(waiting.join().unwrap(), Err(HResultCode::DXGI_ERROR_INVALID_CALL));
    let recorded = memory_recorder.take();
    let count = |opcode| recorded.values().flatten().filter(|(code, ..)| code.opcode() == Some(opcode)).count();
    assert_eq!(count(Opcode::Start), count(Opcode::Stop));
    assert_replays(&recorded);
}

/// Checks that two sessions are independent, even if the same threads call both.
fn two_sessions_live_side_by_side() {
    let sessions = [begun(true), begun(true)];
    let threads = [0, 1].map(|_| {
        let [first, second] = sessions.each_ref().map(|(session, _, event)| (session.clone(), *event));
        spawn(move || {
            call(&first.0, first.1, 1);
            call(&second.0, second.1, 1);
            call(&first.0, first.1, 1);
        })
    });
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    for ((session, memory_recorder, _), times) in sessions.into_iter().zip([4, 2]) {
        session.end().unwrap();
        let recorded = memory_recorder.take();
        assert_eq!(events(&recorded), events_of(times));
        assert_replays(&recorded);
    }
}

#[test]
fn a_session_may_end_at_any_time() {
    shuttle::check_random(threads_go_on_while_the_session_ends, runs(200));
    shuttle::check_pct(threads_go_on_while_the_session_ends, runs(600), 4);
}

#[test]
fn threads_may_come_and_go() {
    shuttle::check_random(threads_come_and_go_while_another_calls, runs(200));
}

#[test]
fn waits_end_when_the_session_ends() {
    shuttle::check_random(waits_end_with_the_session, runs(200));
}

#[test]
fn sessions_may_live_side_by_side() {
    shuttle::check_random(two_sessions_live_side_by_side, runs(100));
}
