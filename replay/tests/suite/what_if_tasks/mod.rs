//! Background tasks in other worlds: a what-if under a driver must match live recordings under that driver.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod figures;
mod table;

use crate::recording;
use figures::Figures;
use proptest::prelude::*;
use recording::audit::Audit;
use recording::record::Record;
use std::path::Path;
use std::sync::OnceLock;
use taut_analyze::Analysis;
use taut_capture::Clock;
use taut_replay::{Changes, Options, Replayer, TaskModel, TaskTimes, Tight};
use taut_runtime::Profile;
use taut_schemas::{machine, mark};
use taut_testkit::{assert_replays, recorded_under, short};
use taut_traces::{Header, Trace, TraceWriter, World, WriteOptions};

/// Returns drivers with different optimisation settings.
pub fn drivers() -> [Profile; 3] {
    let reference = || Profile::named("reference").expect("a bundled profile");
    let [mut eager, mut single] = [reference(), reference()];
    eager.name = "eager".to_owned();
    let background = eager.background.as_mut().expect("a table");
    (background.n_min, background.window_executions, background.first_tier_cost) = (50, 16, 10_000);
    single.name = "single".to_owned();
    let background = single.background.as_mut().expect("a table");
    (background.n_min, background.max_variants_per_pipeline) = (400, 1);
    [reference(), eager, single]
}

/// Records a workload under a driver.
pub fn live(workload: &str, driver: &Profile, overrides: &[(&str, &str)], folder: &Path) -> Analysis {
    let trace =
        recorded_under(driver, workload, overrides, Clock::best(), &folder.join(format!("{}.taut", driver.name)));
    Analysis::new(trace).expect("an analysis")
}

fn world(trace: &Trace, driver: &Profile) -> World {
    let mut world = trace.header().world.clone();
    world.adapters[0].driver = driver.name.clone();
    world.adapters[0].profile = serde_json::to_value(driver).expect("a profile");
    world
}

/// Replays a recording under a driver, by this model or by the one that follows from the recording.
pub fn what_if(recorded: &Analysis, driver: &Profile, model: Option<TaskModel>, file: &Path) -> Analysis {
    let trace = recorded.trace();
    let world = world(trace, driver);
    let replayer = Replayer::new(trace, Options::default());
    let model = model.unwrap_or_else(|| replayer.task_model(&world, None, None).expect("a model"));
    let header = Header { world: world.clone(), ..trace.header().clone() };
    let writer = TraceWriter::create(file, header, WriteOptions::default()).expect("a file");
    let changes = Changes::from(Tight::AsRecorded).with_tasks(Some(model));
    replayer.what_if(&world, changes, Some(&writer)).expect("a replay");
    writer.finish().expect("a trace");
    Analysis::new(Trace::open(file).expect("a trace")).expect("an analysis")
}

/// Checks that the trace of a what-if replays identically.
fn assert_whole(analysis: &Analysis, what: &str) {
    assert_replays(analysis.trace(), what);
    assert!(analysis.trace().verify().is_empty(), "{what}");
}

/// Checks that a trace replays and that its tasks follow the rules.
pub fn assert_sound(analysis: &Analysis, what: &str) {
    assert_whole(analysis, what);
    Audit::of(&Record::all(analysis.trace()));
}

/// Tests workloads that wait for their tasks, so that the variants of draws do not depend on the machine's speed.
#[test]
fn a_what_if_matches_a_live_recording_where_tasks_are_awaited() {
    let folder = tempfile::tempdir().expect("a folder");
    for workload in ["never-converges", "benchmark-priming"] {
        let live = drivers().map(|driver| live(workload, &driver, &[], folder.path()));
        for (recorded, from) in live.iter().zip(drivers()) {
            for (expected, driver) in live.iter().zip(drivers()) {
                let what = format!("{workload}: {} from {}", driver.name, from.name);
                let other = what_if(recorded, &driver, None, &folder.path().join("what-if.taut"));
                assert_sound(&other, &what);
                let (found, expected) = (Figures::of(&other), Figures::of(expected));
                assert!(found.is_near(&expected, &expected), "{what}: {found:?}, live {expected:?}");
                assert_eq!(found.variants, expected.variants, "{what}");
                assert!(expected.variants > 0, "{what}");
            }
        }
    }
}

#[test]
fn a_recording_without_tasks_is_answered_by_an_assumed_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let [reference, ..] = drivers();
    let legacy = Profile::named("legacy").expect("a bundled profile");
    let trace = live("pix-single-frame", &legacy, &[], folder.path());
    let model =
        Replayer::new(trace.trace(), Options::default()).task_model(&world(trace.trace(), &reference), None, None);
    assert_eq!(model.expect("a model").times, TaskTimes::Assumed);
    let other = what_if(&trace, &reference, None, &folder.path().join("what-if.taut"));
    assert_sound(&other, "pix-single-frame");
    assert!(Figures::of(&other).variants > 0);
}

#[test]
fn the_median_time_per_instruction_of_a_recording_is_that_of_the_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let [reference, ..] = drivers();
    let trace = live("never-converges", &reference, &[("passes", "3")], folder.path());
    let replayer = Replayer::new(trace.trace(), Options::default());
    let world = world(trace.trace(), &reference);
    let model = replayer.task_model(&world, None, None).expect("a model");
    let TaskTimes::Recorded(spread) = model.times else { panic!("{model:?}") };
    assert_eq!(model.ns_per_instruction, spread.p50_ns);
    assert!(0 < spread.p5_ns && spread.p5_ns <= spread.p50_ns && spread.p50_ns <= spread.p95_ns, "{spread:?}");
    let explicit = replayer.task_model(&world, None, Some(spread.p50_ns)).expect("a model");
    let file = folder.path().join("what-if.taut");
    let [by_median, by_time] =
        [None, Some(explicit)].map(|model| Figures::of(&what_if(&trace, &reference, model, &file)));
    assert_eq!(by_median, by_time);
    let recorded = Figures::of(&trace);
    assert_eq!((recorded.finished, recorded.variants), (by_median.finished, by_median.variants));
    assert_eq!(spread.tasks, recorded.finished);
}

/// Tests drivers that panic in a task's work, when they take results, or on their own threads.
#[test]
fn a_panic_in_another_world_fails_as_in_a_live_session_and_not_the_replay() {
    let folder = tempfile::tempdir().expect("a folder");
    let [reference, ..] = drivers();
    let recorded = live("benchmark-priming", &reference, short("benchmark-priming"), folder.path());
    let other = |name: &str, change: &dyn Fn(&mut Profile)| {
        let mut driver = Profile::named(name).expect("a bundled profile");
        change(&mut driver);
        let other = what_if(&recorded, &driver, None, &folder.path().join("what-if.taut"));
        assert_whole(&other, name);
        (Record::all(other.trace()), Figures::of(&other))
    };
    let (records, figures) = other("reference", &|driver| driver.faults.panics_in_tasks = true);
    let reasons: Vec<String> =
        records.iter().filter_map(Record::begun::<machine::FailBackgroundWork>).map(|call| call.reason).collect();
    assert!(!reasons.is_empty() && reasons.iter().all(|reason| reason == "the driver's task panics"), "{reasons:?}");
    assert_eq!(figures.variants, 0);
    for (name, function) in [("reference", "ProcessBackgroundWork"), ("pgo-threads", "BeginBackgroundWork")] {
        let (records, figures) = other(name, &|driver| driver.faults.panics_in = Some(function.to_owned()));
        let removed = records.iter().filter_map(Record::ended::<machine::RemovePanickedDevice>).count();
        assert!(removed > 0, "{name}: {function}");
        assert_eq!(figures.variants, 0, "{name}: {function}");
    }
    // Work that its driver finds void before it runs does not panic (rule B-70).
    let (records, _) = other("pgo-threads", &|driver| driver.faults.panics_in_tasks = true);
    assert!(records.iter().any(|record| record.begun::<machine::StartBackgroundWork>().is_some()));
}

/// Returns two short recordings of racing threads, made once.
fn races() -> &'static [Analysis] {
    static RACES: OnceLock<(tempfile::TempDir, Vec<Analysis>)> = OnceLock::new();
    let (_, traces) = RACES.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let [reference, eager, _] = drivers();
        let drawn = [("game-session", &reference), ("mode-storm", &eager)];
        let traces = drawn.map(|(workload, driver)| live(workload, driver, short(workload), folder.path()));
        (folder, traces.into())
    });
    traces
}

/// Returns the maximum number of concurrent tasks.
fn max_concurrent(records: &[Record]) -> usize {
    let (mut running, mut max) = (0_usize, 0);
    for record in records {
        running += usize::from(record.mark::<mark::BackgroundWorkStart>().is_some());
        running -= usize::from(record.mark::<mark::BackgroundWorkStop>().is_some());
        max = max.max(running);
    }
    max
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn whatever_the_model_a_what_if_is_sound_and_the_same_every_time(
        race in 0_usize..2,
        driver in 0_usize..3,
        workers in 1_u32..6,
        ns_per_instruction in prop_oneof![Just(0), 0_u64..200_000, Just(TaskModel::MAX_NS_PER_INSTRUCTION)],
    ) {
        let (trace, driver) = (&races()[race], &drivers()[driver]);
        let model = TaskModel { workers, ns_per_instruction, times: TaskTimes::Explicit };
        let folder = tempfile::tempdir().unwrap();
        let [one, repeated] = ["one.taut", "again.taut"].map(|name| folder.path().join(name));
        let other = what_if(trace, driver, Some(model), &one);
        assert_sound(&other, &format!("{model:?}"));
        what_if(trace, driver, Some(model), &repeated);
        prop_assert!(std::fs::read(one).unwrap() == std::fs::read(repeated).unwrap());
        prop_assert!(max_concurrent(&Record::all(other.trace())) <= workers as usize);
    }
}
