//! A recording that starts in mid-stream: cut at any moment, what follows is replayed as without the cut.
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
use taut_replay::{Cut, Options, Outcome, ReplayError, Replayer};
use taut_schemas::{Call, EventCode, Opcode, SchemaTable, d3d12};
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

/// A trace of the same world, with what `write` writes.
fn written<T>(trace: &Trace, write: impl FnOnce(&TraceWriter) -> T) -> (T, Trace) {
    let memory = Memory::default();
    let header = Header { schema: SchemaTable::current(), ..trace.header().clone() };
    let writer = TraceWriter::new(memory.clone(), header, WriteOptions::default()).expect("a writer");
    let made = write(&writer);
    writer.finish().expect("a trace");
    let bytes = std::mem::take(&mut *memory.0.lock().expect("a lock"));
    (made, Trace::from_bytes(bytes).expect("a trace"))
}

/// What is left of a recording behind a cut; `None` if nothing is.
fn cut(trace: &Trace, at: u64) -> Result<Option<(Cut, Trace)>, ReplayError> {
    let (cut, later) = written(trace, |writer| Replayer::new(trace, Options::default()).cut(at, writer));
    Ok(cut?.map(|cut| (cut, later)))
}

/// The rest behind a cut in the middle.
fn second_half(trace: &Trace) -> Trace {
    let stamps = stamps(trace);
    cut(trace, stamps[stamps.len() / 2]).expect("a cut").expect("a rest").1
}

fn replayed(trace: &Trace) -> Outcome {
    Replayer::new(trace, Options::default()).run().expect("a replay")
}

/// The stamps of its events, in order.
fn stamps(trace: &Trace) -> Vec<u64> {
    let (mut rows, mut stamps) = (trace.rows(), Vec::new());
    while let Some(row) = rows.next_row() {
        stamps.push(row.stamp);
    }
    stamps
}

/// Cuts a recording at so many random moments. What follows each is every call, DDI call, result and address that follows there
/// without the cut.
fn cuts(source: &Source, count: u32) {
    let folder = tempfile::tempdir().expect("a folder");
    let (name, trace) = (source.name(), source.recorded(folder.path()));
    let (whole, stamps) = (replayed(&trace), stamps(&trace));
    assert!(whole.is_identical(), "{name}: {:#?}", whole.divergences);
    let mut runner = TestRunner::new(Config { cases: count, failure_persistence: None, ..Config::default() });
    let tested = runner.run(&any::<prop::sample::Index>(), |at| {
        let at = stamps[at.index(stamps.len())];
        let failed = |error: ReplayError| TestCaseError::fail(format!("{name} at {at}: {error}"));
        let Some((Cut { before, .. }, later)) = cut(&trace, at).map_err(failed)? else { return Ok(()) };
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

/// Goes on from what was written down and read about so many times, one after the other: each state is what it was, and so is all
/// that follows.
fn goes_through_records(source: &Source, times: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let (name, trace) = (source.name(), source.recorded(folder.path()));
    let calls = replayed(&trace).calls;
    let options = Options { rundown_every: (calls / times).max(1), ..Options::default() };
    let outcome = Replayer::new(&trace, options).run().expect("a replay");
    assert!(outcome.is_identical(), "{name}: {:#?}", outcome.divergences);
    // Where threads play on, there is not always a moment at which no call is open.
    assert!(outcome.states_restored > 1, "{name}: {outcome:?}");
    assert_eq!((outcome.calls, outcome.states_compared), (calls, outcome.states_restored), "{name}");
}

#[test]
fn what_follows_a_cut_is_replayed_as_without_it() {
    Source::all().iter().filter(|source| !source.is_long()).for_each(|source| cuts(source, 2));
}

#[test]
fn a_replay_goes_on_from_what_was_written_down_and_read() {
    let sources = Source::all();
    sources.iter().filter(|source| !source.is_long()).for_each(|source| goes_through_records(source, 6));
}

#[test]
#[ignore = "long: 1,000 cuts of each"]
fn what_follows_any_of_a_thousand_cuts_is_replayed_as_without_it() {
    Source::asked().iter().for_each(|source| {
        let begun = std::time::Instant::now();
        cuts(source, 1000);
        println!("{}: 1,000 cuts, {:.0?}", source.name(), begun.elapsed());
    });
}

#[test]
#[ignore = "long: a state at every call of each"]
fn a_replay_goes_on_from_what_was_written_down_and_read_a_thousand_times() {
    Source::asked().iter().for_each(|source| {
        let begun = std::time::Instant::now();
        goes_through_records(source, 1000);
        println!("{}: 1,000 times, {:.0?}", source.name(), begun.elapsed());
    });
}

/// A recording cut twice has a rundown in its middle.
#[test]
fn a_rundown_in_mid_stream_is_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["game-session", "context-churn"] {
        let trace = Source::named(name).recorded(folder.path());
        let stamps = stamps(&trace);
        let (Cut { stamp: begin, .. }, later) = cut(&trace, stamps[stamps.len() / 2]).expect("a cut").expect("a rest");
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
