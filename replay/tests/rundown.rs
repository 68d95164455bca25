//! A recording that starts in mid-stream: cut at any moment, what follows is replayed as without the cut.
#![allow(clippy::expect_used)]

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use taut_capture::workloads::{self, Parameters, WORKLOADS};
use taut_capture::{Adapters, Clock, Session};
use taut_replay::{Options, Outcome, ReplayError, Replayer};
use taut_runtime::{Machine, MachineProfile, Profile, RundownError, Settings, StateRecords};
use taut_schemas::{
    Call, Decoder, EventCode, HeapProperties, HeapType, Mark, Opcode, ResourceDesc, SchemaTable, d3d12, state,
};
use taut_traces::{Header, Trace, TraceWriter, WriteOptions};

/// What no rundown can hold yet, and the workloads that have it.
const UNCOVERED: &[(&str, &str)] = &[
    ("texture-upload", CONTEXT),
    ("deferred-contexts", CONTEXT),
    ("context-oom", CONTEXT),
    ("context-churn", CONTEXT),
];

const CONTEXT: &str = "a Direct3D 11 context";

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

/// Records a bundled workload on its own driver and machine.
fn recorded(workload: &'static workloads::Workload, file: &Path) -> Trace {
    recorded_beside(workload, file, |_, _| ())
}

/// The same, while another thread does something `beside`, until it is over.
fn recorded_beside(
    workload: &'static workloads::Workload,
    file: &Path,
    beside: impl FnOnce(&Session, &AtomicBool) + Send,
) -> Trace {
    let given = [workload.short, &[("threads", "4")]].concat();
    let given = given.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let parameters = Parameters::new(workload.parameters, given).expect("parameters");
    let mut adapters = Adapters::named(workload.driver).expect("bundled drivers");
    if let Some(machine) = workloads::machine(workload.name) {
        adapters = adapters.of(MachineProfile::named(machine).expect("a bundled machine"));
    }
    let said = taut_traces::Workload { name: workload.name.to_owned(), parameters: parameters.values() };
    let session = Session::create(file, adapters, Settings::default(), said, Clock::best(), WriteOptions::default());
    let (session, is_over) = (session.expect("a session"), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| beside(&session, &is_over));
        workloads::run(workload.name, &session, &parameters).expect("a run");
        is_over.store(true, Ordering::Relaxed);
    });
    session.finish().expect("a trace");
    Trace::open(file).expect("a trace")
}

/// What is left of a recording behind a cut; `None` if nothing is.
fn cut(trace: &Trace, at: u64) -> Result<Option<Trace>, ReplayError> {
    let memory = Memory::default();
    let header = Header { schema: SchemaTable::current(), ..trace.header().clone() };
    let writer = TraceWriter::new(memory.clone(), header, WriteOptions::default()).expect("a writer");
    let cut = Replayer::new(trace, Options::default()).cut(at, &writer)?;
    writer.finish().expect("a trace");
    let bytes = std::mem::take(&mut *memory.0.lock().expect("a lock"));
    Ok(cut.map(|_| Trace::from_bytes(bytes).expect("a trace")))
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

/// Cuts a workload's recording at so many random moments. What follows each is every call, DDI call, result and address that
/// follows there without the cut.
fn cuts(workload: &'static workloads::Workload, count: u32) {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = recorded(workload, &folder.path().join("whole.taut"));
    let (whole, stamps) = (replayed(&trace), stamps(&trace));
    assert!(whole.is_identical(), "{}: {:#?}", workload.name, whole.divergences);
    let uncovered = UNCOVERED.iter().find(|(name, _)| *name == workload.name).map(|(_, what)| *what);
    let mut was_refused = false;
    let mut runner = TestRunner::new(Config { cases: count, failure_persistence: None, ..Config::default() });
    let seen = Mutex::new(&mut was_refused);
    let tested = runner.run(&any::<prop::sample::Index>(), |at| {
        let at = stamps[at.index(stamps.len())];
        let later = match cut(&trace, at) {
            Ok(Some(later)) => later,
            Ok(None) => return Ok(()),
            Err(ReplayError::Rundown(RundownError::Uncovered(what))) => {
                prop_assert_eq!(Some(what), uncovered, "{}", workload.name);
                **seen.lock().expect("a lock") = true;
                return Ok(());
            }
            Err(error) => return Err(TestCaseError::fail(format!("{}: {error}", workload.name))),
        };
        let earlier = Options { until: stamp_of(&later), ..Options::default() };
        let earlier = Replayer::new(&trace, earlier).run().expect("a replay");
        let outcome = Replayer::new(&later, Options::default()).run();
        let outcome = outcome.map_err(|error| TestCaseError::fail(format!("{} at {at}: {error}", workload.name)))?;
        prop_assert!(outcome.is_identical(), "{} at {}: {:#?}", workload.name, at, outcome.divergences);
        prop_assert_eq!((outcome.states_restored, outcome.unfinished_calls), (1, 0));
        prop_assert_eq!(earlier.calls + outcome.calls, whole.calls);
        prop_assert_eq!(earlier.ddi_calls + outcome.ddi_calls, whole.ddi_calls);
        prop_assert_eq!(earlier.tasks + outcome.tasks, whole.tasks);
        Ok(())
    });
    tested.expect("no difference");
    assert_eq!(was_refused, uncovered.is_some(), "{}", workload.name);
}

/// The stamp of its rundown, which is its first event.
fn stamp_of(trace: &Trace) -> u64 {
    trace.rows().next_row().expect("an event").stamp
}

#[test]
fn what_follows_a_cut_is_replayed_as_without_it() {
    WORKLOADS.iter().for_each(|workload| cuts(workload, 12));
}

#[test]
#[ignore = "long: 1,000 cuts of each workload"]
fn what_follows_any_of_a_thousand_cuts_is_replayed_as_without_it() {
    WORKLOADS.iter().for_each(|workload| cuts(workload, 1000));
}

/// A recording cut twice has a rundown in its middle.
#[test]
fn a_rundown_in_mid_stream_is_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let workload = WORKLOADS.iter().find(|known| known.name == "game-session").expect("a bundled workload");
    let trace = recorded(workload, &folder.path().join("whole.taut"));
    let stamps = stamps(&trace);
    let later = cut(&trace, stamps[stamps.len() / 2]).expect("a cut").expect("a rest");
    let memory = Memory::default();
    let header = Header { schema: SchemaTable::current(), ..trace.header().clone() };
    let writer = TraceWriter::new(memory.clone(), header, WriteOptions::default()).expect("a writer");
    let begin = stamp_of(&later);
    let mut writers = std::collections::BTreeMap::new();
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
    drop(writers);
    writer.finish().expect("a trace");
    let bytes = std::mem::take(&mut *memory.0.lock().expect("a lock"));
    let joined = Trace::from_bytes(bytes).expect("a trace");
    let outcome = replayed(&joined);
    assert!(outcome.is_identical(), "{:#?}", outcome.divergences);
    assert_eq!((outcome.states_restored, outcome.states_compared), (0, 1));
}

/// A machine of these bundled drivers, before its first call.
fn machine_of(drivers: &str) -> Machine<'static> {
    let drivers = Adapters::named(drivers).expect("bundled drivers");
    let drivers = drivers.profiles().map(|profile| Arc::from(taut_runtime::driver(profile))).collect();
    Machine::with_adapters(Settings::default(), drivers).expect("a machine")
}

/// The records of a cut in the middle, and the drivers that they are of.
fn records_of_a_cut(name: &str) -> (StateRecords, &'static str) {
    let folder = tempfile::tempdir().expect("a folder");
    let workload = WORKLOADS.iter().find(|known| known.name == name).expect("a bundled workload");
    let trace = recorded(workload, &folder.path().join("whole.taut"));
    let stamps = stamps(&trace);
    let later = cut(&trace, stamps[stamps.len() / 2]).expect("a cut").expect("a rest");
    let (mut rows, mut records) = (later.rows(), StateRecords::default());
    while let Some(row) = rows.next_row() {
        if row.code.id() == state::RundownEnd::ID {
            break;
        }
        records.push(row.code, row.payload);
    }
    (records, workload.driver)
}

/// Bad input is refused, or is another state; nothing is allocated on a number that was not looked at.
#[test]
fn a_rundown_with_a_wrong_byte_is_refused_or_is_another() {
    for name in ["game-session", "hybrid-laptop"] {
        let (records, drivers) = records_of_a_cut(name);
        let mut machine = machine_of(drivers);
        machine.restore(&records).expect("a state");
        assert_eq!(machine.rundown().expect("a rundown"), records, "{name}: what was written is read");
        let mut runner = TestRunner::new(Config { cases: 300, failure_persistence: None, ..Config::default() });
        let any = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>(), any::<bool>());
        let tested = runner.run(&any, |(record, at, byte, is_cut)| {
            let (wrong, mut machine) = (record.index(records.len()), machine_of(drivers));
            let mut broken = StateRecords::default();
            for (number, (code, row)) in records.iter().enumerate() {
                let mut row = row.to_vec();
                if number == wrong && !row.is_empty() {
                    let at = at.index(row.len());
                    row[at] = byte;
                    row.truncate(if is_cut { at } else { row.len() });
                }
                broken.push(code, &row);
            }
            drop(machine.restore(&broken));
            Ok(())
        });
        tested.expect("no panic");
    }
}

/// How long a session stands still: 10 ms is the limit on a machine that has nothing else to do.
#[test]
fn a_rundown_of_ten_thousand_objects_is_quick() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("many.taut");
    let (profile, said) = (Profile::named("reference").expect("a driver"), taut_traces::Workload::default());
    let session = Session::create(&file, &profile, Settings::default(), said, Clock::best(), WriteOptions::default());
    let session = session.expect("a session");
    let create = d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() };
    let device = session.call(create).expect("a device");
    for width in 1..=10_000 {
        let heap_properties = HeapProperties { heap_type: HeapType::DEFAULT, ..Default::default() };
        let desc = ResourceDesc::buffer(width);
        let create = d3d12::CreateCommittedResource { device, heap_properties, desc, ..Default::default() };
        session.call(create).expect("a resource");
    }
    for _ in 0..9 {
        session.rundown().expect("a rundown");
    }
    session.finish().expect("a trace");
    let trace = Trace::open(&file).expect("a trace");
    let (mut rows, mut held) = (trace.rows(), Vec::new());
    while let Some(row) = rows.next_row() {
        if row.code == EventCode::new(state::RundownEnd::ID, Opcode::Info) {
            let end = state::RundownEnd::decode(&mut Decoder::new(row.payload)).expect("a row");
            assert!(end.records > 10_000, "each resource is there");
            held.push(end.held_ns);
        }
    }
    held.sort_unstable();
    println!("every lock held for {} us", held[held.len() / 2] / 1000);
    assert!(held[0] < 1_000_000_000, "{held:?}");
    let outcome = replayed(&trace);
    assert!(outcome.is_identical() && outcome.states_compared == 9, "{:#?}", outcome.divergences);
}

#[test]
fn without_its_rundown_the_rest_is_no_recording_of_the_same_calls() {
    let folder = tempfile::tempdir().expect("a folder");
    let workload = WORKLOADS.iter().find(|known| known.name == "streaming-world").expect("a bundled workload");
    let trace = recorded(workload, &folder.path().join("whole.taut"));
    let stamps = stamps(&trace);
    let later = cut(&trace, stamps[stamps.len() / 2]).expect("a cut").expect("a rest");
    let mut rows = later.rows();
    let mut starts = 0;
    while let Some(row) = rows.next_row() {
        starts += u32::from(row.code == EventCode::new(d3d12::CreateDevice::ID, Opcode::Start));
    }
    assert_eq!(starts, 0, "the device is made before the cut");
    let outcome = replayed(&later);
    assert!(outcome.is_identical() && outcome.calls > 100);
}

/// Rundowns of a session whose threads play on. Each comes between two calls of every thread, so a replay that compares them
/// finds what it remembers itself; and a replay that starts with one goes on from it.
#[test]
fn rundowns_of_a_live_session_are_what_a_replay_remembers() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["streaming-world", "game-session"] {
        let workload = WORKLOADS.iter().find(|known| known.name == name).expect("a bundled workload");
        let rundowns = AtomicU64::new(0);
        let trace = recorded_beside(workload, &folder.path().join("live.taut"), |session, is_over| {
            let mut thread = session.thread(1000);
            while !is_over.load(Ordering::Relaxed) {
                thread.rundown().expect("a rundown");
                rundowns.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(2));
            }
        });
        let outcome = replayed(&trace);
        assert!(outcome.is_identical(), "{name}: {:#?}", outcome.divergences);
        let seen = outcome.states_compared + outcome.states_restored;
        assert!(outcome.states_compared > 0 && seen == rundowns.into_inner(), "{name}: {outcome:?}");
    }
}
