//! The usages of the document "Background shader optimizations", as printed and corrected: scenarios S1 to S4, recorded with
//! real threads.
#![allow(clippy::expect_used)]

mod recording;

use recording::audit::Audit;
use recording::record::Record;
use recording::{recorded_scenario, recorded_under, short};
use std::collections::BTreeMap;
use std::path::Path;
use taut_analyze::{Analysis, Findings, report};
use taut_capture::Clock;
use taut_capture::workloads::ScenarioFile;
use taut_replay::{Options, ReplayWorld, Replayer};
use taut_runtime::Profile;
use taut_schemas::{
    AdapterId, BackgroundProcessingMode as Mode, CancelReason, CodeTime, DrawRun, EventHandle, HResult, HResultCode,
    MeasurementsAction as Action, RunCode, ThreadRole, VariantId, WaitStatus, d3d12, d3d12_callbacks, d3d12_ddi, dxgi,
    machine, mark, rule, win32,
};
use taut_traces::{Trace, TraceWriter, WriteOptions};

/// A recording that replays identically and in which every rule holds.
fn played(workload: &str, driver: &str, given: &[(&str, &str)]) -> Vec<Record> {
    let said = played_under(&Profile::named(driver).expect("a bundled profile"), workload, given);
    Audit::of(&said);
    said
}

fn played_under(profile: &Profile, workload: &str, given: &[(&str, &str)]) -> Vec<Record> {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = recorded_under(profile, workload, given, Clock::best(), &folder.path().join("recorded.taut"));
    let outcome = Replayer::new(&trace, Options::default()).run().expect("a replay");
    assert!(outcome.is_identical() && outcome.unfinished_calls == 0, "{workload}: {:#?}", outcome.divergences);
    Record::all(&trace)
}

/// A driver that finds the same specialisations again and again.
fn never_converging() -> Profile {
    let mut profile = Profile::named("reference").expect("a bundled profile");
    profile.faults.finds_for_ever = true;
    profile
}

/// The mode changes in order, and what each was answered.
fn changes(said: &[Record]) -> Vec<(d3d12::SetBackgroundProcessingMode, HResult<bool>)> {
    let begun = said.iter().filter_map(Record::begun::<d3d12::SetBackgroundProcessingMode>);
    let ended = said.iter().filter_map(Record::ended::<d3d12::SetBackgroundProcessingMode>);
    begun.zip(ended.map(|ended| ended.map(|further| further.desired))).collect()
}

/// Modes and actions alone.
fn modes(said: &[Record]) -> Vec<(Mode, Action)> {
    changes(said).into_iter().map(|(call, _)| (call.mode, call.measurements_action)).collect()
}

/// Splits a recording where a phase begins.
fn at_phase<'s>(said: &'s [Record], name: &str) -> (&'s [Record], &'s [Record]) {
    let begins = |said: &Record| said.mark::<mark::WorkloadPhase>().is_some_and(|phase| phase.name == name);
    said.split_at(said.iter().position(begins).expect("a phase"))
}

fn has_phase(said: &[Record], name: &str) -> bool {
    said.iter().filter_map(Record::mark::<mark::WorkloadPhase>).any(|phase| phase.name == name)
}

fn queued(said: &[Record]) -> usize {
    said.iter().filter_map(Record::begun::<d3d12_callbacks::QueueProcessingWork>).count()
}

fn ended(said: &[Record]) -> usize {
    said.iter().filter_map(Record::mark::<mark::BackgroundWorkStop>).count()
}

/// Variants installed.
fn installed(said: &[Record]) -> usize {
    let verdicts = said.iter().filter_map(Record::ended::<d3d12_ddi::ProcessBackgroundWork>);
    verdicts.filter(|verdict| verdict.variant != VariantId::NULL).count()
}

/// What each submission did.
fn frames(said: &[Record]) -> Vec<Vec<DrawRun>> {
    said.iter().filter_map(Record::begun::<d3d12_ddi::CollectMeasurements>).map(|call| call.runs).collect()
}

fn presented(said: &[Record]) -> usize {
    said.iter().filter_map(Record::begun::<dxgi::Present>).count()
}

#[test]
fn s1_turning_off_lets_tasks_end_and_no_task_comes_after() {
    let said = played("turn-off", "reference", &[]);
    let off = |said: &Record| {
        said.begun::<d3d12::SetBackgroundProcessingMode>()
            .is_some_and(|call| call.mode == Mode::DISABLE_BACKGROUND_WORK)
    };
    let (before, after) = said.split_at(said.iter().position(off).expect("the change"));
    assert!(queued(before) > 0);
    assert_eq!(queued(after), 0);
    let cancelled = said.iter().filter_map(Record::mark::<mark::BackgroundWorkCancel>);
    assert!(cancelled.clone().all(|cancel| cancel.reason == CancelReason::DEVICE_DESTROYED));
    assert_eq!(queued(before), ended(&said) + cancelled.count());
    assert!(changes(&said).iter().all(|(_, answer)| answer.is_ok()));
}

#[test]
fn s1_without_developer_mode_turning_off_is_refused_and_nothing_changes() {
    let said = played("turn-off", "reference", &[("developer_mode", "off")]);
    let answers: Vec<_> = changes(&said).into_iter().map(|(_, answer)| answer.map(drop)).collect();
    assert_eq!(answers, [Ok(()), Err(HResultCode::E_INVALIDARG)]);
    // The driver hears of the first alone.
    assert_eq!(said.iter().filter_map(Record::begun::<d3d12_ddi::SetBackgroundProcessingMode0063>).count(), 1);
    assert_eq!(presented(&said), 128);
}

#[test]
fn s1_turning_off_is_gated_where_there_is_nothing_to_turn_off_too() {
    let said = played("turn-off", "legacy", &[("developer_mode", "off"), ("before", "2"), ("after", "2")]);
    assert_eq!(changes(&said)[1].1, Err(HResultCode::E_INVALIDARG));
    let said = played("turn-off", "legacy", &[("before", "2"), ("after", "2")]);
    assert_eq!(changes(&said)[1].1, Ok(false));
}

#[test]
fn s2_benchmark_priming_verbatim_terminates() {
    // How many passes it takes depends on when the tasks, for which it does not wait, get a processor.
    let said = played("benchmark-priming", "reference", &[("text", "verbatim"), ("passes", "1000000")]);
    let changes = changes(&said);
    assert!(changes.len() > 2, "{}", changes.len());
    assert_eq!(modes(&said)[0], (Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS));
    // It stays intrusive, and never commits.
    assert!(modes(&said)[1..].iter().all(|mode| *mode == (Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL)));
    let (last, others) = changes[1..].split_last().expect("an answer");
    assert!(others.iter().all(|(_, answer)| *answer == Ok(true)));
    assert_eq!(last.1, Ok(false));
    // The answer means that nothing is pending (ambiguity A4.11).
    let answers = |said: &Record| said.ended::<d3d12::SetBackgroundProcessingMode>().is_some();
    let (prime, _) = said.split_at(said.iter().rposition(answers).expect("an answer"));
    assert!(installed(prime) > 0);
    assert_eq!(queued(prime), ended(prime));
    is_legal_on_retail(&said);
}

#[test]
fn s2_benchmark_priming_corrected_commits_and_waits_before_it_measures() {
    let said = played("benchmark-priming", "reference", &[]);
    let (prime, benchmark) = at_phase(&said, "benchmark");
    let changes = changes(prime);
    let (last, _) = changes.last().expect("a commit");
    assert_eq!((last.mode, last.measurements_action), (Mode::ALLOWED, Action::COMMIT_RESULTS));
    assert!(last.event != EventHandle::NULL);
    let done: Vec<_> = prime.iter().filter_map(Record::mark::<mark::BackgroundCommitDone>).collect();
    assert!(done.len() == 1 && done[0].event == last.event);
    assert!(installed(prime) > 0 && modes(benchmark).is_empty());
    is_legal_on_retail(&said);
}

#[test]
fn s2_benchmark_priming_of_2019_keeps_all_and_commits_once() {
    let said = played("benchmark-priming", "reference", &[("text", "2019")]);
    let expected = [(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL), (Mode::ALLOWED, Action::COMMIT_RESULTS)];
    assert_eq!(modes(&said), expected);
    assert!(changes(&said).iter().all(|(call, _)| call.event == EventHandle::NULL && !call.want_further));
    assert!(queued(&said) > 0);
    is_legal_on_retail(&said);
}

/// Developer mode is off, and nothing is refused.
fn is_legal_on_retail(said: &[Record]) {
    let first = said.iter().find_map(Record::begun::<win32::SetDeveloperMode>).expect("a mode");
    assert!(!first.enabled);
    assert!(changes(said).iter().all(|(_, answer)| answer.is_ok()));
}

#[test]
fn s3_pix_corrected_converges_and_then_measures_what_does_not_change() {
    let said = played("pix-single-frame", "reference", &[]);
    let (converge, measure) = at_phase(&said, "measure");
    let changes = changes(&said);
    assert!(changes.len().is_multiple_of(2) && changes.len() < 20, "{}", changes.len());
    let actions = modes(&said);
    assert_eq!(actions[0], (Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS));
    assert_eq!(modes(&said).iter().filter(|(_, action)| *action == Action::DISCARD_PREVIOUS).count(), 1);
    let (last, answer) = changes.last().expect("a commit");
    let commit = (Mode::DISABLE_PROFILING_BY_SYSTEM, Action::COMMIT_RESULTS_HIGH_PRIORITY);
    assert_eq!((last.mode, last.measurements_action), commit);
    assert_eq!(*answer, Ok(false));
    // Nothing is left to do, and nothing is done any more (rule B-25).
    assert!(installed(converge) > 0);
    assert_eq!(queued(converge), ended(converge));
    assert_eq!((queued(measure), installed(measure)), (0, 0));
    let measured = frames(measure);
    assert_eq!(measured.len(), 8);
    assert!(measured.iter().all(|frame| *frame == measured[0]));
    let sum = |count: fn(&DrawRun) -> u64| measured[0].iter().map(count).sum::<u64>();
    assert!(sum(|run| run.executed) < sum(|run| run.generic_executed));
}

#[test]
fn s3_pix_corrected_leaves_off_if_the_driver_does_not_converge() {
    let said = played_under(&never_converging(), "pix-single-frame", &[("tries", "3")]);
    assert_eq!(changes(&said).len(), 6);
    assert_eq!(changes(&said)[5].1, Ok(true));
}

#[test]
fn s3_pix_verbatim_terminates_and_never_discards() {
    let said = played("pix-single-frame", "reference", &[("text", "verbatim")]);
    assert!(modes(&said).iter().all(|(_, action)| *action != Action::DISCARD_PREVIOUS));
    let (converge, measure) = at_phase(&said, "measure");
    assert!(presented(converge) <= 9);
    assert_eq!(queued(converge), ended(converge));
    assert_eq!((queued(measure), installed(measure)), (0, 0));
}

#[test]
fn s3_pix_verbatim_plays_one_frame_less_than_it_says() {
    for tries in [1, 2, 4] {
        let given = [("text", "verbatim"), ("tries", &*tries.to_string())];
        let said = played_under(&never_converging(), "pix-single-frame", &given);
        let (converge, _) = at_phase(&said, "measure");
        assert_eq!(presented(converge), tries - 1);
    }
}

#[test]
fn b09_pix_does_not_hang_where_there_is_no_background_processing() {
    for text in ["corrected", "verbatim"] {
        let said = played("pix-single-frame", "legacy", &[("text", text)]);
        assert_eq!(changes(&said).len(), 2);
        assert!(said.iter().filter_map(Record::ended::<win32::BeginWaitForSingleObject>).all(|wait| wait.is_ok()));
    }
}

#[test]
fn s4_a_game_that_asks_trains_only_where_it_is_of_use() {
    for (driver, asks, trains) in
        [("reference", "yes", true), ("reference", "no", true), ("legacy", "yes", false), ("legacy", "no", true)]
    {
        let said = played("skip-training", driver, &[("asks", asks)]);
        assert_eq!(has_phase(&said, "training"), trains, "{driver}, {asks}");
        assert_eq!(presented(&said), if trains { 128 } else { 64 });
        assert_eq!(installed(&said) > 0, driver == "reference");
    }
}

#[test]
fn s4_what_a_driver_has_no_use_for_is_a_benign_no_op() {
    let said = played("skip-training", "legacy", &[("asks", "no")]);
    assert!(changes(&said).iter().all(|(_, answer)| *answer == Ok(false)));
    assert_eq!(said.iter().filter_map(Record::begun::<d3d12_ddi::SetBackgroundProcessingMode0063>).count(), 0);
    // The commit's event is signalled before the call returns.
    let (training, _) = at_phase(&said, "play");
    let waited: Vec<_> = training.iter().filter_map(Record::ended::<win32::BeginWaitForSingleObject>).collect();
    assert_eq!(waited.last(), Some(&Ok(WaitStatus::OBJECT_0)));
}

#[test]
fn b40_constants_that_never_settle_are_measured_for_ever() {
    let said = played("never-converges", "reference", &[("passes", "8")]);
    let answers: Vec<_> = changes(&said).iter().filter(|(call, _)| call.want_further).map(|(_, a)| *a).collect();
    assert_eq!(answers, [Ok(true); 8]);
}

#[test]
fn b40_a_driver_may_be_what_never_converges() {
    let said = played_under(&never_converging(), "benchmark-priming", &[("passes", "3"), ("frames", "2")]);
    let answers: Vec<_> = changes(&said).iter().filter(|(call, _)| call.want_further).map(|(_, a)| *a).collect();
    assert_eq!(answers, [Ok(true); 3]);
}

#[test]
fn a_recording_of_the_schema_without_spaces_still_replays() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/pix-single-frame.taut");
    let trace = Trace::open(&file).expect("a trace");
    let outcome = Replayer::new(&trace, Options::default()).run().expect("a replay");
    assert!(outcome.is_identical() && outcome.calls > 0, "{:#?}", outcome.divergences);
}

/// What code took in a recording.
fn times(said: &[Record]) -> Vec<CodeTime> {
    said.iter().filter_map(Record::begun::<machine::CompleteQueueOperation>).flat_map(|done| done.times).collect()
}

#[test]
fn times_are_of_the_recording_and_a_replay_passes_them_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let profile = Profile::named("reference").expect("a bundled profile");
    let record =
        |clock, name: &str| recorded_under(&profile, "pix-single-frame", &[], clock, &folder.path().join(name));
    let trace = record(Clock::best(), "timed.taut");
    let taken = times(&Record::all(&trace));
    let of = |code| taken.iter().filter(move |time| time.code == code).count();
    assert!(of(RunCode::VARIANT) > 0 && of(RunCode::GENERIC) > of(RunCode::VARIANT), "{taken:?}");
    assert_eq!(of(RunCode::INSTRUMENTED), 0);
    for time in &taken {
        assert!(time.rounds > 0 && time.least_ns <= time.middle_ns && time.middle_ns <= time.most_ns, "{time:?}");
    }
    let path = folder.path().join("again.taut");
    let header = trace.header();
    let writer = TraceWriter::create(&path, header, WriteOptions::default()).expect("a trace");
    let world = ReplayWorld::recorded(&header.world).expect("a world");
    let outcome = Replayer::new(&trace, Options::default()).run_on(world, Some(&writer)).expect("a replay");
    writer.finish().expect("a trace");
    assert!(outcome.is_identical(), "{:#?}", outcome.divergences);
    assert_eq!(times(&Record::all(&Trace::open(&path).expect("a trace"))), taken);
    assert!(times(&Record::all(&record(Clock::Logical, "untimed.taut"))).is_empty());
}

/// The trade-off that ALLOW_INTRUSIVE_MEASUREMENTS exists for.
#[test]
fn counters_cost_while_measurements_may_be_intrusive_and_not_once_profiling_is_disabled() {
    let said = played("pix-single-frame", "pgo-counters", &[]);
    let (priming, measured) = at_phase(&said, "measure");
    let runs = |said: &[Record]| frames(said).concat();
    assert!(runs(priming).iter().any(|run| run.counter_executed > 0));
    assert!(!runs(measured).is_empty() && runs(measured).iter().all(|run| run.counter_executed == 0));
    assert!(times(priming).iter().any(|time| time.code == RunCode::INSTRUMENTED));
}

/// From where work was queued: the thread's role, and the call that the driver was in.
fn queued_from(said: &[Record]) -> Vec<(ThreadRole, &'static str)> {
    let (mut inside, mut from) = (BTreeMap::new(), Vec::new());
    for record in said {
        let began = |name, began: bool| began.then_some(name);
        let call = began("thread", record.begun::<d3d12_ddi::RunDriverThread>().is_some())
            .or(began("list", record.begun::<d3d12_ddi::CloseCommandList>().is_some()))
            .or(began("task", record.begun::<d3d12_ddi::ProcessBackgroundWork>().is_some()))
            .or(began("mode", record.begun::<d3d12_ddi::SetBackgroundProcessingMode0063>().is_some()))
            .or(began("measurements", record.begun::<d3d12_ddi::CollectMeasurements>().is_some()));
        if let Some(call) = call {
            inside.insert(record.thread, call);
        }
        if record.begun::<d3d12_callbacks::QueueProcessingWork>().is_some() {
            from.push((ThreadRole::of(record.thread), inside.get(&record.thread).copied().unwrap_or("nowhere")));
        }
    }
    from
}

/// A driver of this name with thresholds that a few draws reach.
fn quick(driver: &str) -> Profile {
    let mut profile = Profile::named(driver).expect("a bundled profile");
    let background = profile.background.as_mut().expect("background processing");
    (background.n_min, background.window_executions, background.stable_windows) = (8, 4, 2);
    (background.sampling_interval, background.first_tier_cost) = (1, 0);
    profile
}

fn violations(said: &[Record]) -> usize {
    said.iter().filter_map(Record::mark::<mark::DriverViolation>).count()
}

/// Rules B-50 and B-52: a driver may queue from any thread of its own, and tasks run on the runtime's all the same.
#[test]
fn work_queued_by_a_thread_of_the_driver_replays() {
    let given = [short("game-session"), &[("threads", "4")]].concat();
    let said = played_under(&quick("pgo-threads"), "game-session", &given);
    Audit::of(&said);
    let from = queued_from(&said);
    assert!(from.contains(&(ThreadRole::Driver(AdapterId::FIRST), "thread")), "{from:?}");
    assert!(from.iter().all(|(_, call)| *call != "measurements"), "{from:?}");
    let looked: Vec<bool> =
        said.iter().filter_map(Record::ended::<d3d12_ddi::BeginBackgroundWork>).map(|begun| begun.has_work).collect();
    assert!(looked.contains(&true) && violations(&said) == 0);
    let started = said.iter().filter(|said| said.begun::<machine::StartBackgroundWork>().is_some());
    assert!(started.clone().count() > 0);
    assert!(started.into_iter().all(|said| matches!(ThreadRole::of(said.thread), ThreadRole::Worker(..))));
}

#[test]
fn work_queued_by_recording_calls_replays() {
    let given = [short("game-session"), &[("threads", "4")]].concat();
    let said = played_under(&quick("pgo-recording"), "game-session", &given);
    Audit::of(&said);
    let from = queued_from(&said);
    let lists = from.iter().filter(|(_, call)| *call == "list");
    assert!(lists.clone().count() > 0 && violations(&said) == 0, "{from:?}");
    assert!(lists.into_iter().all(|(role, _)| matches!(role, ThreadRole::Application(_))), "{from:?}");
}

/// With the thresholds that they come with, and a game that trains them: from the driver's own thread, from recording calls,
/// and for what is tuned beside shaders.
#[test]
fn bundled_thresholds_are_reached_wherever_work_is_queued_from() {
    let from = |driver: &str| {
        let said = played("skip-training", driver, &[]);
        assert!(violations(&said) == 0 && ended(&said) > 0, "{driver}");
        (queued_from(&said), said)
    };
    let (threads, _) = from("pgo-threads");
    assert!(threads.contains(&(ThreadRole::Driver(AdapterId::FIRST), "thread")), "{threads:?}");
    let (lists, _) = from("pgo-recording");
    let is_list = |(role, call): &(ThreadRole, &str)| matches!(role, ThreadRole::Application(_)) && *call == "list";
    assert!(lists.iter().any(is_list), "{lists:?}");
    let (_, said) = from("pgo-tuning");
    let tunes = |call: &d3d12_callbacks::QueueProcessingWork| call.slots.is_empty();
    assert!(said.iter().filter_map(Record::begun::<d3d12_callbacks::QueueProcessingWork>).any(|call| tunes(&call)));
    let saves = |run: &DrawRun| run.tuned_executed < run.untuned_executed;
    assert!(frames(&said).concat().iter().any(saves));
}

/// A scenario that comes with the project, with a driver's own thresholds.
#[test]
fn b54_a_task_that_ends_queues_the_next() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/scenarios/followed.toml");
    let scenario = ScenarioFile::read(&file).expect("a scenario");
    let trace = recorded_scenario(&scenario, "pgo-threads", &folder.path().join("followed.taut"));
    let outcome = Replayer::new(&trace, Options::default()).run().expect("a replay");
    assert!(outcome.is_identical() && outcome.unfinished_calls == 0, "{:#?}", outcome.divergences);
    let said = Record::all(&trace);
    Audit::of(&said);
    let from = queued_from(&said);
    let is_task = |(role, call): &(ThreadRole, &str)| matches!(role, ThreadRole::Worker(..)) && *call == "task";
    assert!(from.iter().any(is_task) && violations(&said) == 0, "{from:?}");
}

/// Rule B-55: nobody hangs, and the recording says what would.
#[test]
fn b55_a_driver_that_would_hang_is_told_of_and_its_recording_replays() {
    // Enough is measured only once work is disabled.
    let said = played_under(&quick("faulty-holds-its-lock"), "turn-off", &[("before", "1"), ("after", "64")]);
    let told: Vec<_> = said.iter().filter_map(Record::mark::<mark::DriverViolation>).collect();
    assert!(!told.is_empty() && told.iter().all(|told| told.rule == rule::B_55.id), "{told:?}");
    assert!(told[0].description.contains("CancelBackgroundWork"), "{}", told[0].description);
}

/// Cache policy and groups of lanes: tuned by tasks, told in the report, and left alone once profiling is disabled (rule B-25).
#[test]
fn what_is_tuned_beside_shaders_saves_and_stays_once_profiling_is_disabled() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, profile) = (folder.path().join("tuned.taut"), Profile::named("pgo-tuning").expect("a bundled profile"));
    let trace = recorded_under(&profile, "pix-single-frame", &[], Clock::best(), &path);
    let outcome = Replayer::new(&trace, Options::default()).run().expect("a replay");
    assert!(outcome.is_identical(), "{:#?}", outcome.divergences);
    let said = Record::all(&trace);
    let (_, measured) = at_phase(&said, "measure");
    let all = frames(&said).concat();
    let untuned = all.first().expect("a draw");
    assert!(untuned.tuned_executed > 0 && untuned.tuned_executed == untuned.untuned_executed);
    assert!(all.iter().all(|run| run.output_hash == run.generic_output_hash));
    let locked: Vec<Vec<u64>> =
        frames(measured).iter().map(|runs| runs.iter().map(|run| run.tuned_executed).collect()).collect();
    assert!(locked.len() > 1 && locked.iter().all(|costs| *costs == locked[0]), "{locked:?}");
    let saves = |run: &DrawRun| run.tuned_executed < run.untuned_executed;
    assert!(frames(measured).concat().iter().all(saves));
    let tunes = |call: &d3d12_callbacks::QueueProcessingWork| call.slots.is_empty();
    let tasks =
        said.iter().filter_map(Record::begun::<d3d12_callbacks::QueueProcessingWork>).filter(tunes).count() as u64;
    let analysis = Analysis::new(trace).expect("an analysis");
    let findings = Findings::of(&analysis, &[report("pgo").expect("a report")]).expect("figures").reports();
    let pgo = &findings["pgo"];
    assert!(tasks > 0 && pgo["tuning_tasks"].as_u64() == Some(tasks), "{}", pgo["tuning_tasks"]);
    assert!(pgo["tuned_saving_ratio"].as_f64().is_some_and(|saved| saved > 0.2), "{}", pgo["tuned_saving_ratio"]);
    assert_eq!(pgo["audits_failed"].as_u64(), Some(0));
}
