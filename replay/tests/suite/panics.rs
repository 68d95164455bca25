//! Panics of a driver in a call, in a task's work or in GPU work: they are recorded, the device is removed, other
//! threads continue, and a replay panics at the same point or reports that it does not.
#![allow(clippy::expect_used, clippy::unwrap_used)]

use crate::recording;
use recording::record::Record;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use taut_capture::{Adapters, Clock, Session};
use taut_replay::{Options, Outcome, ReplayWorld, Replayer};
use taut_runtime::{Faults, MachineProfile, Profile, Settings};
use taut_schemas::format::Format;
use taut_schemas::{
    AdapterId, Call, CommandListType, CommandQueueDesc, DeviceId, DisplayMode, Driver, DriverLayer, HResultCode,
    HeapDesc, HeapProperties, HeapType, SwapChainDesc, SwapEffect, d3d11, d3d12, d3d12_ddi, dxgi, machine, mark,
};
use taut_testkit::{Recording, assert_replays, replayed, short};
use taut_traces::Trace;
use taut_workloads::{self as workloads, Parameters, WORKLOADS, WorkloadError};

const DEVICE: DeviceId = DeviceId(1);

fn faulty(driver: &str, faults: Faults) -> Profile {
    Profile { faults, ..Profile::named(driver).expect("a bundled profile") }
}

fn panics_in(function: &str, at_call: Option<u64>) -> Faults {
    Faults { panics_in: Some(function.to_owned()), panics_at_call: at_call, ..Faults::default() }
}

/// Replays on the recorded world with another driver.
fn replayed_on(trace: &Trace, profile: &Profile) -> Outcome {
    let world = ReplayWorld::new(Settings::default(), taut_runtime::driver(profile));
    Replayer::new(trace, Options::default()).run_on(world, None).expect("a replay")
}

fn session(file: &Path, profile: &Profile, clock: Clock) -> Session {
    Recording::new(profile).with_clock(clock).session(file)
}

fn marks(records: &[Record]) -> Vec<mark::CallPanicked> {
    records.iter().filter_map(Record::mark).collect()
}

fn heap() -> d3d12::CreateHeap {
    let properties = HeapProperties { heap_type: HeapType::UPLOAD, ..Default::default() };
    d3d12::CreateHeap { device: DEVICE, desc: HeapDesc { size_bytes: 1 << 20, properties, ..Default::default() } }
}

#[test]
fn a_panic_under_locks_takes_the_device_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    for clock in [Clock::best(), Clock::Logical] {
        let file = folder.path().join("panic.taut");
        let profile = faulty("reference", panics_in("CreateHeapAndResource", Some(40)));
        let session = session(&file, &profile, clock);
        session.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() }).unwrap();
        // Each of four threads creates heaps; the driver panics in one of them, and the thread continues like the
        // others.
        let panics: usize = std::thread::scope(|scope| {
            let session = &session;
            let threads = [(); 4].map(|()| {
                scope.spawn(move || {
                    let call = || session.call(heap());
                    (0..30).filter(|_| catch_unwind(AssertUnwindSafe(call)).is_err()).count()
                })
            });
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(panics, 1, "the panic reaches who made the call");
        assert_eq!(session.call(heap()), Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED));
        let reason = session.call(d3d12::GetDeviceRemovedReason { device: DEVICE });
        assert_eq!(reason, Err(HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR));
        session.release_device(DEVICE).unwrap();
        session.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() }).unwrap();
        session.call(heap()).expect("the adapter has another device");
        session.finish().unwrap();

        let trace = Trace::open(&file).unwrap();
        let records = Record::all(&trace);
        let words = "the driver panics at its call 40".to_owned();
        assert_eq!(marks(&records), [mark::CallPanicked { message: words }]);
        // 39 heaps were created before the panic, by all threads together; later ones come after it.
        let panicked = records.iter().position(|record| record.mark::<mark::CallPanicked>().is_some()).unwrap();
        let created = |records: &[Record]| {
            records
                .iter()
                .filter(|record| record.ended::<d3d12::CreateHeap>().is_some_and(|created| created.is_ok()))
                .count()
        };
        assert_eq!(created(&records[..panicked]), 39, "{clock:?}");
        // The device is removed after the panicking call has released its locks: calls of other threads may come between,
        // and the second device creates one more heap.
        assert!(created(&records) >= 40, "{clock:?}");
        assert_replays(&trace, "panics");
    }
}

#[test]
fn a_panic_on_one_side_alone_is_a_divergence_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let sound = Profile::named("reference").unwrap();
    let panicking = faulty("reference", panics_in("CreateHeapAndResource", Some(2)));
    for (recorded, live) in [(&panicking, &sound), (&sound, &panicking)] {
        let file = folder.path().join("panic.taut");
        let session = session(&file, recorded, Clock::best());
        session.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() }).unwrap();
        for _ in 0..4 {
            let _ = catch_unwind(AssertUnwindSafe(|| session.call(heap())));
        }
        session.finish().unwrap();
        let trace = Trace::open(&file).unwrap();
        assert_replays(&trace, "panics");
        let outcome = replayed_on(&trace, live);
        let named = |value: &serde_json::Value| value == "CallPanicked";
        let found = outcome.divergences.iter().find(|found| named(&found.recorded) || named(&found.live));
        let found = found.unwrap_or_else(|| panic!("{:#?}", outcome.divergences));
        assert_eq!((found.call.as_str(), found.field.as_str()), ("CreateHeap", "event"));
        assert_eq!(named(&found.recorded), std::ptr::eq(recorded, &panicking), "{found:#?}");
    }
}

#[test]
fn a_panic_with_other_words_differs_by_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("panic.taut");
    let session = session(&file, &faulty("reference", panics_in("CreateHeapAndResource", None)), Clock::best());
    session.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() }).unwrap();
    let _ = catch_unwind(AssertUnwindSafe(|| session.call(heap())));
    session.finish().unwrap();
    let other = OtherMessage(taut_runtime::driver(&Profile::named("reference").unwrap()));
    let trace = Trace::open(&file).unwrap();
    let world = ReplayWorld::new(Settings::default(), Box::new(other));
    let outcome = Replayer::new(&trace, Options::default()).run_on(world, None).unwrap();
    let [found] = &outcome.divergences[..] else { panic!("{:#?}", outcome.divergences) };
    assert_eq!(
        (found.event.as_str(), found.field.as_str(), &found.live),
        ("CallPanicked", "message", &"out of luck".into())
    );
}

/// Driver that panics like the faulty one, with another message.
struct OtherMessage(Box<dyn Driver>);

impl DriverLayer for OtherMessage {
    taut_schemas::changes!(d3d12_ddi);

    fn below(&self) -> &dyn Driver {
        &*self.0
    }

    fn forwards(&self, line: u16) {
        assert!(line != d3d12_ddi::CreateHeapAndResource::ID, "out of luck");
    }
}

impl d3d12_ddi::DeviceFuncsLayer for OtherMessage {}

/// Records a workload under a driver; it may end with an error.
fn played(workload: &str, profile: &Profile, file: &Path) -> (Result<(), WorkloadError>, Trace) {
    let known = WORKLOADS.iter().find(|known| known.name == workload).expect("a bundled workload");
    let overrides = short(workload).iter().map(|(key, value)| ((*key).into(), (*value).into()));
    let parameters = Parameters::new(known.parameters, overrides.collect::<BTreeMap<_, _>>()).expect("parameters");
    let session = session(file, profile, Clock::best());
    let ran = workloads::run(known.name, &session, &parameters);
    session.finish().expect("a trace");
    (ran, Trace::open(file).expect("a trace"))
}

#[test]
fn functions_of_every_table_may_panic() {
    let folder = tempfile::tempdir().unwrap();
    for (workload, driver, function, at_call) in [
        ("streaming-world", "reference", "CheckResourceAllocationInfo", Some(7)),
        ("streaming-world", "reference", "DestroyHeapAndResource", Some(3)),
        ("game-session", "reference", "ExecuteCommandLists", Some(5)),
        ("game-session", "reference", "CollectMeasurements", Some(4)),
        ("game-session", "reference", "ProcessBackgroundWork", Some(1)),
        ("deferred-contexts", "d3d10umd-like", "Draw", None),
        ("context-churn", "d3d11on12-like", "CreateDeferredContext", None),
    ] {
        let profile = faulty(driver, panics_in(function, at_call));
        let (ran, trace) = played(workload, &profile, &folder.path().join("panic.taut"));
        let what = format!("{workload}, {function}");
        let records = Record::all(&trace);
        assert!(!marks(&records).is_empty(), "{what}: {ran:?}");
        let removed = records.iter().filter_map(Record::ended::<machine::RemovePanickedDevice>).count();
        assert_eq!(removed, marks(&records).len(), "{what}");
        let outcome = replayed(&trace);
        assert!(outcome.is_identical() && outcome.unfinished_calls == 0, "{what}: {:#?}", outcome.divergences);
        // A panic in the application's own calls ends the workload with that message.
        let of_machine = ["CollectMeasurements", "ProcessBackgroundWork"].contains(&function);
        assert!(
            of_machine || matches!(&ran, Err(WorkloadError::Panicked(why)) if why.contains("panics")),
            "{what}: {ran:?}"
        );
    }
}

#[test]
fn work_that_panics_is_the_end_of_its_device_and_not_of_its_thread() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("work.taut");
    let sound = Profile::named("reference").unwrap();
    for faults in
        [Faults { panics_in_tasks: true, ..Faults::default() }, Faults { panics_in_draws: true, ..Faults::default() }]
    {
        let profile = faulty("reference", faults.clone());
        // A thread that waits for an event that never comes learns that the device was removed.
        let (_, trace) = played("game-session", &profile, &file);
        let records = Record::all(&trace);
        assert!(marks(&records).is_empty(), "no call panicked");
        let reasons = if faults.panics_in_tasks {
            records.iter().filter_map(Record::begun::<machine::FailBackgroundWork>).map(|call| call.reason).collect()
        } else {
            records.iter().filter_map(Record::begun::<machine::FailQueueOperation>).map(|call| call.reason).collect()
        };
        let reasons: Vec<String> = reasons;
        assert!(reasons.first().is_some_and(|reason| reason.contains("panic")), "{reasons:?}");
        assert_replays(&trace, "panics");
        let found = replayed_on(&trace, &sound).divergences;
        let failed = found.iter().find(|found| found.field == "reason").unwrap_or_else(|| panic!("{found:#?}"));
        assert_eq!((failed.recorded.as_str(), &failed.live), (Some(reasons[0].as_str()), &serde_json::Value::Null));
    }
}

#[test]
fn a_device_of_direct3d_11_is_lost_to_the_context_whose_call_panicked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("panic.taut");
    let session = session(&file, &faulty("d3d10umd-like", panics_in("Draw", None)), Clock::best());
    let created = session.call(d3d11::D3D11CreateDevice { feature_level: 0xb000, ..Default::default() }).unwrap();
    let context = created.immediate_context;
    let draw = || session.call(d3d11::Draw { context, vertex_count: 3, ..Default::default() });
    assert!(catch_unwind(AssertUnwindSafe(draw)).is_err());
    // Nothing is drawn any more, so nothing panics.
    let _ = draw();
    let reason = session.call(d3d11::GetDeviceRemovedReason { device: created.device });
    assert_eq!(reason, Err(HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR));
    session.finish().unwrap();
    assert_replays(&Trace::open(&file).unwrap(), "panics");
}

#[test]
fn the_faults_of_a_profile_are_validated() {
    let text = |faults: &str| format!("name = \"x\"\nddi_version = \"0111\"\n[faults]\n{faults}\n");
    let parse = |faults: &str| Profile::parse(&text(faults), "x.toml").map_err(|error| error.to_string());
    assert_eq!(parse("panics_in = \"GetCaps\"\npanics_at_call = 2").unwrap().faults.panics_at_call, Some(2));
    for (faults, expected) in [
        ("panics_in = \"GetCap\"", "faults.panics_in"),
        ("panics_in = \"QueueProcessingWork\"", "faults.panics_in"),
        ("panics_at_call = 2", "faults.panics_at_call"),
        ("panics_in = \"GetCaps\"\npanics_at_call = 0", "faults.panics_at_call"),
        ("panics_in = \"Draw\"\npanics_at_call = 1", "faults.panics_at_call"),
        ("panics_in_tasks = true", "faults.panics_in_tasks"),
    ] {
        let error = parse(faults).unwrap_err();
        assert!(error.contains(expected), "{faults}: {error}");
    }
}

#[test]
fn a_panic_in_the_destruction_of_a_swap_chain_drops_its_references() {
    let folder = tempfile::tempdir().unwrap();
    let adapter = AdapterId(2);
    for (place, faults) in [Faults::default(), panics_in("DestroyResource", None)].into_iter().enumerate() {
        let file = folder.path().join(format!("chain-{place}.taut"));
        let adapters = Adapters::from(&faulty("igpu-tier3", faults)).and(&Profile::named("dgpu").unwrap());
        let session = Recording::new(adapters).with_clock(Clock::best()).session(&file);
        let machine = MachineProfile::named("hybrid-laptop").unwrap();
        session.call(machine.description());
        for (number, adapter) in AdapterId::first(2).zip(&machine.adapters) {
            session.call(machine::DescribeAdapter { adapter: number, parts: machine.parts(adapter) });
            session.call(machine::StartAdapter { adapter: number });
        }
        let mode = DisplayMode { width: 1920, height: 1080, refresh_millihertz: 60_000, ..DisplayMode::default() };
        session.call(machine::ConnectDisplay { adapter: AdapterId::FIRST, mode });
        let create = d3d12::CreateDevice { minimum_feature_level: 0xb000, adapter };
        let device = session.call(create).unwrap();
        let desc = CommandQueueDesc { list_type: CommandListType::DIRECT, ..CommandQueueDesc::default() };
        let command_queue = session.call(d3d12::CreateCommandQueue { device, desc }).unwrap();
        let desc = SwapChainDesc {
            width: 1920,
            height: 1080,
            format: Format::B8G8R8A8_UNORM,
            buffer_count: 2,
            swap_effect: SwapEffect::FLIP_DISCARD,
            ..SwapChainDesc::default()
        };
        let create = dxgi::CreateSwapChainForHwnd { command_queue, desc, display: 0, covers: true };
        let swap_chain = session.call(create).unwrap();
        // The chain has the last reference to the queue.
        session.call(d3d12::ReleaseCommandQueue { command_queue }).unwrap();
        let released = catch_unwind(AssertUnwindSafe(|| session.call(dxgi::ReleaseSwapChain { swap_chain })));
        assert_eq!(released.is_err(), place == 1);
        session.release_device(device).unwrap();
        session.finish().unwrap();
        let trace = Trace::open(&file).unwrap();
        let records = Record::all(&trace);
        assert_eq!(marks(&records).len(), place, "one panic of the faulty driver");
        let drops = records.iter().filter_map(Record::ended::<d3d12::ReleaseCommandQueue>).count();
        assert_eq!(drops, 2, "the application's release and DXGI's");
        assert_replays(&trace, "panics");
    }
}
