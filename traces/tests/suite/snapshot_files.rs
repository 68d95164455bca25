//! Snapshots of an active recording end at one stamp in all threads: with an event they contain everything before it.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(unix)]

use crate::generate;

use generate::event;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use taut_schemas::{EventCode, FieldKind, FieldSchema, Opcode, Provider, ProviderSet, SchemaTable};
use taut_traces::{Clock, Command, ControlClient, ControlError, EndCause, Header, Trace, TraceWriter, WriteOptions};

const CODE: EventCode = EventCode::new(1, Opcode::Info);

const PATIENCE: Duration = Duration::from_secs(60);

fn header(clock: &str) -> Header {
    let field = FieldSchema { name: "data".into(), doc: String::new(), kind: FieldKind::Bytes };
    let events = vec![event(1, Opcode::Info, vec![field])];
    let mut header =
        Header { schema: SchemaTable { events: events.into(), ..SchemaTable::default() }, ..Header::default() };
    header.world.clock.source = clock.to_owned();
    header
}

/// Numbers that threads draw one after another under a lock, and record under the same lock.
#[derive(Default)]
struct Order {
    /// Next number, and last stamp.
    last: Mutex<(u64, u64)>,
    is_over: AtomicBool,
}

impl Order {
    fn record(&self, writer: &TraceWriter, thread: u32, clock: Clock) {
        let mut recorder = writer.thread(thread);
        while !self.is_over.load(Ordering::Relaxed) {
            recorder.make_room();
            let mut last = self.last.lock().unwrap();
            let (number, stamp) = (last.0, clock.stamp(last.1));
            // Some records are larger than a slot.
            let length = if number % 4_001 == 4_000 { 5_000 } else { number as usize % 50 };
            recorder.event(CODE, stamp, |encoder| {
                encoder.count(8 + length);
                encoder.u64(number);
                (0..length).for_each(|_| encoder.u8(7));
            });
            *last = (number + 1, stamp);
        }
    }
}

/// Checks that a trace contains all numbers up to the last, in order.
fn check(path: &Path) -> u64 {
    let trace = Trace::open(path).unwrap();
    assert!(trace.summary().complete && trace.verify().is_empty(), "{:?}", trace.verify());
    let (mut rows, mut next) = (trace.rows(), 0);
    while let Some(row) = rows.next_row() {
        assert_eq!(u64::from_le_bytes(*row.payload[4..].first_chunk().unwrap()), next, "{}", path.display());
        next += 1;
    }
    assert_eq!(next, trace.summary().events);
    next
}

fn options() -> WriteOptions {
    WriteOptions { buffer_bytes: 1 << 12, spare_buffers: 8, ..WriteOptions::default() }
}

#[test]
fn a_snapshot_contains_everything_before_each_of_its_events() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.taut");
    let writer = TraceWriter::record(&path, header("tsc"), options()).unwrap();
    let (order, clock) = (Order::default(), Clock::best());
    writer.keep_time(clock);
    let (mut sizes, mut snapshots) = (Vec::new(), Vec::<PathBuf>::new());
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (order, writer) = (&order, &writer);
            scope.spawn(move || order.record(writer, thread, clock));
        }
        let mut recording = ControlClient::open(&path).unwrap();
        for number in 1..=8 {
            let answer = recording.request(Command::Snapshot, PATIENCE);
            let snapshot = folder.path().join(format!("x.{number}.taut"));
            if answer.is_err() {
                order.is_over.store(true, Ordering::Relaxed);
            }
            assert!(answer.unwrap().contains(&*snapshot.to_string_lossy()));
            snapshots.push(snapshot);
        }
        order.is_over.store(true, Ordering::Relaxed);
    });
    writer.finish().unwrap();
    sizes.extend(snapshots.iter().map(|snapshot| check(snapshot)));
    sizes.push(check(&path));
    assert!(sizes.is_sorted() && sizes[0] < sizes[8], "{sizes:?}");
}

#[test]
fn a_snapshot_skips_names_of_links_even_dangling_ones() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let writer = TraceWriter::record(at("x.taut"), header("tsc"), options()).unwrap();
    writer.keep_time(Clock::best());
    std::os::unix::fs::symlink("nowhere", at("x.2.taut")).unwrap();
    let snapshot = || ControlClient::open(&at("x.taut")).unwrap().request(Command::Snapshot, PATIENCE).unwrap();
    for number in [1, 3] {
        let answer = snapshot();
        assert!(answer.contains(&format!("x.{number}.taut")), "{answer}");
        assert!(Trace::open(at(&format!("x.{number}.taut"))).unwrap().summary().complete);
    }
    assert_eq!(std::fs::read_link(at("x.2.taut")).unwrap(), Path::new("nowhere"));
    assert!(!at("nowhere").exists());
    writer.finish().unwrap();
}

#[test]
fn concurrent_clients_are_served_in_turn_and_unsupported_requests_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.taut");
    assert!(matches!(ControlClient::open(&path), Err(ControlError::NotRecorded(_))));
    let writer = TraceWriter::record(&path, header("logical"), options()).unwrap();
    let request = |command| ControlClient::open(&path).unwrap().request(command, PATIENCE);
    // Nobody listens for the end.
    assert!(matches!(request(Command::Stop), Err(ControlError::Refused { .. })));
    // The stamps are not times.
    assert!(matches!(request(Command::Snapshot), Err(ControlError::Refused { .. })));
    std::thread::scope(|scope| {
        let requests = Provider::ALL.map(|provider| scope.spawn(move || request(Command::Disable(provider)).unwrap()));
        let answers = requests.map(|request| request.join().unwrap());
        assert_eq!(answers.iter().filter(|answer| answer.is_empty()).count(), 1, "the last of them: {answers:?}");
    });
    assert_eq!(writer.providers().now(), ProviderSet::NONE);
    assert_eq!(request(Command::Enable(Provider::Task)).unwrap(), "task");
    let (sender, receiver) = std::sync::mpsc::channel();
    writer.on_end(move |cause| sender.send(cause).unwrap());
    // A cause from before the registration is delivered immediately.
    assert_eq!(receiver.recv().unwrap(), EndCause::Requested);
    request(Command::Stop).unwrap();
    let mut recording = ControlClient::open(&path).unwrap();
    writer.finish().unwrap();
    let gone = recording.request(Command::Status, PATIENCE);
    assert!(matches!(gone, Err(ControlError::NotRecorded(_))), "{gone:?}");
}
