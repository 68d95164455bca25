//! Playback of logs in a session.

use super::check::check;
use super::real;
use super::sample::{BUFFER, HEADER, HEAP, INFO, TAIL, read, sample, text};
use crate::bundled::memory_session::{Event, MemorySession};
use crate::call_log::{CAPTURE_PHASE, CallLog, Plan, RunSummary, plan, run};
use taut_runtime::repack::UnrecordedDevice;
use taut_runtime::{Profile, Settings};
use taut_schemas::{HResultCode, PhaseEdge, mark};

/// Plays a log under a driver.
fn played(log: &CallLog, profile: &Profile) -> (RunSummary, MemorySession) {
    let session = MemorySession::under(profile);
    let (settings, driver) = (Settings::default(), taut_runtime::driver(profile));
    let summary = run(log, &plan(log, &settings, &*driver), &session).unwrap();
    (summary, session)
}

fn sample_log() -> CallLog {
    read(sample().into_bytes()).unwrap().log
}

/// Derives each call's or phase's line from the position marks; each must match its line and the line's thread. Returns
/// the lines in order.
fn lines_met(log: &CallLog, events: &[Event]) -> Vec<u64> {
    let mut position = None;
    let mut met = Vec::new();
    for event in events {
        if let Some(mark::LogPosition { seq }) = event.mark() {
            position = Some(seq);
            continue;
        }
        let Some(seq) = position else { continue };
        let Some(line) = log.lines.get(seq as usize) else { panic!("{event:?} is beyond the log") };
        let name = line.call.as_str();
        match event.mark::<mark::WorkloadPhase>() {
            None => assert_eq!(event.name, name, "seq {seq}"),
            Some(phase) => {
                let (index, edge) = match name {
                    "BeginTest" => (line.test, PhaseEdge::BEGIN),
                    "EndTest" => (line.test, PhaseEdge::END),
                    _ => (CAPTURE_PHASE, PhaseEdge::END),
                };
                assert_eq!((phase.phase_index, phase.edge), (index, edge), "seq {seq}");
            }
        }
        assert_eq!(event.thread, line.thread, "seq {seq}");
        met.push(seq);
        position = Some(seq + 1);
    }
    met
}

/// Checks that the events, merged by (stamp, thread) as readers do, are in the order in which they happened.
fn assert_stamps_are_in_order(events: &[Event]) {
    assert!(events.is_sorted_by_key(|event| (event.stamp, event.thread)));
}

#[test]
fn a_log_is_played_in_its_order_on_its_threads() {
    let log = sample_log();
    let (summary, session) = played(&log, &Profile::named("reference").unwrap());
    let events = session.events();
    assert_eq!(events[0].name, "CreateDevice");
    assert_eq!(events[1].mark(), Some(mark::LogPosition { seq: 0 }));
    assert_eq!(lines_met(&log, &events), (0..log.lines.len() as u64).collect::<Vec<_>>());
    assert_eq!(events.iter().filter(|event| event.name == "LogPosition").count(), 1);
    assert_stamps_are_in_order(&events);
    assert_eq!((summary.calls, summary.phases, summary.threads), (28, 3, 3));
    assert_eq!((summary.lines, summary.lines_without_call, summary.failures), (31, 0, 0));
    assert_eq!((summary.answers.equal, summary.answers.different), (4, 0));
    assert_eq!(session.live_objects(), 1, "the log leaves one heap");
}

#[test]
fn phases_carry_the_tests_and_their_verdicts() {
    let (_, session) = played(&sample_log(), &Profile::named("reference").unwrap());
    let phases: Vec<mark::WorkloadPhase> = session.events().iter().filter_map(Event::mark).collect();
    let found: Vec<_> = phases.iter().map(|phase| (phase.phase_index, phase.edge, phase.name.as_str())).collect();
    let expected = [(1, PhaseEdge::BEGIN, "TestOne"), (1, PhaseEdge::END, "PASS")];
    assert_eq!(found, [expected[0], expected[1], (CAPTURE_PHASE, PhaseEdge::END, "EndCapture")]);
}

#[test]
fn lines_without_a_call_do_not_shift_later_positions() {
    let lines = [
        // A null output pointer: S_FALSE, no object.
        format!(r#""CreateHeap1",{HEAP},"protected":0,"hr":1,"obj":null"#),
        // Failed in the log, succeeds here.
        format!(r#""CreateHeap1",{HEAP},"protected":0,"hr":2147942414,"obj":null"#),
        // Succeeded in the log, fails here: heap type 77 does not exist.
        format!(
            r#""CreateHeap1",{},"protected":0,"hr":0,"obj":1"#,
            HEAP.replace("\"heap_type\":2", "\"heap_type\":77")
        ),
        format!(
            r#""CreatePlacedResource","heap":1,"offset":0,"desc":{BUFFER},"initial_state":0,{TAIL},"obj":2,{INFO}"#
        ),
        r#""Map","obj":2,"subresource":0,"read_range":null,"hr":0"#.to_owned(),
        r#""ReleaseResource","obj":2"#.to_owned(),
        r#""ReleaseHeap","obj":1"#.to_owned(),
        r#""EndCapture","objects_created":2,"objects_live":0"#.to_owned(),
    ];
    let lines: Vec<_> = lines.into_iter().map(|line| (0, 0, line)).collect();
    let reading = read(text(HEADER, &lines).into_bytes()).unwrap();
    assert!(reading.error.is_none(), "{:?}", reading.error);
    let (summary, session) = played(&reading.log, &Profile::named("reference").unwrap());
    let mut events = session.events();
    let release = events.iter().position(|event| event.name == "ReleaseHeap").unwrap();
    assert!(events[release + 1].mark::<mark::LogPosition>().is_some());
    events.remove(release);
    assert_eq!(lines_met(&reading.log, &events), [1, 2, 7]);
    assert_eq!((summary.calls, summary.phases, summary.lines_without_call), (2, 1, 5));
    assert_eq!((summary.failures, summary.unexpected_successes), (1, 1));
    assert_eq!(summary.first_failures[0].seq, 2);
    assert_eq!(summary.first_failures[0].hr, HResultCode::E_INVALIDARG);
    assert_eq!(session.live_objects(), 0);
}

#[test]
fn a_log_without_lines_makes_a_device_and_a_position() {
    let log = CallLog { lines: Vec::new(), ..sample_log() };
    let (summary, session) = played(&log, &Profile::named("reference").unwrap());
    let names: Vec<_> = session.events().iter().map(|event| event.name).collect();
    assert_eq!(names, ["CreateDevice", "LogPosition"]);
    assert_eq!(summary.lines, 0);
}

#[test]
fn the_summary_lists_what_was_changed() {
    let (summary, _) = played(&sample_log(), &Profile::named("legacy").unwrap());
    assert_eq!(summary.failures, 0, "{summary}");
    assert_eq!(
        summary.to_string(),
        "31 lines: 28 calls and 3 phase marks on 3 threads\n\
         6 resources created without the tight flag, which the driver does not support\n\
         3 placements redone by first fit, because the driver's answers differ\n\
         allocation infos queried by the application: 0 equal to the log's, 4 different\n  \
           GetResourceAllocationInfo: 1 call, first at line 5: size 1,024 alignment 256 in the log, size 65,536 alignment 65,536 here; \
           A-04: the runtime rounds the size of a buffer up to 64 KiB, and the size of any resource up to its alignment\n  \
           GetResourceAllocationInfo1: 1 call, first at line 6: size 2,048 alignment 256 in the log, size 131,072 alignment 65,536 here; \
           A-04: the runtime rounds the size of a buffer up to 64 KiB, and the size of any resource up to its alignment\n  \
           GetResourceAllocationInfo2: 1 call, first at line 7: size 1,024 alignment 256 in the log, size 65,536 alignment 65,536 here; \
           A-04: the runtime rounds the size of a buffer up to 64 KiB, and the size of any resource up to its alignment\n  \
           GetResourceAllocationInfo3: 1 call, first at line 8: size 1,024 alignment 256 in the log, size 65,536 alignment 65,536 here; \
           A-04: the runtime rounds the size of a buffer up to 64 KiB, and the size of any resource up to its alignment\n\
         allocation infos of created resources: 1 equal to the log's, 6 different\n  \
           line 11: size 1024 alignment 256 in the log, size 65536 alignment 65536 here\n  \
           line 12: size 1024 alignment 256 in the log, size 65536 alignment 65536 here\n  \
           line 13: size 1024 alignment 256 in the log, size 65536 alignment 65536 here\n  \
           line 15: size 1024 alignment 256 in the log, size 65536 alignment 65536 here\n  \
           line 16: size 1024 alignment 256 in the log, size 65536 alignment 65536 here\n  \
           line 17: size 1024 alignment 256 in the log, size 65536 alignment 65536 here"
    );
}

/// Plays the recorded log: every call succeeds, every line occurs in order, and no object remains.
fn plays_the_recorded_log(driver: &str) -> RunSummary {
    let log = real::log();
    let (summary, session) = played(log, &Profile::named(driver).unwrap());
    let events = session.events();
    let failed: Vec<_> = events.iter().filter(|event| event.failed()).take(5).collect();
    assert!(failed.is_empty() && summary.failures == 0, "{driver}: {failed:?}\n{summary}");
    assert_eq!(lines_met(log, &events), (0..log.lines.len() as u64).collect::<Vec<_>>());
    assert_stamps_are_in_order(&events);
    assert_eq!(session.live_objects(), 0);
    assert_eq!((summary.lines, summary.threads, summary.lines_without_call), (373_382, 33, 0));
    assert_eq!(summary.changes.infos.equal + summary.changes.infos.different, 117_848);
    summary
}

#[test]
fn the_recorded_log_plays_unchanged_under_the_driver_that_answers_like_its_own() {
    let summary = plays_the_recorded_log("peer");
    assert_eq!(summary.changes.infos.different + summary.answers.different, 0, "{summary}");
    assert_eq!((summary.changes.resources_repacked, summary.changes.flags_dropped), (0, 0));
}

#[test]
fn the_recorded_log_plays_without_tight_alignment() {
    let summary = plays_the_recorded_log("legacy");
    assert_eq!(summary.changes.flags_dropped, 117_848 - 36, "{summary}");
    assert!(summary.changes.heaps_grown > 0);
}

#[test]
fn the_recorded_log_plays_under_every_other_bundled_driver() {
    // The log's heaps take all kinds of resources, which tier 1 refuses.
    let is_other = |name: &str| !["peer", "legacy", "heap-tier1"].contains(&name);
    for (driver, _) in Profile::bundled().iter().filter(|(name, _)| is_other(name)) {
        plays_the_recorded_log(driver);
    }
}

#[test]
fn the_recorded_placements_never_overlap_where_the_log_has_none() {
    let (log, settings) = (real::log(), Settings::default());
    for driver in ["reference", "legacy"] {
        let driver = taut_runtime::driver(&Profile::named(driver).unwrap());
        let silent = UnrecordedDevice::new(&settings, &*driver);
        let answer = |desc: &_, formats: &[_]| silent.answer(desc, formats);
        assert_eq!(check(log, &Plan::new(log, &answer), &answer, false), 8, "overlaps that the statistics count");
    }
}
