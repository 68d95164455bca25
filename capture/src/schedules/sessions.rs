//! Threads that come, call and go while a session ends.

use super::kept::{Events, Kept, assert_replays, session};
use super::runs;
use crate::Session;
use shuttle::thread::spawn;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use taut_schemas::{
    DeviceId, EventHandle, HResultCode, HeapDesc, HeapProperties, HeapType, Opcode, WaitStatus, d3d12, win32,
};

const DEVICE: DeviceId = DeviceId(1);

/// What each thread does: heaps come and go, and it looks whether an event is set, which it is.
fn call(session: &Session<Kept>, event: EventHandle, times: u32) {
    let properties = HeapProperties { heap_type: HeapType::UPLOAD, ..Default::default() };
    let desc = HeapDesc { size_bytes: 1 << 16, properties, ..Default::default() };
    for _ in 0..times {
        let heap = session.call(d3d12::CreateHeap { device: DEVICE, desc }).unwrap();
        session.call(d3d12::GetHeapDesc { heap }).unwrap();
        session.call(d3d12::ReleaseHeap { heap }).unwrap();
        assert_eq!(session.wait(event, 0), Ok(WaitStatus::OBJECT_0));
    }
}

/// A session whose main thread has made a device and an event.
fn begun(is_set: bool) -> (Session<Kept>, Kept, EventHandle) {
    let (session, kept) = session();
    session.call(d3d12::CreateDevice::default()).unwrap();
    let event = session.call(win32::CreateEvent { manual_reset: true, initial_state: is_set }).unwrap();
    (session, kept, event)
}

fn events(threads: &BTreeMap<u32, Events>) -> u64 {
    threads.values().map(|events| events.len() as u64).sum()
}

/// How many events there are in a session whose main thread does so much.
fn events_of(times: u32) -> u64 {
    let (session, kept, event) = begun(true);
    call(&session, event, times);
    session.end().unwrap();
    events(&kept.take())
}

/// Everything that was called before the end is recorded, everything after it is counted, and what is recorded replays.
fn threads_go_on_while_the_session_ends() {
    static EVENTS: OnceLock<u64> = OnceLock::new();
    let (session, kept, event) = begun(true);
    let threads = [2, 2, 2].map(|times| {
        let session = session.clone();
        spawn(move || call(&session, event, times))
    });
    call(&session, event, 1);
    session.end().unwrap();
    assert!(session.end().is_err());
    let recorded = kept.take();
    assert_replays(&recorded);
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(kept.take().len(), 0, "nothing is recorded any more");
    assert_eq!(events(&recorded) + session.late_events(), *EVENTS.get_or_init(|| events_of(7)));
}

/// A thread that comes and goes leaves its events behind, and nobody else gets its number.
fn threads_come_and_go_while_another_calls() {
    let (session, kept, event) = begun(true);
    let other = session.clone();
    let steady = spawn(move || call(&other, event, 2));
    for _ in 0..2 {
        let session = session.clone();
        spawn(move || call(&session, event, 1)).join().unwrap();
    }
    steady.join().unwrap();
    session.end().unwrap();
    let recorded = kept.take();
    let application: Vec<u32> = recorded.keys().copied().filter(|thread| *thread < 0x1_0000).collect();
    assert_eq!(application, [0, 1, 2, 3]);
    assert_eq!((events(&recorded), session.late_events()), (events_of(4), 0));
    assert_replays(&recorded);
}

/// A thread that waits for what will not come is told so when the session ends, and its calls are whole.
fn who_waits_is_let_go() {
    let (session, kept, event) = begun(false);
    let other = session.clone();
    let waiting = spawn(move || other.wait(event, u32::MAX));
    session.end().unwrap();
    assert_eq!(waiting.join().unwrap(), Err(HResultCode::DXGI_ERROR_INVALID_CALL));
    let recorded = kept.take();
    let count = |opcode| recorded.values().flatten().filter(|(code, ..)| code.opcode() == Some(opcode)).count();
    assert_eq!(count(Opcode::Start), count(Opcode::Stop));
    assert_replays(&recorded);
}

/// Two sessions know nothing of each other, though the same threads call in both.
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
    for ((session, kept, _), times) in sessions.into_iter().zip([4, 2]) {
        session.end().unwrap();
        let recorded = kept.take();
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
fn whoever_waits_is_let_go_when_the_session_ends() {
    shuttle::check_random(who_waits_is_let_go, runs(200));
}

#[test]
fn sessions_may_live_side_by_side() {
    shuttle::check_random(two_sessions_live_side_by_side, runs(100));
}
