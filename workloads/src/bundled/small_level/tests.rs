use crate::bundled::memory_session::{Event, MemorySession};
use crate::bundled::{Parameters, WORKLOADS, WorkloadError, run};
use std::collections::BTreeMap;
use taut_capture::{Caller, Callers};
use taut_runtime::Execute;
use taut_schemas::{
    Call, Decoder, DeviceId, EventHandle, HResult, Mark, PhaseEdge, ResourceFlags, WaitStatus, d3d12, mark,
};

fn parameters(overrides: &[(&str, u64)]) -> Parameters {
    let overrides = overrides.iter().map(|(name, value)| ((*name).to_owned(), value.to_string())).collect();
    Parameters::new(WORKLOADS[0].parameters, overrides).unwrap()
}

fn events(driver: &str, overrides: &[(&str, u64)]) -> Vec<Event> {
    let session = MemorySession::with_driver(driver);
    run("small-level", &session, &parameters(overrides)).unwrap();
    session.events()
}

/// Returns the calls of each thread, without handles and stamps, which depend on the other threads.
fn by_thread(events: &[Event]) -> BTreeMap<u32, Vec<(&'static str, Vec<u8>)>> {
    let mut threads: BTreeMap<u32, Vec<_>> = BTreeMap::new();
    for event in events {
        let row = match event.name {
            d3d12::CreatePlacedResource::NAME => {
                let call = d3d12::CreatePlacedResource::decode(&mut Decoder::new(&event.row)).unwrap();
                format!("{:?} at {}", call.desc, call.heap_offset_bytes).into_bytes()
            }
            d3d12::SetName::NAME => d3d12::SetName::decode(&mut Decoder::new(&event.row)).unwrap().name.into_bytes(),
            _ => Vec::new(),
        };
        threads.entry(event.thread).or_default().push((event.name, row));
    }
    threads
}

#[test]
fn the_same_seed_makes_the_same_calls_and_another_seed_others() {
    let once = events("reference", &[("threads", 1)]);
    assert_eq!(once, events("reference", &[("threads", 1)]));
    assert_ne!(by_thread(&once), by_thread(&events("reference", &[("threads", 1), ("seed", 2)])));
}

#[test]
fn each_thread_makes_the_same_calls_whatever_the_others_do() {
    let once = by_thread(&events("reference", &[("threads", 5), ("frames", 40)]));
    assert_eq!(once.len(), 5);
    assert_eq!(once, by_thread(&events("reference", &[("threads", 5), ("frames", 40)])));
    assert_ne!(once[&1], once[&2]);
}

#[test]
fn a_level_has_thousands_of_calls_with_and_without_the_tight_flag() {
    let events = events("reference", &[]);
    assert!((2000..10_000).contains(&events.len()), "{}", events.len());
    let placed = events.iter().filter(|event| event.name == d3d12::CreatePlacedResource::NAME);
    let descs: Vec<_> =
        placed.map(|event| d3d12::CreatePlacedResource::decode(&mut Decoder::new(&event.row)).unwrap().desc).collect();
    let tight = descs.iter().filter(|desc| desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT)).count();
    assert!(tight * 2 > descs.len() && tight < descs.len(), "{tight} of {}", descs.len());
    assert!(descs.iter().any(|desc| desc.alignment_bytes == 4096));
    assert!(descs.iter().any(|desc| desc.sample_count == 4));
}

#[test]
fn without_tight_alignment_nothing_has_the_tight_flag() {
    let bytes = ResourceFlags::USE_TIGHT_ALIGNMENT;
    for event in events("legacy", &[]) {
        if event.name == d3d12::CreatePlacedResource::NAME {
            let call = d3d12::CreatePlacedResource::decode(&mut Decoder::new(&event.row)).unwrap();
            assert!(!call.desc.flags.contains(bytes));
        }
    }
}

#[test]
fn phases_hold_what_all_threads_do_in_them() {
    let mut events = events("reference", &[("threads", 3), ("frames", 10)]);
    let in_time = events.clone();
    // Threads run freely within a phase, but every phase ends in all threads before the next begins.
    events.sort_by_key(|event| (event.stamp, event.thread));
    for events in [in_time, events] {
        let mut phases = Vec::new();
        for event in &events {
            match event.mark::<mark::WorkloadPhase>() {
                Some(phase) => phases.push((phase.phase_index, phase.edge)),
                None => {
                    let (phase, edge) = phases.last().copied().unwrap();
                    assert_eq!(edge, PhaseEdge::BEGIN, "{event:?}");
                    let expected = match event.name {
                        "CreateDevice" | "CheckFeatureSupport" => 0,
                        "CreateCommittedResource" => 1,
                        "Map" | "Unmap" | "GetDesc" | "GetHeapDesc" => 2,
                        "ReleaseHeap" => 3,
                        _ => phase,
                    };
                    assert_eq!(phase, expected, "{event:?}");
                }
            }
        }
        assert_eq!(phases.len(), 8);
    }
}

#[test]
fn a_level_of_nothing_still_begins_and_ends() {
    let overrides = [("constants", 0), ("meshes", 0), ("textures", 0), ("frames", 3), ("threads", 2)];
    assert!(events("reference", &overrides).iter().all(|event| !event.failed()));
}

/// Session in which calls of one kind fail on one thread.
struct Failing(MemorySession);
struct FailingThread<'a>(<MemorySession as Callers>::Caller<'a>, u32);

impl Callers for Failing {
    type Caller<'a> = FailingThread<'a>;
    fn caller(&self, thread: u32) -> FailingThread<'_> {
        FailingThread(self.0.caller(thread), thread)
    }
}

impl Caller for FailingThread<'_> {
    fn call<C: Execute>(&mut self, call: C) -> C::Output {
        let mut row = Vec::new();
        call.encode(&mut taut_schemas::Encoder::new(&mut row));
        if self.1 == 2 && C::NAME == d3d12::CreateCommittedResource::NAME {
            // The runtime rejects an unknown heap type.
            row[8..12].copy_from_slice(&77_u32.to_le_bytes());
        }
        self.0.call(C::decode(&mut Decoder::new(&row)).unwrap())
    }
    fn wait(&mut self, event: EventHandle, timeout_ms: u32) -> HResult<WaitStatus> {
        self.0.wait(event, timeout_ms)
    }
    fn release_device(&mut self, device: DeviceId) -> HResult<()> {
        self.0.release_device(device)
    }
    fn mark<M: Mark>(&mut self, mark: M) {
        self.0.mark(mark);
    }
}

#[test]
fn a_failed_call_ends_the_workload_in_all_threads() {
    let session = Failing(MemorySession::with_driver("reference"));
    let error = run("small-level", &session, &parameters(&[("threads", 4)])).unwrap_err();
    assert!(matches!(error, WorkloadError::CallFailed { call: "CreateCommittedResource", .. }), "{error}");
}
