//! Recordings that start in mid-stream: split at any moment, the later part replays as in the whole recording.
#![allow(clippy::expect_used)]

mod damaged;
mod live;
mod recordings;
mod reports;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use recordings::Source;
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex};
use taut_replay::{Options, ReplayError, Replayer, SplitPoint};
use taut_schemas::{Call, EventCode, Opcode, SchemaTable, d3d12};
use taut_testkit::replayed;
use taut_traces::{Header, Trace, TraceWriter, WriteOptions};

#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("a lock").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Creates a trace of the same world with the events that `write` writes.
fn written<T>(trace: &Trace, write: impl FnOnce(&TraceWriter) -> T) -> (T, Trace) {
    let memory = Memory::default();
    let header = Header { schema: SchemaTable::current(), ..trace.header().clone() };
    let writer = TraceWriter::new(memory.clone(), header, WriteOptions::default()).expect("a writer");
    let written_value = write(&writer);
    writer.finish().expect("a trace");
    let bytes = std::mem::take(&mut *memory.0.lock().expect("a lock"));
    (written_value, Trace::from_bytes(bytes).expect("a trace"))
}

/// Returns the later part of a recording; `None` if there is none.
fn split_at(trace: &Trace, at: u64) -> Result<Option<(SplitPoint, Trace)>, ReplayError> {
    let (split_at, later) = written(trace, |writer| Replayer::new(trace, Options::default()).split_at(at, writer));
    Ok(split_at?.map(|split_at| (split_at, later)))
}

/// Returns the second half of a recording.
fn second_half(trace: &Trace) -> Trace {
    let stamps = stamps(trace);
    split_at(trace, stamps[stamps.len() / 2]).expect("a cut").expect("a rest").1
}

/// Returns the stamps of all events, in order.
fn stamps(trace: &Trace) -> Vec<u64> {
    let (mut rows, mut stamps) = (trace.rows(), Vec::new());
    while let Some(row) = rows.next_row() {
        stamps.push(row.stamp);
    }
    stamps
}

/// Splits a recording at random moments. Each later part must have the same calls, DDI calls, results and addresses as
/// the whole recording.
fn splits(source: &Source, count: u32) {
    let folder = tempfile::tempdir().expect("a folder");
    let (name, trace) = (source.name(), source.recorded(folder.path()));
    let (whole, stamps) = (replayed(&trace), stamps(&trace));
    assert!(whole.is_identical(), "{name}: {:#?}", whole.divergences);
    let mut runner = TestRunner::new(Config { cases: count, failure_persistence: None, ..Config::default() });
    let tested = runner.run(&any::<prop::sample::Index>(), |at| {
        let at = stamps[at.index(stamps.len())];
        let failed = |error: ReplayError| TestCaseError::fail(format!("{name} at {at}: {error}"));
        let Some((SplitPoint { before, .. }, later)) = split_at(&trace, at).map_err(failed)? else { return Ok(()) };
        let outcome = Replayer::new(&later, Options::default()).run().map_err(failed)?;
        prop_assert!(outcome.is_identical(), "{} at {}: {:#?}", name, at, outcome.divergences);
        prop_assert_eq!((outcome.states_restored, outcome.unfinished_calls), (1, 0));
        prop_assert_eq!(before.calls + outcome.calls, whole.calls);
        prop_assert_eq!(before.ddi_calls + outcome.ddi_calls, whole.ddi_calls);
        prop_assert_eq!(before.tasks + outcome.tasks, whole.tasks);
        Ok(())
    });
    tested.expect("no difference");
}

/// Replays with about `times` rundowns and restores: each restored state, and all that follows, must be the same.
fn goes_through_records(source: &Source, times: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let (name, trace) = (source.name(), source.recorded(folder.path()));
    let calls = replayed(&trace).calls;
    let options = Options { rundown_every: (calls / times).max(1), ..Options::default() };
    let outcome = Replayer::new(&trace, options).run().expect("a replay");
    assert!(outcome.is_identical(), "{name}: {:#?}", outcome.divergences);
    // If threads run continuously, there is not always a moment at which no call is open.
    assert!(outcome.states_restored > 1, "{name}: {outcome:?}");
    assert_eq!((outcome.calls, outcome.states_compared), (calls, outcome.states_restored), "{name}");
}

#[test]
fn the_part_after_a_split_replays_as_without_the_split() {
    Source::all().iter().filter(|source| !source.is_long()).for_each(|source| splits(source, 2));
}

#[test]
fn a_replay_goes_on_from_what_was_written_down_and_read() {
    let sources = Source::all();
    sources.iter().filter(|source| !source.is_long()).for_each(|source| goes_through_records(source, 6));
}

#[test]
#[ignore = "long: 1,000 cuts of each"]
fn the_part_after_any_of_a_thousand_splits_replays_as_without_the_split() {
    Source::selected().iter().for_each(|source| {
        let begun = std::time::Instant::now();
        splits(source, 1000);
        println!("{}: 1,000 cuts, {:.0?}", source.name(), begun.elapsed());
    });
}

#[test]
#[ignore = "long: a state at every call of each"]
fn a_replay_goes_on_from_what_was_written_down_and_read_a_thousand_times() {
    Source::selected().iter().for_each(|source| {
        let begun = std::time::Instant::now();
        goes_through_records(source, 1000);
        println!("{}: 1,000 times, {:.0?}", source.name(), begun.elapsed());
    });
}

/// Tests a recording that is split twice and so has a rundown in its middle.
#[test]
fn a_rundown_in_mid_stream_is_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["game-session", "context-churn"] {
        let trace = Source::named(name).recorded(folder.path());
        let stamps = stamps(&trace);
        let (SplitPoint { stamp: begin, .. }, later) =
            split_at(&trace, stamps[stamps.len() / 2]).expect("a cut").expect("a rest");
        let ((), joined) = written(&trace, |writer| {
            let mut writers = BTreeMap::new();
            let mut copy = |trace: &Trace, take: &dyn Fn(u64) -> bool| {
                let mut rows = trace.rows();
                while let Some(row) = rows.next_row() {
                    if take(row.stamp) {
                        let writer = writers.entry(row.thread).or_insert_with(|| writer.thread(row.thread));
                        writer.event(row.code, row.stamp, |encoder| encoder.raw(row.payload));
                    }
                }
            };
            copy(&trace, &|stamp| stamp <= begin);
            copy(&later, &|_| true);
        });
        let outcome = replayed(&joined);
        assert!(outcome.is_identical(), "{name}: {:#?}", outcome.divergences);
        assert_eq!((outcome.states_restored, outcome.states_compared), (0, 1), "{name}");
    }
}

#[test]
fn without_its_rundown_the_rest_is_no_recording_of_the_same_calls() {
    let folder = tempfile::tempdir().expect("a folder");
    let later = second_half(&Source::named("streaming-world").recorded(folder.path()));
    let mut rows = later.rows();
    let mut starts = 0;
    while let Some(row) = rows.next_row() {
        starts += u32::from(row.code == EventCode::new(d3d12::CreateDevice::ID, Opcode::Start));
    }
    assert_eq!(starts, 0, "the device is made before the cut");
    let outcome = replayed(&later);
    assert!(outcome.is_identical() && outcome.calls > 100);
}
