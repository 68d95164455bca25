//! A snapshot of a recording under way ends at one moment in all threads: with an event it has all that came before it.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(unix)]

mod generate;

use generate::event;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use taut_schemas::{EventCode, FieldKind, FieldSchema, Opcode, Provider, ProviderSet, SchemaTable};
use taut_traces::{Clock, Command, ControlError, Controller, EndCause, Header, Trace, TraceWriter, WriteOptions};

const CODE: EventCode = EventCode::new(1, Opcode::Info);

const PATIENCE: Duration = Duration::from_secs(60);

fn header(clock: &str) -> Header {
    let field = FieldSchema { name: "data".into(), doc: String::new(), kind: FieldKind::Bytes };
    let events = vec![event(1, Opcode::Info, vec![field])];
    let mut header = Header { schema: SchemaTable { events, ..SchemaTable::default() }, ..Header::default() };
    header.world.clock.source = clock.to_owned();
    header
}

/// Numbers that threads take one after another under a lock, under which they record them too.
#[derive(Default)]
struct Order {
    /// The next number, and the last stamp.
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
            // Now and then one that is larger than a slot.
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

/// The numbers of a trace are all up to the last, in their order.
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
fn a_snapshot_has_with_each_event_all_that_came_before() {
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
        let mut recording = Controller::open(&path).unwrap();
        for number in 1..=8 {
            let answer = recording.ask(Command::Snapshot, PATIENCE);
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
fn a_recording_is_asked_in_turn_by_several_and_says_what_it_does_not_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.taut");
    assert!(matches!(Controller::open(&path), Err(ControlError::NotRecorded(_))));
    let writer = TraceWriter::record(&path, header("logical"), options()).unwrap();
    let ask = |command| Controller::open(&path).unwrap().ask(command, PATIENCE);
    // Nobody would end it.
    assert!(matches!(ask(Command::Stop), Err(ControlError::Refused { .. })));
    // No stamp says when.
    assert!(matches!(ask(Command::Snapshot), Err(ControlError::Refused { .. })));
    std::thread::scope(|scope| {
        let asks = Provider::ALL.map(|provider| scope.spawn(move || ask(Command::Disable(provider)).unwrap()));
        let answers = asks.map(|ask| ask.join().unwrap());
        assert_eq!(answers.iter().filter(|answer| answer.is_empty()).count(), 1, "the last of them: {answers:?}");
    });
    assert_eq!(writer.providers().now(), ProviderSet::NONE);
    assert_eq!(ask(Command::Enable(Provider::Task)).unwrap(), "task");
    let (tell, told) = std::sync::mpsc::channel();
    writer.on_end(move |cause| tell.send(cause).unwrap());
    // Asked before, it is told as soon as somebody listens.
    assert_eq!(told.recv().unwrap(), EndCause::Asked);
    ask(Command::Stop).unwrap();
    let mut recording = Controller::open(&path).unwrap();
    writer.finish().unwrap();
    let gone = recording.ask(Command::Status, PATIENCE);
    assert!(matches!(gone, Err(ControlError::NotRecorded(_))), "{gone:?}");
}
