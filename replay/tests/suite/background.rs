//! Usages of the document "Background shader optimizations", as printed and corrected: scenarios S1 to S4, recorded
//! with real threads.
#![allow(clippy::expect_used)]

use crate::recording;

use recording::audit::Audit;
use recording::record::Record;
use std::collections::BTreeMap;
use taut_analyze::{Analysis, Findings, report};
use taut_capture::Clock;
use taut_replay::{Options, ReplayWorld, Replayer};
use taut_runtime::Profile;
use taut_schemas::{
    AdapterId, BackgroundProcessingMode as Mode, CancelReason, CodeTime, DrawRun, EventHandle, HResult, HResultCode,
    MeasurementsAction as Action, RunCode, ThreadRole, VariantId, WaitStatus, d3d12, d3d12_callbacks, d3d12_ddi, dxgi,
    machine, mark, rule, win32,
};
use taut_testkit::{recorded_scenario, recorded_under, replayed, short, testdata};
use taut_traces::{Trace, TraceWriter, WriteOptions};
use taut_workloads::ScenarioFile;

/// Returns the events of a recording that replays identically and in which every rule holds.
fn played(workload: &str, driver: &str, overrides: &[(&str, &str)]) -> Vec<Record> {
    let records = played_under(&Profile::named(driver).expect("a bundled profile"), workload, overrides);
    Audit::of(&records);
    records
}

fn played_under(profile: &Profile, workload: &str, overrides: &[(&str, &str)]) -> Vec<Record> {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = recorded_under(profile, workload, overrides, Clock::best(), &folder.path().join("recorded.taut"));
    let outcome = replayed(&trace);
    assert!(outcome.is_identical() && outcome.unfinished_calls == 0, "{workload}: {:#?}", outcome.divergences);
    Record::all(&trace)
}

/// Returns a driver that finds the same specialisations repeatedly.
fn never_converging() -> Profile {
    let mut profile = Profile::named("reference").expect("a bundled profile");
    profile.faults.finds_forever = true;
    profile
}

/// Returns the mode changes in order, with their results.
fn changes(records: &[Record]) -> Vec<(d3d12::SetBackgroundProcessingMode, HResult<bool>)> {
    let begun = records.iter().filter_map(Record::begun::<d3d12::SetBackgroundProcessingMode>);
    let ended = records.iter().filter_map(Record::ended::<d3d12::SetBackgroundProcessingMode>);
    begun.zip(ended.map(|ended| ended.map(|further| further.desired))).collect()
}

/// Returns modes and actions only.
fn modes(records: &[Record]) -> Vec<(Mode, Action)> {
    changes(records).into_iter().map(|(call, _)| (call.mode, call.measurements_action)).collect()
}

/// Splits a recording at the start of a phase.
fn at_phase<'s>(records: &'s [Record], name: &str) -> (&'s [Record], &'s [Record]) {
    let begins = |records: &Record| records.mark::<mark::WorkloadPhase>().is_some_and(|phase| phase.name == name);
    records.split_at(records.iter().position(begins).expect("a phase"))
}

fn has_phase(records: &[Record], name: &str) -> bool {
    records.iter().filter_map(Record::mark::<mark::WorkloadPhase>).any(|phase| phase.name == name)
}

fn queued(records: &[Record]) -> usize {
    records.iter().filter_map(Record::begun::<d3d12_callbacks::QueueProcessingWork>).count()
}

fn ended(records: &[Record]) -> usize {
    records.iter().filter_map(Record::mark::<mark::BackgroundWorkStop>).count()
}

/// Returns the number of installed variants.
fn installed(records: &[Record]) -> usize {
    let verdicts = records.iter().filter_map(Record::ended::<d3d12_ddi::ProcessBackgroundWork>);
    verdicts.filter(|verdict| verdict.variant != VariantId::NULL).count()
}

/// Returns the draws of each submission.
fn frames(records: &[Record]) -> Vec<Vec<DrawRun>> {
    records.iter().filter_map(Record::begun::<d3d12_ddi::CollectMeasurements>).map(|call| call.runs).collect()
}

fn presented(records: &[Record]) -> usize {
    records.iter().filter_map(Record::begun::<dxgi::Present>).count()
}

#[test]
fn s1_turning_off_lets_tasks_end_and_no_task_comes_after() {
    let records = played("turn-off", "reference", &[]);
    let off = |records: &Record| {
        records
            .begun::<d3d12::SetBackgroundProcessingMode>()
            .is_some_and(|call| call.mode == Mode::DISABLE_BACKGROUND_WORK)
    };
    let (before, after) = records.split_at(records.iter().position(off).expect("the change"));
    assert!(queued(before) > 0);
    assert_eq!(queued(after), 0);
    let cancelled = records.iter().filter_map(Record::mark::<mark::BackgroundWorkCancel>);
    assert!(cancelled.clone().all(|cancel| cancel.reason == CancelReason::DEVICE_DESTROYED));
    assert_eq!(queued(before), ended(&records) + cancelled.count());
    assert!(changes(&records).iter().all(|(_, answer)| answer.is_ok()));
}

#[test]
fn s1_without_developer_mode_turning_off_is_refused_and_nothing_changes() {
    let records = played("turn-off", "reference", &[("developer_mode", "off")]);
    let answers: Vec<_> = changes(&records).into_iter().map(|(_, answer)| answer.map(drop)).collect();
    assert_eq!(answers, [Ok(()), Err(HResultCode::E_INVALIDARG)]);
    // Only the first change reaches the driver.
    assert_eq!(records.iter().filter_map(Record::begun::<d3d12_ddi::SetBackgroundProcessingMode0063>).count(), 1);
    assert_eq!(presented(&records), 128);
}

#[test]
fn s1_turning_off_is_gated_without_background_processing_too() {
    let records = played("turn-off", "legacy", &[("developer_mode", "off"), ("before", "2"), ("after", "2")]);
    assert_eq!(changes(&records)[1].1, Err(HResultCode::E_INVALIDARG));
    let records = played("turn-off", "legacy", &[("before", "2"), ("after", "2")]);
    assert_eq!(changes(&records)[1].1, Ok(false));
}

#[test]
fn s2_benchmark_priming_verbatim_terminates() {
    // The number of passes depends on when the tasks, for which the workload does not wait, get a processor.
    let records = played("benchmark-priming", "reference", &[("text", "verbatim"), ("passes", "1000000")]);
    let changes = changes(&records);
    assert!(changes.len() > 2, "{}", changes.len());
    assert_eq!(modes(&records)[0], (Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS));
    // The mode remains intrusive, and nothing is committed.
    assert!(modes(&records)[1..].iter().all(|mode| *mode == (Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL)));
    let (last, others) = changes[1..].split_last().expect("an answer");
    assert!(others.iter().all(|(_, answer)| *answer == Ok(true)));
    assert_eq!(last.1, Ok(false));
    // The answer means that nothing is pending (rule X-26).
    let answers = |records: &Record| records.ended::<d3d12::SetBackgroundProcessingMode>().is_some();
    let (prime, _) = records.split_at(records.iter().rposition(answers).expect("an answer"));
    assert!(installed(prime) > 0);
    assert_eq!(queued(prime), ended(prime));
    is_legal_on_retail(&records);
}

#[test]
fn s2_benchmark_priming_corrected_commits_and_waits_before_it_measures() {
    let records = played("benchmark-priming", "reference", &[]);
    let (prime, benchmark) = at_phase(&records, "benchmark");
    let changes = changes(prime);
    let (last, _) = changes.last().expect("a commit");
    assert_eq!((last.mode, last.measurements_action), (Mode::ALLOWED, Action::COMMIT_RESULTS));
    assert!(last.event != EventHandle::NULL);
    let done: Vec<_> = prime.iter().filter_map(Record::mark::<mark::BackgroundCommitDone>).collect();
    assert!(done.len() == 1 && done[0].event == last.event);
    assert!(installed(prime) > 0 && modes(benchmark).is_empty());
    is_legal_on_retail(&records);
}

#[test]
fn s2_benchmark_priming_of_2019_keeps_all_and_commits_once() {
    let records = played("benchmark-priming", "reference", &[("text", "2019")]);
    let expected = [(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL), (Mode::ALLOWED, Action::COMMIT_RESULTS)];
    assert_eq!(modes(&records), expected);
    assert!(changes(&records).iter().all(|(call, _)| call.event == EventHandle::NULL && !call.want_further));
    assert!(queued(&records) > 0);
    is_legal_on_retail(&records);
}

/// Checks that developer mode is off and no mode change fails.
fn is_legal_on_retail(records: &[Record]) {
    let first = records.iter().find_map(Record::begun::<win32::SetDeveloperMode>).expect("a mode");
    assert!(!first.enabled);
    assert!(changes(records).iter().all(|(_, answer)| answer.is_ok()));
}

#[test]
fn s3_pix_corrected_converges_and_then_measures_what_does_not_change() {
    let records = played("pix-single-frame", "reference", &[]);
    let (converge, measure) = at_phase(&records, "measure");
    let changes = changes(&records);
    assert!(changes.len().is_multiple_of(2) && changes.len() < 20, "{}", changes.len());
    let actions = modes(&records);
    assert_eq!(actions[0], (Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS));
    assert_eq!(modes(&records).iter().filter(|(_, action)| *action == Action::DISCARD_PREVIOUS).count(), 1);
    let (last, answer) = changes.last().expect("a commit");
    let commit = (Mode::DISABLE_PROFILING_BY_SYSTEM, Action::COMMIT_RESULTS_HIGH_PRIORITY);
    assert_eq!((last.mode, last.measurements_action), commit);
    assert_eq!(*answer, Ok(false));
    // No work remains, and none is done (rule B-25).
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
    let records = played_under(&never_converging(), "pix-single-frame", &[("tries", "3")]);
    assert_eq!(changes(&records).len(), 6);
    assert_eq!(changes(&records)[5].1, Ok(true));
}

#[test]
fn s3_pix_verbatim_terminates_and_never_discards() {
    let records = played("pix-single-frame", "reference", &[("text", "verbatim")]);
    assert!(modes(&records).iter().all(|(_, action)| *action != Action::DISCARD_PREVIOUS));
    let (converge, measure) = at_phase(&records, "measure");
    assert!(presented(converge) <= 9);
    assert_eq!(queued(converge), ended(converge));
    assert_eq!((queued(measure), installed(measure)), (0, 0));
}

#[test]
fn s3_pix_verbatim_plays_one_frame_less_than_max() {
    for tries in [1, 2, 4] {
        let overrides = [("text", "verbatim"), ("tries", &*tries.to_string())];
        let records = played_under(&never_converging(), "pix-single-frame", &overrides);
        let (converge, _) = at_phase(&records, "measure");
        assert_eq!(presented(converge), tries - 1);
    }
}

#[test]
fn b09_pix_does_not_hang_without_background_processing() {
    for text in ["corrected", "verbatim"] {
        let records = played("pix-single-frame", "legacy", &[("text", text)]);
        assert_eq!(changes(&records).len(), 2);
        assert!(records.iter().filter_map(Record::ended::<win32::BeginWaitForSingleObject>).all(|wait| wait.is_ok()));
    }
}

#[test]
fn s4_a_game_that_queries_support_trains_only_if_supported() {
    for (driver, queries, trains) in
        [("reference", "yes", true), ("reference", "no", true), ("legacy", "yes", false), ("legacy", "no", true)]
    {
        let records = played("skip-training", driver, &[("queries_support", queries)]);
        assert_eq!(has_phase(&records, "training"), trains, "{driver}, {queries}");
        assert_eq!(presented(&records), if trains { 128 } else { 64 });
        assert_eq!(installed(&records) > 0, driver == "reference");
    }
}

#[test]
fn s4_training_without_background_processing_is_a_benign_no_op() {
    let records = played("skip-training", "legacy", &[("asks", "no")]);
    assert!(changes(&records).iter().all(|(_, answer)| *answer == Ok(false)));
    assert_eq!(records.iter().filter_map(Record::begun::<d3d12_ddi::SetBackgroundProcessingMode0063>).count(), 0);
    // The commit's event is signalled before the call returns.
    let (training, _) = at_phase(&records, "play");
    let waited: Vec<_> = training.iter().filter_map(Record::ended::<win32::BeginWaitForSingleObject>).collect();
    assert_eq!(waited.last(), Some(&Ok(WaitStatus::OBJECT_0)));
}

#[test]
fn b40_constants_that_never_settle_are_measured_for_ever() {
    let records = played("never-converges", "reference", &[("passes", "8")]);
    let answers: Vec<_> = changes(&records).iter().filter(|(call, _)| call.want_further).map(|(_, a)| *a).collect();
    assert_eq!(answers, [Ok(true); 8]);
}

#[test]
fn b40_a_driver_may_be_the_cause_of_never_converging() {
    let records = played_under(&never_converging(), "benchmark-priming", &[("passes", "3"), ("frames", "2")]);
    let answers: Vec<_> = changes(&records).iter().filter(|(call, _)| call.want_further).map(|(_, a)| *a).collect();
    assert_eq!(answers, [Ok(true); 3]);
}

#[test]
fn a_recording_of_the_schema_without_spaces_still_replays() {
    let file = testdata("pix-single-frame.taut");
    let trace = Trace::open(&file).expect("a trace");
    let outcome = replayed(&trace);
    assert!(outcome.is_identical() && outcome.calls > 0, "{:#?}", outcome.divergences);
}

/// Returns the measured times of code.
fn times(records: &[Record]) -> Vec<CodeTime> {
    records.iter().filter_map(Record::begun::<machine::CompleteQueueOperation>).flat_map(|done| done.times).collect()
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
        assert!(time.rounds > 0 && time.min_ns <= time.p50_ns && time.p50_ns <= time.max_ns, "{time:?}");
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

/// Tests the trade-off that ALLOW_INTRUSIVE_MEASUREMENTS exists for.
#[test]
fn counters_cost_while_measurements_may_be_intrusive_and_not_once_profiling_is_disabled() {
    let records = played("pix-single-frame", "pgo-counters", &[]);
    let (priming, measured) = at_phase(&records, "measure");
    let runs = |records: &[Record]| frames(records).concat();
    assert!(runs(priming).iter().any(|run| run.counter_executed > 0));
    assert!(!runs(measured).is_empty() && runs(measured).iter().all(|run| run.counter_executed == 0));
    assert!(times(priming).iter().any(|time| time.code == RunCode::INSTRUMENTED));
}

/// Returns the origin of queued work: the thread's role, and the DDI call from which it was queued.
fn queued_from(records: &[Record]) -> Vec<(ThreadRole, &'static str)> {
    let (mut inside, mut from) = (BTreeMap::new(), Vec::new());
    for record in records {
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
            from.push((
                ThreadRole::from_thread(record.thread),
                inside.get(&record.thread).copied().unwrap_or("nowhere"),
            ));
        }
    }
    from
}

/// Returns a driver of this name with thresholds that a few draws reach.
fn quick(driver: &str) -> Profile {
    let mut profile = Profile::named(driver).expect("a bundled profile");
    let background = profile.background.as_mut().expect("background processing");
    (background.n_min, background.window_executions, background.stable_windows) = (8, 4, 2);
    (background.sampling_interval, background.first_tier_cost) = (1, 0);
    profile
}

fn violations(records: &[Record]) -> usize {
    records.iter().filter_map(Record::mark::<mark::DriverViolation>).count()
}

/// Rules B-50 and B-52: a driver may queue work from any thread of its own, and tasks still run on the runtime's
/// workers.
#[test]
fn work_queued_by_a_thread_of_the_driver_replays() {
    let overrides = [short("game-session"), &[("threads", "4")]].concat();
    let records = played_under(&quick("pgo-threads"), "game-session", &overrides);
    Audit::of(&records);
    let from = queued_from(&records);
    assert!(from.contains(&(ThreadRole::Driver(AdapterId::FIRST), "thread")), "{from:?}");
    assert!(from.iter().all(|(_, call)| *call != "measurements"), "{from:?}");
    let looked: Vec<bool> = records
        .iter()
        .filter_map(Record::ended::<d3d12_ddi::BeginBackgroundWork>)
        .map(|begun| begun.has_work)
        .collect();
    assert!(looked.contains(&true) && violations(&records) == 0);
    let started = records.iter().filter(|records| records.begun::<machine::StartBackgroundWork>().is_some());
    assert!(started.clone().count() > 0);
    assert!(
        started.into_iter().all(|records| matches!(ThreadRole::from_thread(records.thread), ThreadRole::Worker(..)))
    );
}

#[test]
fn work_queued_by_recording_calls_replays() {
    let overrides = [short("game-session"), &[("threads", "4")]].concat();
    let records = played_under(&quick("pgo-recording"), "game-session", &overrides);
    Audit::of(&records);
    let from = queued_from(&records);
    let lists = from.iter().filter(|(_, call)| *call == "list");
    assert!(lists.clone().count() > 0 && violations(&records) == 0, "{from:?}");
    assert!(lists.into_iter().all(|(role, _)| matches!(role, ThreadRole::Application(_))), "{from:?}");
}

/// Tests the drivers' default thresholds with a game that trains them: work queued from the driver's own thread, from
/// recording calls, and for tuning other than shaders.
#[test]
fn bundled_thresholds_are_reached_wherever_work_is_queued_from() {
    let from = |driver: &str| {
        let records = played("skip-training", driver, &[]);
        assert!(violations(&records) == 0 && ended(&records) > 0, "{driver}");
        (queued_from(&records), records)
    };
    let (threads, _) = from("pgo-threads");
    assert!(threads.contains(&(ThreadRole::Driver(AdapterId::FIRST), "thread")), "{threads:?}");
    let (lists, _) = from("pgo-recording");
    let is_list = |(role, call): &(ThreadRole, &str)| matches!(role, ThreadRole::Application(_)) && *call == "list";
    assert!(lists.iter().any(is_list), "{lists:?}");
    let (_, records) = from("pgo-tuning");
    let tunes = |call: &d3d12_callbacks::QueueProcessingWork| call.slots.is_empty();
    assert!(records.iter().filter_map(Record::begun::<d3d12_callbacks::QueueProcessingWork>).any(|call| tunes(&call)));
    let saves = |run: &DrawRun| run.tuned_executed < run.untuned_executed;
    assert!(frames(&records).concat().iter().any(saves));
}

/// Tests a bundled scenario with a driver's default thresholds.
#[test]
fn b54_a_task_that_ends_queues_the_next() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = testdata("scenarios/followed.toml");
    let scenario = ScenarioFile::read(&file).expect("a scenario");
    let trace = recorded_scenario(&scenario, "pgo-threads", &folder.path().join("followed.taut"));
    let outcome = replayed(&trace);
    assert!(outcome.is_identical() && outcome.unfinished_calls == 0, "{:#?}", outcome.divergences);
    let records = Record::all(&trace);
    Audit::of(&records);
    let from = queued_from(&records);
    let is_task = |(role, call): &(ThreadRole, &str)| matches!(role, ThreadRole::Worker(..)) && *call == "task";
    assert!(from.iter().any(is_task) && violations(&records) == 0, "{from:?}");
}

/// Rule B-55: no thread hangs, and the recording reports what would.
#[test]
fn b55_a_driver_that_would_hang_is_reported_and_its_recording_replays() {
    // Enough is measured only once work is disabled.
    let records = played_under(&quick("faulty-holds-its-lock"), "turn-off", &[("before", "1"), ("after", "64")]);
    let reported: Vec<_> = records.iter().filter_map(Record::mark::<mark::DriverViolation>).collect();
    assert!(!reported.is_empty() && reported.iter().all(|reported| reported.rule == rule::B_55.id), "{reported:?}");
    assert!(reported[0].description.contains("CancelBackgroundWork"), "{}", reported[0].description);
}

/// Tests cache policy and lane groups: tuned by tasks, shown in the report, and unchanged once profiling is disabled
/// (rule B-25).
#[test]
fn tuning_other_than_shaders_saves_and_stays_once_profiling_is_disabled() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, profile) = (folder.path().join("tuned.taut"), Profile::named("pgo-tuning").expect("a bundled profile"));
    let trace = recorded_under(&profile, "pix-single-frame", &[], Clock::best(), &path);
    let outcome = replayed(&trace);
    assert!(outcome.is_identical(), "{:#?}", outcome.divergences);
    let records = Record::all(&trace);
    let (_, measured) = at_phase(&records, "measure");
    let all = frames(&records).concat();
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
        records.iter().filter_map(Record::begun::<d3d12_callbacks::QueueProcessingWork>).filter(tunes).count() as u64;
    let analysis = Analysis::new(trace).expect("an analysis");
    let findings = Findings::of(&analysis, &[report("pgo").expect("a report")]).expect("figures").reports();
    let pgo = &findings["pgo"];
    assert!(tasks > 0 && pgo["tuning_tasks"].as_u64() == Some(tasks), "{}", pgo["tuning_tasks"]);
    assert!(pgo["tuned_saving_ratio"].as_f64().is_some_and(|saved| saved > 0.2), "{}", pgo["tuned_saving_ratio"]);
    assert_eq!(pgo["audits_failed"].as_u64(), Some(0));
}
