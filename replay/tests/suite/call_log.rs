//! Calls of a real allocator library: recorded under every driver model, and replayed.
#![allow(clippy::expect_used)]

use std::path::Path;
use taut_capture::{Clock, Session};
use taut_replay::{Options, Outcome, Replayer};
use taut_runtime::{Profile, Settings};
use taut_traces::{Trace, Workload, WriteOptions};
use taut_workloads::call_log::{self, CallLog, RunSummary};

fn log() -> CallLog {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/d3d12ma-tight.jsonl.gz");
    let reading = call_log::read(&path).expect("the log");
    assert!(reading.error.is_none(), "{:?}", reading.error);
    reading.log
}

fn recorded(log: &CallLog, driver: &str, file: &Path) -> (RunSummary, Trace) {
    let profile = Profile::named(driver).expect("a bundled profile");
    let settings = Settings::default();
    let model = taut_runtime::driver(&profile);
    let plan = call_log::plan(log, &settings, &*model);
    let workload = Workload { name: "d3d12ma-tight".to_owned(), ..Workload::default() };
    let session = Session::create(file, &profile, settings.clone(), workload, Clock::best(), WriteOptions::default());
    let session = session.expect("a session");
    let summary = call_log::run(log, &plan, &session).expect("a run");
    session.finish().expect("a trace");
    (summary, Trace::open(file).expect("a trace"))
}

fn replayed(trace: &Trace) -> Outcome {
    Replayer::new(trace, Options::default()).run().expect("a replay")
}

#[test]
fn the_log_replays_the_same_under_every_driver() {
    let (log, folder) = (log(), tempfile::tempdir().expect("a folder"));
    // The log's heaps take all kinds of resources, which tier 1 refuses.
    for (driver, _) in Profile::bundled().iter().filter(|(name, _)| *name != "heap-tier1") {
        let (summary, trace) = recorded(&log, driver, &folder.path().join("log.taut"));
        assert_eq!(summary.failures, 0, "{driver}: {:?}", summary.first_failures);
        assert_eq!(summary.calls + summary.phases, 373_382, "{driver}");
        assert_eq!(trace.summary().threads.len(), 33, "{driver}");
        let outcome = replayed(&trace);
        assert!(outcome.is_identical(), "{driver}: {:#?}", outcome.divergences);
        // One more than the log's: the device is created before its first line.
        assert_eq!(outcome.calls, summary.calls + 1, "{driver}");
    }
}

#[test]
fn under_peer_the_log_is_played_as_it_was() {
    let (log, folder) = (log(), tempfile::tempdir().expect("a folder"));
    let (summary, _) = recorded(&log, "peer", &folder.path().join("log.taut"));
    assert_eq!(
        (summary.changes.resources_repacked, summary.changes.heaps_grown, summary.changes.flags_dropped),
        (0, 0, 0)
    );
    assert_eq!((summary.answers.different, summary.changes.infos.different), (0, 0), "{summary}");
}
