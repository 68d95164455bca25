//! A session with two adapters, each with a driver of its own: devices on both, used at once, recorded and replayed.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use taut_capture::{Adapters, Clock, Session};
use taut_replay::{Options, ReplayWorld, Replayer, Tight};
use taut_runtime::{Profile, Settings};
use taut_schemas::{
    AdapterId, CommandListType, CommandQueueDesc, D3d11DeviceId, DeviceId, HResultCode, HeapDesc, HeapProperties,
    HeapType, KmtQueryAdapterInfoType, NtStatus, ObjectId, ResourceDesc, ResourceFlags, WaitStatus, d3d11, d3d12,
    d3dkmt, machine, win32,
};
use taut_traces::{Trace, Workload, World, WriteOptions};

const SECOND: AdapterId = AdapterId(2);

fn buffer(width: u64) -> ResourceDesc {
    ResourceDesc { flags: ResourceFlags::USE_TIGHT_ALIGNMENT, ..ResourceDesc::buffer(width) }
}

/// The reference driver, which knows tight alignment, and `legacy`, which does not.
fn session(file: &Path, clock: Clock) -> Session {
    session_with(["reference", "legacy"], file, clock)
}

fn session_with(drivers: [&str; 2], file: &Path, clock: Clock) -> Session {
    let [first, second] = drivers.map(|name| Profile::named(name).unwrap());
    let adapters = Adapters::from(&first).and(&second);
    let options = WriteOptions::default();
    Session::create(file, adapters, Settings::default(), Workload::default(), clock, options).unwrap()
}

/// Calls on one adapter's device: a heap, resources in it, and a command queue whose end is waited for.
fn use_device(session: &Session, device: DeviceId, flags: ResourceFlags) -> Vec<ObjectId> {
    let properties = HeapProperties { heap_type: HeapType::UPLOAD, ..HeapProperties::default() };
    let desc = HeapDesc { size_bytes: 1 << 20, properties, ..HeapDesc::default() };
    let heap = session.call(d3d12::CreateHeap { device, desc }).unwrap();
    let mut objects = vec![heap.into()];
    for index in 0..4 {
        let desc = ResourceDesc { flags, ..buffer(1000) };
        let heap_offset_bytes = index * 65536;
        let create = d3d12::CreatePlacedResource { device, heap, heap_offset_bytes, desc, ..Default::default() };
        objects.push(session.call(create).unwrap().into());
    }
    let desc = CommandQueueDesc { list_type: CommandListType::DIRECT, ..CommandQueueDesc::default() };
    let command_queue = session.call(d3d12::CreateCommandQueue { device, desc }).unwrap();
    let fence = session.call(d3d12::CreateFence { device, ..Default::default() }).unwrap();
    let event = session.call(win32::CreateEvent { manual_reset: true, initial_state: false }).unwrap();
    session.call(d3d12::SetEventOnCompletion { fence, value: 7, event }).unwrap();
    session.call(d3d12::CommandQueueSignal { command_queue, fence, value: 7 }).unwrap();
    assert_eq!(session.wait(event, u32::MAX), Ok(WaitStatus::OBJECT_0));
    session.call(win32::CloseHandle { event }).unwrap();
    objects.extend([ObjectId::from(command_queue), fence.into()]);
    objects
}

/// One thread for each adapter; gives the objects that each made.
fn record(file: &Path, clock: Clock) -> [Vec<ObjectId>; 2] {
    let session = session(file, clock);
    let create = |adapter| {
        let device = session.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, adapter });
        assert_eq!(device, Ok(DeviceId(adapter.0.max(1))));
        device.unwrap()
    };
    let (default, second) = (create(AdapterId::NULL), create(SECOND));
    let other = session.clone();
    let beside = std::thread::spawn(move || use_device(&other, second, ResourceFlags::NONE));
    let first = use_device(&session, default, ResourceFlags::USE_TIGHT_ALIGNMENT);
    let made = [first, beside.join().unwrap()];
    session.release_device(second).unwrap();
    session.release_device(default).unwrap();
    session.finish().unwrap();
    made
}

#[test]
fn two_adapters_are_used_at_once_and_replay() {
    let folder = tempfile::tempdir().unwrap();
    for (number, clock) in [Clock::Logical, Clock::best(), Clock::best()].into_iter().enumerate() {
        let file = folder.path().join(format!("{number}.taut"));
        let [first, second] = record(&file, clock);
        let of = |objects: &[ObjectId]| objects.iter().map(|object| object.0 >> 48).collect::<Vec<_>>();
        assert_eq!((of(&first), of(&second)), (vec![0; 7], vec![1; 7]));
        assert_eq!(first[0], ObjectId(1));
        let trace = Trace::open(&file).unwrap();
        assert_eq!(trace.header().world.drivers(), "reference+legacy");
        let outcome = Replayer::new(&trace, Options::default()).run().unwrap();
        assert!(outcome.is_identical(), "{:?}", outcome.divergences);
        assert_eq!(outcome.calls, trace_calls(&trace));
    }
}

/// The inputs that a trace has.
fn trace_calls(trace: &Trace) -> u64 {
    let mut rows = trace.rows();
    let mut calls = 0;
    while let Some(row) = rows.next_row() {
        let event = trace.header().schema.event(row.code).unwrap();
        calls += u64::from(event.layer.is_input() && event.opcode == taut_schemas::Opcode::Start);
    }
    calls
}

#[test]
fn each_adapter_answers_by_its_own_driver() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(&folder.path().join("a.taut"), Clock::Logical);
    let sizes = [AdapterId::FIRST, SECOND].map(|adapter| {
        let device = session.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, adapter }).unwrap();
        session.call(d3d12::GetResourceAllocationInfo { device, visible_mask: 0, descs: vec![buffer(1000)] }).size_bytes
    });
    // A driver without tight alignment refuses the flag.
    assert_eq!(sizes, [1024, u64::MAX]);
    let d3d11 = d3d11::D3D11CreateDevice { feature_level: 0xb000, adapter: SECOND };
    assert_eq!(session.call(d3d11), Ok(D3d11DeviceId(SECOND.numbers_from() + 1)));
}

#[test]
fn there_is_no_third_adapter() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(&folder.path().join("a.taut"), Clock::Logical);
    let third = AdapterId(3);
    let refused = Err(HResultCode::DXGI_ERROR_NOT_FOUND);
    let d3d12 = session.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, adapter: third });
    assert_eq!(d3d12, refused.map(|()| DeviceId::NULL));
    let d3d11 = session.call(d3d11::D3D11CreateDevice { feature_level: 0xb000, adapter: third });
    assert_eq!(d3d11, refused.map(|()| D3d11DeviceId::NULL));
    let device = DeviceId(3);
    let query = d3d12::GetResourceAllocationInfo { device, visible_mask: 0, descs: vec![buffer(1)] };
    assert_eq!(session.call(query).size_bytes, u64::MAX);
}

#[test]
fn what_if_each_adapter_had_another_driver() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.taut");
    record(&file, Clock::Logical);
    let trace = Trace::open(&file).unwrap();
    let mut world = trace.header().world.clone();
    world.adapters.reverse();
    let outcome = Replayer::new(&trace, Options::default()).what_if(&world, Tight::AsRecorded, None).unwrap();
    // The first adapter's four tight buffers find a driver that refuses the flag; the second's stay what they were.
    assert_eq!((outcome.creations, outcome.failed_creations), (14, 4));
    let outcome = Replayer::new(&trace, Options::default()).what_if(&world, Tight::On, None).unwrap();
    assert_eq!((outcome.flags_added, outcome.flags_dropped, outcome.failed_creations), (4, 4, 0));
}

#[test]
fn a_world_has_an_adapter_and_at_most_sixteen() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.taut");
    record(&file, Clock::Logical);
    let world = Trace::open(&file).unwrap().header().world.clone();
    for count in [0, AdapterId::MOST + 1, 1 << 16] {
        let adapters = std::iter::repeat_n(world.adapters[0].clone(), count).collect();
        let refused = ReplayWorld::recorded(&World { adapters, ..world.clone() }).err().unwrap();
        let expected = format!("the trace's world cannot be used: expected 1 to 16 adapters, found {count}");
        assert_eq!(refused.to_string(), expected);
    }
}

/// Two threads ask the graphics kernel while a third takes the second adapter out and puts it back.
#[test]
fn adapters_that_come_and_go_under_questions_replay() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kernel.taut");
    let session = session_with(["igpu-tier3", "dgpu"], &file, Clock::best());
    let query = |session: &Session, adapter| {
        let info_type = KmtQueryAdapterInfoType::CROSSADAPTERRESOURCE_SUPPORT;
        session.call(d3dkmt::D3DKMTQueryAdapterInfo { adapter, info_type, private_driver_data_size_bytes: 4 })
    };
    assert_eq!(session.call(machine::StartAdapter { adapter: AdapterId::FIRST }), NtStatus::SUCCESS);
    std::thread::scope(|threads| {
        for adapter in [AdapterId::FIRST, SECOND] {
            let session = session.clone();
            threads.spawn(move || {
                for _ in 0..200 {
                    let answer = query(&session, adapter);
                    let found = (answer.status, answer.private_driver_data.0.first().copied());
                    let tier = if adapter == AdapterId::FIRST { 3 } else { 1 };
                    let gone = adapter == SECOND && found == (NtStatus::INVALID_HANDLE, None);
                    assert!(gone || found == (NtStatus::SUCCESS, Some(tier)), "{adapter:?}: {found:?}");
                }
            });
        }
        for _ in 0..50 {
            assert_eq!(session.call(machine::StartAdapter { adapter: SECOND }), NtStatus::SUCCESS);
            assert_eq!(session.call(machine::StopAdapter { adapter: SECOND }), NtStatus::SUCCESS);
        }
    });
    session.finish().unwrap();
    let trace = Trace::open(&file).unwrap();
    let outcome = Replayer::new(&trace, Options::default()).run().unwrap();
    assert!(outcome.divergences.is_empty(), "{:#?}", outcome.divergences);
    assert!(outcome.calls >= 501);
}
