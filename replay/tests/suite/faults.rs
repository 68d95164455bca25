//! Injected faults: each is reported at exactly its call, with the field that differs.
#![allow(clippy::expect_used)]

use std::sync::atomic::{AtomicU64, Ordering};
use taut_capture::Clock;
use taut_replay::{Divergence, Options, Outcome, ReplayWorld, Replayer};
use taut_runtime::{Profile, Settings};
use taut_schemas::{
    DdiAllocationInfo, Driver, DriverCall, DriverLayer, HResult, HResultCode, Layer, Opcode, d3d12_ddi,
};
use taut_testkit::recorded;
use taut_traces::Trace;

/// Fault of a driver.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    /// One answer to CheckResourceAllocationInfo is a page larger.
    Larger,
    /// One CreateHeapAndResource fails.
    Fails,
}

/// Recorded driver with one wrong answer.
struct Faulty {
    inner: Box<dyn Driver>,
    fault: Fault,
    /// Number of the DDI call of its kind that goes wrong.
    at: u64,
    seen: AtomicU64,
}

impl Faulty {
    fn is_now(&self, fault: Fault) -> bool {
        self.fault == fault && self.seen.fetch_add(1, Ordering::Relaxed) == self.at
    }
}

impl DriverLayer for Faulty {
    taut_schemas::changes!(d3d12_ddi);

    fn below(&self) -> &dyn Driver {
        &*self.inner
    }
}

impl d3d12_ddi::DeviceFuncsLayer for Faulty {
    fn check_resource_allocation_info(&self, call: &d3d12_ddi::CheckResourceAllocationInfo) -> DdiAllocationInfo {
        let mut info = call.dispatch(self.below());
        info.size_bytes += if self.is_now(Fault::Larger) { 4096 } else { 0 };
        info
    }

    fn create_heap_and_resource(&self, call: &d3d12_ddi::CreateHeapAndResource) -> HResult<DdiAllocationInfo> {
        if self.is_now(Fault::Fails) {
            return Err(HResultCode::E_OUTOFMEMORY);
        }
        call.dispatch(self.below())
    }
}

fn trace() -> Trace {
    let folder = tempfile::tempdir().expect("a folder");
    recorded("small-level", "reference", &[("threads", "1")], Clock::Logical, &folder.path().join("level.taut"))
}

fn replayed(trace: &Trace, fault: Fault, at: u64) -> Outcome {
    let profile = Profile::named("reference").expect("a bundled profile");
    let driver = Faulty { inner: taut_runtime::driver(&profile), fault, at, seen: AtomicU64::new(0) };
    let world = ReplayWorld::new(Settings::default(), Box::new(driver));
    let options = Options { keep_divergences: usize::MAX, ..Options::default() };
    Replayer::new(trace, options).run_on(world, None).expect("a replay")
}

/// Returns the recorded stop of the `at`-th DDI call of this name: its stamp, and the index of its API call.
fn recorded_stop(trace: &Trace, name: &str, at: u64) -> (u64, u64) {
    let schema = &trace.header().schema;
    let (mut seen, mut calls) = (0, 0);
    let mut rows = trace.rows();
    while let Some(row) = rows.next_row() {
        let event = schema.event(row.code).expect("an event");
        calls += u64::from(event.layer == Layer::Api && event.opcode == Opcode::Start);
        if event.name == name && event.opcode == Opcode::Stop {
            if seen == at {
                return (row.stamp, calls - 1);
            }
            seen += 1;
        }
    }
    panic!("the trace has no {name} number {at}");
}

#[test]
fn a_larger_answer_is_reported_at_its_call() {
    let trace = trace();
    for at in [0, 1, 57, 300] {
        let outcome = replayed(&trace, Fault::Larger, at);
        let (stamp, call_index) = recorded_stop(&trace, "CheckResourceAllocationInfo", at);
        let Divergence { event, field, recorded, live, .. } = &outcome.divergences[0];
        assert_eq!((event.as_str(), field.as_str()), ("CheckResourceAllocationInfo", "size_bytes"));
        assert_eq!((outcome.divergences[0].stamp, outcome.divergences[0].call_index), (stamp, call_index));
        assert_eq!(live.as_u64(), recorded.as_u64().map(|size| size + 4096));
    }
}

#[test]
fn a_failed_creation_is_reported_at_its_call_and_later_handles_are_lined_up() {
    let trace = trace();
    for at in [1, 40, 200] {
        let outcome = replayed(&trace, Fault::Fails, at);
        let (stamp, call_index) = recorded_stop(&trace, "CreateHeapAndResource", at);
        let first = &outcome.divergences[0];
        assert_eq!((first.event.as_str(), first.field.as_str()), ("CreateHeapAndResource", "hr"));
        assert_eq!((first.stamp, first.call_index), (stamp, call_index));
        assert_eq!((first.recorded.as_str(), first.live.as_str()), (Some("0x00000000"), Some("0x8007000e")));
        // Every later creation has another number than in the recording, which alone is not a difference.
        let numbers = outcome.divergences.iter().filter(|one| one.call_index > call_index && one.field == "resource");
        assert_eq!(numbers.count(), 0, "{:#?}", outcome.divergences);
    }
}

#[test]
fn the_next_command_points_at_the_divergence() {
    let trace = trace();
    let outcome = replayed(&trace, Fault::Larger, 3);
    let first = &outcome.divergences[0];
    let command = first.next_command("level.taut");
    assert_eq!(command, format!("taut dump level.taut --around {} --thread 0", first.stamp));
}
