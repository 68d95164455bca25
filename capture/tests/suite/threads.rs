//! Threads of a session, created by any means: they register on their first call, and none of their events is lost.
#![allow(clippy::expect_used, clippy::unwrap_used)]

use std::cell::RefCell;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::thread::{scope, spawn};
use std::time::Duration;
use taut_capture::{Clock, Profile, Session, SessionError, Settings, Unrecorded, Workload, WriteOptions};
use taut_replay::{Options, Outcome, Replayer};
use taut_schemas::{
    BackgroundProcessingMode, Decoder, DeviceId, EventCode, EventHandle, HResultCode, HeapDesc, HeapProperties,
    HeapType, Mark, MeasurementsAction, Opcode, ResourceDesc, WaitStatus, d3d12, mark, win32,
};
use taut_traces::{Trace, TraceWriter};

const DEVICE: DeviceId = DeviceId(1);

/// Creates a session with a device, recorded under `driver`.
fn begun(file: &Path, driver: &str, clock: Clock) -> Session {
    let profile = Profile::named(driver).unwrap();
    let (workload, options) = (Workload::default(), WriteOptions::default());
    let session = Session::create(file, &profile, Settings::default(), workload, clock, options).unwrap();
    session.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() }).unwrap();
    session
}

fn upload_heap() -> d3d12::CreateHeap {
    let properties = HeapProperties { heap_type: HeapType::UPLOAD, ..Default::default() };
    d3d12::CreateHeap { device: DEVICE, desc: HeapDesc { size_bytes: 1 << 20, properties, ..Default::default() } }
}

/// Makes eight calls, all of which succeed.
fn work(session: &Session) {
    let heap = session.call(upload_heap()).unwrap();
    let desc = ResourceDesc::buffer(300);
    let place = d3d12::CreatePlacedResource { device: DEVICE, heap, desc, ..Default::default() };
    let resource = session.call(place).unwrap();
    session.call(d3d12::Map { resource, ..Default::default() }).unwrap();
    session.call(d3d12::Unmap { resource, ..Default::default() }).unwrap();
    session.call(d3d12::GetHeapDesc { heap }).unwrap();
    session.call(d3d12::GetDesc { resource }).unwrap();
    session.call(d3d12::ReleaseResource { resource }).unwrap();
    session.call(d3d12::ReleaseHeap { heap }).unwrap();
}
const CALLS_OF_WORK: u64 = 8;

/// Checks that the trace is complete and replays identically; returns the number of events of each thread.
fn replayed(file: &Path) -> (Outcome, Vec<(u32, u64)>) {
    let trace = Trace::open(file).unwrap();
    assert!(trace.summary().complete && trace.summary().lost_events == 0);
    let outcome = Replayer::new(&trace, Options::default()).run().unwrap();
    assert!(outcome.is_identical() && outcome.damage.is_empty(), "{:#?}", outcome.divergences);
    assert_eq!(outcome.unfinished_calls, 0);
    let threads = trace.summary().threads.iter().filter(|thread| thread.events > 0);
    (outcome, threads.map(|thread| (thread.thread, thread.events)).collect())
}

#[test]
fn two_sessions_live_in_one_process_while_threads_come_and_go_and_a_third_keeps_calling() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["first.taut", "second.taut"].map(|name| folder.path().join(name));
    let sessions = [begun(&files[0], "reference", Clock::best()), begun(&files[1], "peer", Clock::Logical)];
    let is_over = AtomicBool::new(false);
    let rounds = scope(|scope| {
        let third = scope.spawn(|| {
            let mut rounds = 0_u64;
            while !is_over.load(Ordering::Relaxed) || rounds == 0 {
                sessions.iter().for_each(work);
                rounds += 1;
            }
            rounds
        });
        for round in 0..40 {
            let session = &sessions[round % 2];
            scope.spawn(|| work(session)).join().unwrap();
        }
        is_over.store(true, Ordering::Relaxed);
        third.join().unwrap()
    });
    for (session, file) in sessions.iter().zip(&files) {
        session.finish().unwrap();
        let (outcome, threads) = replayed(file);
        assert_eq!(outcome.calls, 1 + (20 + rounds) * CALLS_OF_WORK);
        let numbers: Vec<u32> = threads.iter().map(|(thread, _)| *thread).collect();
        assert_eq!(numbers, (0..22).collect::<Vec<_>>(), "each has a number of its own");
        assert_eq!(session.late_events(), 0);
    }
}

#[test]
fn calls_of_a_live_thread_are_recorded_until_the_end_and_counted_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pool.taut");
    let session = begun(&file, "reference", Clock::best());
    let (order, orders) = channel::<()>();
    let (done, is_done) = channel();
    let pooled = session.clone();
    let pool = spawn(move || {
        for () in orders {
            work(&pooled);
            done.send(()).unwrap();
        }
    });
    let ordered = || {
        order.send(()).unwrap();
        is_done.recv().unwrap();
    };
    ordered();
    session.finish().unwrap();
    let (outcome, threads) = replayed(&file);
    assert_eq!((outcome.calls, threads.len()), (1 + CALLS_OF_WORK, 2));
    let bytes = std::fs::read(&file).unwrap();
    ordered();
    assert!(session.late_events() >= 2 * CALLS_OF_WORK);
    assert!(matches!(session.finish(), Err(SessionError::Ended)));
    drop(order);
    pool.join().unwrap();
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
}

#[test]
fn no_event_of_scoped_threads_is_lost_before_their_locals_are_destroyed() {
    let folder = tempfile::tempdir().unwrap();
    for turn in 0..50 {
        let file = folder.path().join(format!("{turn}.taut"));
        let session = begun(&file, "reference", Clock::best());
        scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| work(&session));
            }
        });
        session.finish().unwrap();
        let (outcome, threads) = replayed(&file);
        assert_eq!((outcome.calls, threads.len()), (1 + 4 * CALLS_OF_WORK, 5));
    }
}

#[test]
fn a_call_during_the_destruction_of_thread_locals_is_recorded() {
    struct AtTheEnd(Session);
    impl Drop for AtTheEnd {
        fn drop(&mut self) {
            work(&self.0);
        }
    }
    thread_local!(static FIRST: RefCell<Option<AtTheEnd>> = const { RefCell::new(None) });
    thread_local!(static LAST: RefCell<Option<AtTheEnd>> = const { RefCell::new(None) });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("locals.taut");
    let session = begun(&file, "reference", Clock::best());
    let other = session.clone();
    let thread = spawn(move || {
        // In either order of destruction, one of the locals is destroyed before the session's and one after it.
        FIRST.set(Some(AtTheEnd(other.clone())));
        work(&other);
        LAST.set(Some(AtTheEnd(other)));
    });
    thread.join().unwrap();
    session.finish().unwrap();
    assert_eq!(replayed(&file).0.calls, 1 + 3 * CALLS_OF_WORK);
}

#[test]
fn a_chosen_thread_number_is_not_reused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chosen.taut");
    let session = begun(&file, "reference", Clock::Logical);
    let mut chosen = session.thread(7);
    chosen.call(upload_heap()).unwrap();
    drop(chosen);
    scope(|scope| scope.spawn(|| work(&session)).join().unwrap());
    drop(session.thread(0xffff));
    scope(|scope| scope.spawn(|| work(&session)).join().unwrap());
    session.finish().unwrap();
    let numbers: Vec<u32> = replayed(&file).1.into_iter().map(|(thread, _)| thread).collect();
    assert_eq!(numbers, [0, 7, 8, 0x2_0021], "those of the machine's threads and the recorder's are theirs alone");
}

#[test]
fn a_panic_in_one_thread_leaves_the_session_whole() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("panic.taut");
    let session = begun(&file, "reference", Clock::best());
    let other = session.clone();
    let panicked = spawn(move || {
        work(&other);
        panic!("a program's own mistake");
    });
    assert!(panicked.join().is_err());
    work(&session);
    session.finish().unwrap();
    assert_eq!(replayed(&file).0.calls, 1 + 2 * CALLS_OF_WORK);
}

/// Tests that the machine's threads belong to the session, too.
#[test]
fn tasks_finish_and_waits_end_for_threads_that_registered_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("machine.taut");
    let session = begun(&file, "reference", Clock::best());
    let event = session.call(win32::CreateEvent { manual_reset: false, initial_state: false }).unwrap();
    let waiting = spawn({
        let session = session.clone();
        move || session.wait(event, u32::MAX)
    });
    let (mode, action) = (BackgroundProcessingMode::ALLOWED, MeasurementsAction::COMMIT_RESULTS_HIGH_PRIORITY);
    let set = d3d12::SetBackgroundProcessingMode {
        device: DEVICE,
        mode,
        measurements_action: action,
        event,
        want_further: false,
    };
    session.call(set).unwrap();
    assert_eq!(waiting.join().unwrap(), Ok(WaitStatus::OBJECT_0));
    assert_eq!(session.wait(event, 1), Ok(WaitStatus::TIMEOUT));
    session.release_device(DEVICE).unwrap();
    session.finish().unwrap();
    assert_eq!(session.wait(event, u32::MAX), Err(HResultCode::DXGI_ERROR_INVALID_CALL));
    replayed(&file);
}

#[test]
fn a_session_that_is_only_dropped_leaves_a_trace_without_an_end_and_lets_its_threads_go() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dropped.taut");
    let session = begun(&file, "reference", Clock::best());
    session.call(win32::CreateEvent { manual_reset: false, initial_state: false }).unwrap();
    drop(session);
    assert!(!Trace::open(&file).unwrap().summary().complete);
}

#[test]
fn an_unrecorded_session_has_threads_as_well() {
    let profile = Profile::named("reference").unwrap();
    let session: Session<Unrecorded> = Session::unrecorded(&profile, Settings::default(), Clock::best());
    let other = session.clone();
    let device = spawn(move || other.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() }));
    assert_eq!(device.join().unwrap(), Ok(DEVICE));
    assert_eq!(session.wait(EventHandle::NULL, 0), Err(HResultCode::E_HANDLE));
    session.end().unwrap();
    assert_eq!(session.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() }), Ok(DEVICE));
    assert_eq!(session.late_events(), 2);
}

/// Output that blocks until it is released.
struct Blocked {
    bytes: u64,
    go_on: std::sync::mpsc::Receiver<()>,
}

impl std::io::Write for Blocked {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        // The header is not blocked, because the start of the recording waits for it.
        if self.bytes > 0 {
            let _ = self.go_on.recv();
        }
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_thread_that_waits_for_the_writer_holds_no_lock() {
    let (release, go_on) = channel();
    let options = WriteOptions { buffer_bytes: 1 << 15, spare_buffers: 1, ..WriteOptions::default() };
    let output = Blocked { bytes: 0, go_on };
    let open = move |header| TraceWriter::new(output, header, options);
    let profile = Profile::named("reference").unwrap();
    let session = Session::record(open, &profile, Settings::default(), Workload::default(), Clock::best()).unwrap();
    session.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() }).unwrap();
    let (calls, done) = (AtomicU64::new(0), AtomicBool::new(false));
    scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                work(&session);
                calls.fetch_add(1, Ordering::Relaxed);
            }
        });
        // The thread stops once all buffers are full.
        let mut before = None;
        while before != Some(calls.load(Ordering::Relaxed)) || before == Some(0) {
            before = Some(calls.load(Ordering::Relaxed));
            std::thread::sleep(Duration::from_millis(200));
        }
        // Another thread, whose buffer is empty, makes a call that takes the device's lock.
        let (sender, answered) = channel();
        let other = session.clone();
        spawn(move || sender.send(other.call(upload_heap()).is_ok()));
        let answer = answered.recv_timeout(Duration::from_secs(20));
        done.store(true, Ordering::Relaxed);
        drop(release);
        assert_eq!(answer, Ok(true));
    });
    assert!(session.finish().unwrap().lost_events == 0);
}

/// Output that is slow for each of many blocks.
#[derive(Clone, Default)]
struct Slow(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl std::io::Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        std::thread::sleep(Duration::from_millis(4));
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_wait_for_the_writer_under_locks_is_recorded() {
    let flush_interval = Some(Duration::from_millis(1));
    let options = WriteOptions { buffer_bytes: 1 << 9, spare_buffers: 1, flush_interval, ..WriteOptions::default() };
    let output = Slow::default();
    let written = output.clone();
    let open = move |header| TraceWriter::new(output, header, options);
    let profile = Profile::named("reference").unwrap();
    let session = Session::record(open, &profile, Settings::default(), Workload::default(), Clock::best()).unwrap();
    session.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() }).unwrap();
    // One call records more than many buffers hold.
    let descs = vec![ResourceDesc::buffer(300); 400];
    for _ in 0..10 {
        session.call(d3d12::GetResourceAllocationInfo { device: DEVICE, visible_mask: 0, descs: descs.clone() });
    }
    session.finish().unwrap();
    let trace = Trace::from_bytes(written.0.lock().unwrap().clone()).unwrap();
    let (mut rows, mut waits) = (trace.rows(), Vec::new());
    let code = EventCode::new(mark::WriterWait::ID, Opcode::Info);
    while let Some(row) = rows.next_row() {
        if row.code == code {
            waits.push(mark::WriterWait::decode(&mut Decoder::new(row.payload)).unwrap().wait_ns);
        }
    }
    assert!(!waits.is_empty() && waits.iter().all(|wait_ns| *wait_ns >= 1_000_000), "{waits:?}");
    let outcome = Replayer::new(&trace, Options::default()).run().unwrap();
    assert!(outcome.is_identical(), "{:#?}", outcome.divergences);
}
