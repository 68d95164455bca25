//! Every bundled workload under every driver model: recorded by free-running threads and replayed.
#![allow(clippy::expect_used)]

use crate::recording;

use recording::audit::Audit;
use recording::record::Record;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use taut_capture::Clock;
use taut_replay::{Options, ReplayWorld, Replayer};
use taut_runtime::Profile;
use taut_schemas::{HResultCode, d3d12};
use taut_testkit::{Recording, recorded, recorded_scenario, replayed, short};
use taut_traces::{Trace, TraceWriter, WriteOptions};
use taut_workloads::{Parameter, ScenarioFile, WORKLOADS, Workload};

const REPEATS: u32 = 20;

/// Number of repetitions where each replay compiles shaders, which is slow.
const REPEATS_WITH_SHADERS: u32 = 2;

/// A workload, the driver that it runs under and its threads.
type Combination = (&'static Workload, &'static str, &'static str);

fn combinations() -> Vec<Combination> {
    let mut found = Vec::new();
    for workload in WORKLOADS {
        for (driver, _) in Profile::bundled() {
            if workload.suits(&Profile::named(driver).expect("a driver")) {
                let single_threaded = workload.parameters.contains(&Parameter::SINGLE_THREADED);
                let threads = if single_threaded { &["4"][..] } else { &["1", "4"] };
                found.extend(threads.iter().map(|threads| (workload, *driver, *threads)));
            }
        }
    }
    found
}

fn replays_the_same((workload, driver, threads): Combination, folder: &Path) {
    let file = folder.join(format!("{}-{driver}-{threads}.taut", workload.name));
    let overrides = [workload.short, &[("threads", threads)]].concat();
    let trace = recorded(workload.name, driver, &overrides, Clock::best(), &file);
    let replayer = Replayer::new(&trace, Options::default());
    for _ in 0..if workload.short.is_empty() { REPEATS } else { REPEATS_WITH_SHADERS } {
        let outcome = replayer.run().expect("a replay");
        assert!(outcome.is_identical(), "{}, {driver}: {:#?}", workload.name, outcome.divergences);
        // One texture takes eleven calls to upload.
        assert!(outcome.calls > 10 && outcome.unfinished_calls == 0 && outcome.damage.is_empty());
    }
}

#[test]
fn every_workload_replays_the_same_under_every_driver() {
    let folder = tempfile::tempdir().expect("a folder");
    let (combinations, next) = (combinations(), AtomicUsize::new(0));
    // The longest test, and the last to begin: one thread would leave the other cores idle at the end.
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(combination) = combinations.get(next.fetch_add(1, Ordering::Relaxed)) {
                    replays_the_same(*combination, folder.path());
                }
            });
        }
    });
}

#[test]
fn every_scenario_of_a_file_replays_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/scenarios");
    for scenario in std::fs::read_dir(files).expect("the scenarios") {
        let scenario = ScenarioFile::read(&scenario.expect("a file").path()).expect("a scenario");
        for driver in ["reference", "faulty-never-converges", "pgo-levels", "pgo-threads"] {
            let is_intended_driver = ["levels", "materials"].contains(&scenario.name.as_str());
            let suits = match driver {
                // Scenarios have many fly-throughs under a driver that always desires further measurements.
                "faulty-never-converges" => scenario.name.starts_with("pix"),
                "pgo-threads" => scenario.name == "followed",
                "pgo-levels" => is_intended_driver || scenario.name.starts_with("pix"),
                _ => true,
            };
            if !suits {
                continue;
            }
            // One more level than the other workloads, and a variant for each material.
            let expected_tasks = match (driver, scenario.name.as_str()) {
                ("reference", "levels") => Some(1),
                ("reference", "materials") => Some(0),
                ("pgo-levels", "levels" | "materials") => Some(2),
                _ => None,
            };
            // Tasks have idle priority: beside busy processors, a recording may end before its tasks do.
            let mut attempts = 0..10;
            loop {
                let file = folder.path().join(format!("{}-{driver}.taut", scenario.name));
                let trace = recorded_scenario(&scenario, driver, &file);
                let outcome = replayed(&trace);
                assert!(outcome.is_identical(), "{}, {driver}: {:#?}", scenario.name, outcome.divergences);
                assert!(outcome.calls > 100 && outcome.unfinished_calls == 0 && outcome.damage.is_empty());
                if expected_tasks.is_none_or(|expected| outcome.tasks == expected) {
                    break;
                }
                assert!(attempts.next().is_some(), "{}: {} tasks", scenario.name, outcome.tasks);
            }
        }
    }
}

/// Tests that accesses to handle memory do not affect results, so a replay can add them to a trace.
#[test]
fn a_replay_with_handle_accesses_is_identical_and_so_is_its_own_replay() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("contexts.taut");
    let trace = recorded("deferred-contexts", "d3d11on12-like", &[("threads", "4")], Clock::best(), &file);
    let mut header = trace.header().clone();
    header.world.settings["handle_accesses"] = true.into();
    let path = folder.path().join("told.taut");
    let world = || ReplayWorld::recorded(&header.world).expect("a world");
    let writer = TraceWriter::create(&path, &header, WriteOptions::default()).expect("a trace");
    let outcome = Replayer::new(&trace, Options::default()).run_on(world(), Some(&writer)).expect("a replay");
    writer.finish().expect("a trace");
    assert!(outcome.is_identical(), "{:#?}", outcome.divergences);
    let with_accesses = Trace::open(&path).expect("a trace");
    assert!(with_accesses.summary().events > trace.summary().events + 1000, "{}", with_accesses.summary().events);
    let second_outcome = replayed(&with_accesses);
    assert!(second_outcome.is_identical(), "{:#?}", second_outcome.divergences);
}

#[test]
fn every_clock_records_an_order_that_replays() {
    let folder = tempfile::tempdir().expect("a folder");
    for clock in [Clock::best(), Clock::monotonic(), Clock::Logical] {
        let file = folder.path().join(format!("{}.taut", clock.source()));
        let trace = recorded("small-level", "reference", &[("threads", "4")], clock, &file);
        let outcome = replayed(&trace);
        assert!(outcome.is_identical(), "{clock:?}: {:#?}", outcome.divergences);
    }
}

#[test]
fn a_replay_of_a_replay_is_the_replay_byte_for_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = recorded("small-level", "peer", &[("threads", "3")], Clock::best(), &folder.path().join("first.taut"));
    let second = written(&first, &folder.path().join("second.taut"));
    let third = written(&Trace::open(&second).expect("a trace"), &folder.path().join("third.taut"));
    let bytes = |path| std::fs::read(path).expect("a trace");
    assert!(bytes(&second) == bytes(&third));
    assert_eq!(first.summary().events, Trace::open(&second).expect("a trace").summary().events);
}

/// Records eight threads that race for four objects repeatedly, and replays the resulting order. With the logical clock
/// only the locks decide the stamps.
fn races_replay(recordings: u32) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("races.taut");
    let overrides = [("threads", "8"), ("seed", "7"), ("shared", "4"), ("races", "100"), ("frames", "20")];
    for recording in 0..recordings {
        let clock = if recording % 2 == 0 { Clock::best() } else { Clock::Logical };
        let trace = recorded("streaming-world", "reference", &overrides, clock, &file);
        let outcome = replayed(&trace);
        assert!(outcome.is_identical(), "recording {recording}, {clock:?}: {:#?}", outcome.divergences);
        assert!(outcome.calls > 4000 && outcome.unfinished_calls == 0 && outcome.damage.is_empty());
    }
}

#[test]
fn an_application_that_races_replays_the_same() {
    races_replay(30);
}

#[test]
#[ignore = "a long check: .ci/long"]
fn a_thousand_recordings_of_races_replay_the_same() {
    races_replay(1000);
}

/// Records eight threads that change the mode during shader specialisation, and replays the resulting order of
/// application threads, workers and GPU.
fn background_work_replays(workload: &str, recordings: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("background.taut");
    let (mut tasks, mut cancelled, mut commits) = (0, 0, 0);
    for recording in 0..recordings {
        let clock = if recording % 2 == 0 { Clock::best() } else { Clock::Logical };
        let seed = recording.to_string();
        let overrides = [short(workload), &[("threads", "8"), ("seed", &seed)]].concat();
        let trace = recorded(workload, "reference", &overrides, clock, &file);
        let outcome = replayed(&trace);
        assert!(outcome.is_identical(), "{workload} {recording}, {clock:?}: {:#?}", outcome.divergences);
        assert!(outcome.unfinished_calls == 0 && outcome.damage.is_empty());
        let audit = Audit::of(&Record::all(&trace));
        tasks += audit.accepted.len();
        cancelled += audit.cancelled;
        commits += audit.commits_done;
    }
    println!("{workload}: {recordings} recordings, {tasks} tasks, {cancelled} of them cancelled, {commits} commits");
    assert!(tasks > 0 && commits > 0);
}

#[test]
fn a_game_with_background_work_replays_the_same() {
    background_work_replays("game-session", 6);
}

#[test]
fn b28_a_storm_of_mode_changes_replays_the_same() {
    background_work_replays("mode-storm", 6);
}

#[test]
#[ignore = "a long check: .ci/long"]
fn a_thousand_recordings_of_a_game_replay_the_same() {
    background_work_replays("game-session", recordings());
}

#[test]
#[ignore = "a long check: .ci/long"]
fn a_thousand_recordings_of_a_storm_replay_the_same() {
    background_work_replays("mode-storm", recordings());
}

/// Records eight threads that create and recycle contexts and lists, and replays the resulting order.
fn churn_replays(recordings: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, mut calls) = (folder.path().join("churn.taut"), 0);
    for recording in 0..recordings {
        let clock = if recording % 2 == 0 { Clock::best() } else { Clock::Logical };
        let seed = recording.to_string();
        let overrides = [short("context-churn"), &[("threads", "8"), ("seed", &seed)]].concat();
        let trace = recorded("context-churn", "d3d11on12-like", &overrides, clock, &file);
        let outcome = replayed(&trace);
        assert!(outcome.is_identical(), "recording {recording}: {:#?}", outcome.divergences);
        calls += outcome.calls;
    }
    println!("{recordings} recordings of context-churn on 8 threads, {calls} calls: all replay identically");
}

#[test]
fn recordings_of_contexts_that_come_and_go_replay_the_same() {
    churn_replays(4);
}

#[test]
#[ignore = "a long check: .ci/long"]
fn a_thousand_recordings_of_contexts_that_come_and_go_replay_the_same() {
    churn_replays(recordings());
}

/// Returns the number of recordings: a thousand by default, or that in the environment.
fn recordings() -> u64 {
    std::env::var("TAUT_RECORDINGS").ok().and_then(|count| count.parse().ok()).unwrap_or(1000)
}

#[test]
fn a_null_handle_names_nothing_and_replays() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("null.taut");
    let session = Recording::under("reference").with_clock(Clock::Logical).session(&file);
    let mut app = session.thread(0);
    app.call(d3d12::CreateDevice::default()).expect("the device");
    assert_eq!(app.call(d3d12::Map::default()), Err(HResultCode::E_HANDLE));
    assert_eq!(app.call(d3d12::Unmap::default()), Err(HResultCode::E_HANDLE));
    assert_eq!(app.call(d3d12::GetDesc::default()), Err(HResultCode::E_HANDLE));
    assert_eq!(app.call(d3d12::SetName::default()), Err(HResultCode::E_HANDLE));
    assert_eq!(app.call(d3d12::ReleaseResource::default()), Err(HResultCode::E_HANDLE));
    assert_eq!(app.call(d3d12::ReleaseHeap::default()), Err(HResultCode::E_HANDLE));
    drop(app);
    session.finish().expect("a trace");
    let outcome = replayed(&Trace::open(&file).expect("a trace"));
    assert!(outcome.is_identical() && outcome.calls == 7, "{:#?}", outcome.divergences);
}

fn written(trace: &Trace, file: &Path) -> std::path::PathBuf {
    let writer = TraceWriter::create(file, trace.header(), WriteOptions::default()).expect("a file");
    let world = ReplayWorld::recorded(&trace.header().world).expect("the recorded world");
    let outcome = Replayer::new(trace, Options::default()).run_on(world, Some(&writer)).expect("a replay");
    assert!(outcome.is_identical());
    writer.finish().expect("a trace");
    file.to_owned()
}

#[test]
fn until_stops_at_a_stamp() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace =
        recorded("small-level", "reference", &[("threads", "1")], Clock::Logical, &folder.path().join("all.taut"));
    let last = trace.summary().last_stamp.expect("a stamp");
    let half = Replayer::new(&trace, Options { until: last / 2, ..Options::default() }).run().expect("a replay");
    let whole = replayed(&trace);
    assert!(half.is_identical() && 0 < half.calls && half.calls < whole.calls);
}
