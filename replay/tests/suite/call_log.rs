//! Calls of a real allocator library: recorded under every driver model, and replayed.
#![allow(clippy::expect_used)]

use std::path::Path;
use taut_runtime::Profile;
use taut_testkit::{Recording, replayed, testdata};
use taut_traces::Trace;
use taut_workloads::call_log::{self, CallLog, RunSummary};

fn log() -> CallLog {
    let reading = call_log::read(&testdata("d3d12ma-tight.jsonl.gz")).expect("the log");
    assert!(reading.error.is_none(), "{:?}", reading.error);
    reading.log
}

fn recorded(log: &CallLog, driver: &str, file: &Path) -> (RunSummary, Trace) {
    Recording::under(driver).with_workload("d3d12ma-tight", Default::default()).record_call_log(log, file)
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
