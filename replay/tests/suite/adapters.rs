//! Session with two adapters, each with its own driver: devices on both, used concurrently, recorded and replayed.
#![allow(clippy::expect_used, clippy::unwrap_used)]

use crate::recording;
use recording::record::Record;
use std::path::Path;
use taut_capture::{Adapters, Clock, Session};
use taut_replay::{Options, ReplayWorld, Replayer, Tight};
use taut_runtime::{Profile, Settings};
use taut_schemas::{
    AdapterId, BackgroundProcessingMode, Bytes, CommandListType, CommandQueueDesc, D3d11DeviceId, DeviceId,
    EventHandle, HResultCode, HeapDesc, HeapProperties, HeapType, KmtQueryAdapterInfoType, MeasurementsAction,
    NtStatus, ObjectId, ResourceDesc, ResourceFlags, ThreadRole, WaitStatus, d3d11, d3d12, d3d12_callbacks, d3dkmt,
    machine, win32,
};
use taut_shaders::BUNDLED;
use taut_testkit::{Recording, replayed};
use taut_traces::{Trace, World};

const SECOND: AdapterId = AdapterId(2);

fn buffer(width: u64) -> ResourceDesc {
    ResourceDesc { flags: ResourceFlags::USE_TIGHT_ALIGNMENT, ..ResourceDesc::buffer(width) }
}

/// Creates a session with the reference driver, which supports tight alignment, and `legacy`, which does not.
fn session(file: &Path, clock: Clock) -> Session {
    session_with(["reference", "legacy"], file, clock)
}

fn session_with(drivers: [&str; 2], file: &Path, clock: Clock) -> Session {
    let [first, second] = drivers.map(|name| Profile::named(name).unwrap());
    let adapters = Adapters::from(&first).and(&second);
    Recording::new(adapters).with_clock(clock).session(file)
}

/// Makes calls on one adapter's device: a heap, resources in it, and a command queue whose completion is awaited.
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

/// Records one thread for each adapter; returns the objects of each.
fn record(file: &Path, clock: Clock) -> [Vec<ObjectId>; 2] {
    let session = session(file, clock);
    let create = |adapter| {
        let device = session.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, adapter });
        assert_eq!(device, Ok(DeviceId(adapter.0.max(1))));
        device.unwrap()
    };
    let (default, second) = (create(AdapterId::NULL), create(SECOND));
    let other = session.clone();
    let second_thread = std::thread::spawn(move || use_device(&other, second, ResourceFlags::NONE));
    let first = use_device(&session, default, ResourceFlags::USE_TIGHT_ALIGNMENT);
    let created = [first, second_thread.join().unwrap()];
    session.release_device(second).unwrap();
    session.release_device(default).unwrap();
    session.finish().unwrap();
    created
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
        let outcome = replayed(&trace);
        assert!(outcome.is_identical(), "{:?}", outcome.divergences);
        assert_eq!(outcome.calls, trace_calls(&trace));
    }
}

/// Returns the number of inputs in a trace.
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
    // A driver without tight alignment rejects the flag.
    assert_eq!(sizes, [1024, u64::MAX]);
    let d3d11 = d3d11::D3D11CreateDevice { feature_level: 0xb000, adapter: SECOND, ..Default::default() };
    assert_eq!(session.call(d3d11).unwrap().device, D3d11DeviceId(SECOND.numbers_from() + 1));
}

#[test]
fn a_third_adapter_does_not_exist() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(&folder.path().join("a.taut"), Clock::Logical);
    let third = AdapterId(3);
    let refused = Err(HResultCode::DXGI_ERROR_NOT_FOUND);
    let d3d12 = session.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, adapter: third });
    assert_eq!(d3d12, refused.map(|()| DeviceId::NULL));
    let d3d11 = session.call(d3d11::D3D11CreateDevice { feature_level: 0xb000, adapter: third, ..Default::default() });
    assert_eq!(d3d11.map(drop), refused);
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
    // The first adapter's four tight buffers now have a driver that rejects the flag; the second's are unchanged.
    assert_eq!((outcome.creations, outcome.failed_creations), (14, 4));
    let outcome = Replayer::new(&trace, Options::default()).what_if(&world, Tight::On, None).unwrap();
    assert_eq!((outcome.flags_added, outcome.flags_dropped, outcome.failed_creations), (4, 4, 0));
}

#[test]
fn a_world_has_one_to_sixteen_adapters() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.taut");
    record(&file, Clock::Logical);
    let world = Trace::open(&file).unwrap().header().world.clone();
    for count in [0, AdapterId::MAX + 1, 1 << 16] {
        let adapters = std::iter::repeat_n(world.adapters[0].clone(), count).collect();
        let refused = ReplayWorld::recorded(&World { adapters, ..world.clone() }).err().unwrap();
        let expected = format!("the trace's world cannot be used: expected 1 to 16 adapters, found {count}");
        assert_eq!(refused.to_string(), expected);
    }
}

/// Tests two threads that query the graphics kernel while a third removes and adds the second adapter.
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
    let outcome = replayed(&trace);
    assert!(outcome.divergences.is_empty(), "{:#?}", outcome.divergences);
    assert!(outcome.calls >= 501);
}

/// Sets a mode, draws with every bundled shader on an adapter's device, and commits the results with high priority;
/// returns the event of the commit.
fn specialise(session: &Session, device: DeviceId, mode: BackgroundProcessingMode) -> EventHandle {
    let set = |mode, measurements_action, event| {
        let set = d3d12::SetBackgroundProcessingMode { device, mode, measurements_action, event, want_further: true };
        session.call(set).unwrap();
    };
    set(mode, MeasurementsAction::KEEP_ALL, EventHandle::NULL);
    let list_type = CommandListType::DIRECT;
    let desc = CommandQueueDesc { list_type, ..CommandQueueDesc::default() };
    let command_queue = session.call(d3d12::CreateCommandQueue { device, desc }).unwrap();
    let command_allocator = session.call(d3d12::CreateCommandAllocator { device, list_type }).unwrap();
    let create = d3d12::CreateCommandList { device, list_type, command_allocator, ..Default::default() };
    let command_list = session.call(create).unwrap();
    for bundled in BUNDLED {
        let material = bundled.material().unwrap();
        let shader = Bytes(serde_json::to_vec(material.shader.function()).unwrap());
        let pipeline_state = session.call(d3d12::CreateGraphicsPipelineState { device, shader }).unwrap();
        session.call(d3d12::SetPipelineState { command_list, pipeline_state }).unwrap();
        let src_data = material.constants(0).iter().map(|word| word.0).collect();
        let constants = d3d12::SetGraphicsRoot32BitConstants { command_list, src_data, ..Default::default() };
        session.call(constants).unwrap();
        let (vertex_count_per_instance, instance_count) = (4, 1);
        let draw =
            d3d12::DrawInstanced { command_list, vertex_count_per_instance, instance_count, ..Default::default() };
        session.call(draw).unwrap();
    }
    session.call(d3d12::CloseCommandList { command_list }).unwrap();
    session.call(d3d12::ExecuteCommandLists { command_queue, command_lists: vec![command_list] }).unwrap();
    let fence = session.call(d3d12::CreateFence { device, ..Default::default() }).unwrap();
    let events = [0, 1].map(|_| session.call(win32::CreateEvent { manual_reset: true, initial_state: false }).unwrap());
    let [drawn, committed] = events;
    session.call(d3d12::SetEventOnCompletion { fence, value: 1, event: drawn }).unwrap();
    session.call(d3d12::CommandQueueSignal { command_queue, fence, value: 1 }).unwrap();
    assert_eq!(session.wait(drawn, u32::MAX), Ok(WaitStatus::OBJECT_0));
    set(mode, MeasurementsAction::COMMIT_RESULTS_HIGH_PRIORITY, committed);
    committed
}

/// Tests that modes belong to each device, but workers are shared: no more of them are busy than one device may have.
#[test]
fn two_devices_have_modes_of_their_own_and_workers_together() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("workers.taut");
    let mut profile = Profile::named("reference").unwrap();
    let background = profile.background.as_mut().unwrap();
    (background.n_min, background.window_executions, background.stable_windows) = (1, 1, 1);
    (background.sampling_interval, background.first_tier_cost) = (1, 0);
    let adapters = Adapters::from(&profile).and(&profile);
    let settings =
        Settings { developer_mode: true, max_background_tasks: 1, max_boosted_tasks: 2, ..Settings::default() };
    let session = Recording::new(adapters).with_settings(settings).session(&file);
    let devices = [AdapterId::FIRST, SECOND]
        .map(|adapter| session.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, adapter }).unwrap());
    let [off, on] = [BackgroundProcessingMode::DISABLE_BACKGROUND_WORK, BackgroundProcessingMode::ALLOWED];
    let other = session.clone();
    let second_thread = std::thread::spawn(move || specialise(&other, devices[1], on));
    for event in [specialise(&session, devices[0], off), second_thread.join().unwrap()] {
        assert_eq!(session.wait(event, u32::MAX), Ok(WaitStatus::OBJECT_0));
    }
    for device in devices {
        session.release_device(device).unwrap();
    }
    session.finish().unwrap();
    let trace = Trace::open(&file).unwrap();
    let outcome = replayed(&trace);
    assert!(outcome.is_identical(), "{:#?}", outcome.divergences);
    // Measurements while work is disabled are queued only by the commit; on the other device at once.
    let mut by_measurements = [0, 0];
    let (mut at_work, mut max_busy, mut tasks) = (0_i32, 0, [0, 0]);
    for record in Record::all(&trace) {
        let role = ThreadRole::from_thread(record.thread);
        if let (Some(_), ThreadRole::GraphicsProcessor(adapter)) =
            (record.begun::<d3d12_callbacks::QueueProcessingWork>(), role)
        {
            by_measurements[adapter.index()] += 1;
        }
        if let (Some(Ok(_)), ThreadRole::Worker(adapter, _)) = (record.ended::<machine::StartBackgroundWork>(), role) {
            at_work += 1;
            max_busy = max_busy.max(at_work);
            tasks[adapter.index()] += 1;
        }
        at_work -= i32::from(record.begun::<machine::FinishBackgroundWork>().is_some());
    }
    assert!(by_measurements[0] == 0 && by_measurements[1] > 0, "{by_measurements:?}");
    assert!(tasks.iter().all(|tasks| *tasks > 4), "{tasks:?}");
    assert!(max_busy <= 2, "{max_busy} of {tasks:?} tasks at once");
}
