//! Schedules of threads that use Direct3D 11 contexts, while others create, extend and release them.

use super::memory_recorder::{Events, MemoryRecorder, assert_replays_of, session_of};
use super::runs;
use crate::SessionThread;
use crate::locks::counted::LOCKS_TAKEN;
use std::collections::BTreeMap;
use taut_runtime::{Execute, Profile};
use taut_schemas::{
    BindFlags, CpuAccessFlags, D3d11ContextId, D3d11DeviceAndContext, D3d11DeviceId, D3d11ResourceId, D3d11ViewId,
    HResult, MapFlags, MapType, ShaderStage, Texture2dDesc, Usage, d3d11, d3d12, format::Format,
};

type App = SessionThread<MemoryRecorder>;

/// Body of one thread.
type Part = Box<dyn FnOnce(&mut App) + Send>;

/// D3D_FEATURE_LEVEL_11_0.
const FEATURE_LEVEL: u32 = 0xb000;

fn create_device(app: &mut App) -> HResult<D3d11DeviceAndContext> {
    app.call(d3d11::D3D11CreateDevice { feature_level: FEATURE_LEVEL, ..Default::default() })
}

fn texture(app: &mut App, device: D3d11DeviceId, usage: Usage) -> HResult<D3d11ResourceId> {
    let staging = usage == Usage::STAGING;
    let desc = Texture2dDesc {
        width: 8,
        height: 8,
        mip_levels: 1,
        array_size: 1,
        format: Format::R8G8B8A8_UNORM,
        usage,
        bind_flags: if staging { BindFlags::NONE } else { BindFlags::SHADER_RESOURCE },
        cpu_access_flags: if staging { CpuAccessFlags::WRITE } else { CpuAccessFlags::NONE },
    };
    app.call(d3d11::CreateTexture2D { device, desc, initial_data: false })
}

/// Writes a texture through a staging texture and copies it; either may have been released.
fn upload(app: &mut App, context: D3d11ContextId, staging: D3d11ResourceId, target: D3d11ResourceId) {
    let map =
        d3d11::Map { context, resource: staging, subresource: 0, map_type: MapType::WRITE, map_flags: MapFlags::NONE };
    let _ = app.call(map);
    let _ = app.call(d3d11::Unmap { context, resource: staging, subresource: 0 });
    let _ = app.call(d3d11::CopyResource { context, destination: target, source: staging });
}

/// Runs three threads: one uses the immediate context, one initialises its device's extension and releases objects, and
/// one uses a context that may not exist yet while it is being created.
fn record(profile: &Profile) -> BTreeMap<u32, Events> {
    let (session, memory_recorder) = session_of(profile);
    let mut main = session.thread(0);
    let created = create_device(&mut main).expect("a device");
    let D3d11DeviceAndContext { device, immediate_context: context } = created;
    let target = texture(&mut main, device, Usage::DEFAULT).expect("a texture");
    let staging = texture(&mut main, device, Usage::STAGING).expect("a texture");
    let parts: [Part; 3] = [
        Box::new(move |app| {
            upload(app, context, staging, target);
            let _ = app.call(d3d11::AddRef { object: target.into() });
        }),
        Box::new(move |app| {
            let _ = app.call(d3d11::InitExtensions { device });
            let _ = app.call(d3d11::GpuWorkCompleted { device });
            let _ = app.call(d3d11::Release { object: target.into() });
            let next = create_device(app).expect("a device");
            assert_eq!(next.immediate_context.0, staging.0 + 2);
            let _ = app.call(d3d11::Release { object: next.device.into() });
        }),
        Box::new(move |app| {
            let guessed = D3d11ContextId(staging.0 + 2);
            upload(app, guessed, staging, target);
            let _ = app.call(d3d11::Release { object: staging.into() });
        }),
    ];
    let threads: Vec<_> = parts
        .into_iter()
        .zip(1..)
        .map(|(part, number)| {
            let (session, after) = (session.clone(), main.last_stamp());
            shuttle::thread::spawn(move || {
                let mut app = session.thread(number);
                app.observe(after);
                part(&mut app);
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().expect("a thread"));
    let _ = main.call(d3d11::Release { object: device.into() });
    drop(main);
    session.end().expect("a recording");
    memory_recorder.take()
}

fn every_schedule_replays(driver: &str) {
    let profile = Profile::named(driver).expect("a driver");
    assert_replays_of(&profile, &record(&profile));
}

#[test]
fn every_random_schedule_of_contexts_replays() {
    shuttle::check_random(|| every_schedule_replays("reference"), runs(400));
    shuttle::check_random(|| every_schedule_replays("instant-access"), runs(400));
}

#[test]
fn every_schedule_of_contexts_with_few_preemptions_replays() {
    shuttle::check_pct(|| every_schedule_replays("reference"), runs(200), 3);
    shuttle::check_pct(|| every_schedule_replays("instant-access"), runs(200), 3);
}

/// Runs three threads, each with a deferred context: they open handles of the same objects, which others release
/// meanwhile; one executes its command list while the others continue.
fn record_lists(profile: &Profile) -> BTreeMap<u32, Events> {
    let (session, memory_recorder) = session_of(profile);
    let mut main = session.thread(0);
    let created = create_device(&mut main).expect("a device");
    let D3d11DeviceAndContext { device, immediate_context: immediate } = created;
    let shared = [(); 2].map(|()| texture(&mut main, device, Usage::DEFAULT).expect("a texture"));
    let create = d3d11::CreateShaderResourceView { device, resource: shared[0], desc: None };
    let view = main.call(create).expect("a view");
    let threads: Vec<_> = (1..=3)
        .map(|number| {
            let (session, after) = (session.clone(), main.last_stamp());
            shuttle::thread::spawn(move || {
                let mut app = session.thread(number);
                app.observe(after);
                let context = app.call(d3d11::CreateDeferredContext { device, flags: 0 }).expect("a context");
                record_on(&mut app, context, shared, view);
                let last = number == 3;
                let finish = d3d11::FinishCommandList {
                    context,
                    restore_deferred_context_state: number == 2,
                    want_command_list: !last,
                };
                let list = app.call(finish).expect("a list");
                let _ = app.call(d3d11::Release { object: shared[number as usize % 2].into() });
                if number == 1 {
                    let execute = d3d11::ExecuteCommandList {
                        context: immediate,
                        command_list: list,
                        restore_context_state: true,
                    };
                    app.call(execute).expect("executed");
                    let _ = app.call(d3d11::Flush { context: immediate });
                }
                let _ = app.call(d3d11::Release { object: list.into() });
                let _ = app.call(d3d11::Release { object: context.into() });
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().expect("a thread"));
    let _ = main.call(d3d11::Release { object: view.into() });
    let _ = main.call(d3d11::Release { object: device.into() });
    drop(main);
    session.end().expect("a recording");
    memory_recorder.take()
}

/// Opens handles of objects that other threads use and may release at the same time.
fn record_on(app: &mut App, context: D3d11ContextId, shared: [D3d11ResourceId; 2], view: D3d11ViewId) {
    let _ = app.call(d3d11::CopyResource { context, destination: shared[0], source: shared[1] });
    let (stage, start_slot) = (ShaderStage::PIXEL, 0);
    let _ = app.call(d3d11::SetShaderResources { context, stage, start_slot, views: vec![view] });
    let _ = app.call(d3d11::Draw { context, vertex_count: 3, start_vertex_location: 0 });
}

fn every_schedule_of_lists_replays() {
    let profile = Profile::named("multi-size").expect("a driver");
    assert_replays_of(&profile, &record_lists(&profile));
}

#[test]
fn every_random_schedule_of_opening_handles_replays() {
    shuttle::check_random(every_schedule_of_lists_replays, runs(300));
}

#[test]
fn every_schedule_of_opening_handles_with_few_preemptions_replays() {
    shuttle::check_pct(every_schedule_of_lists_replays, runs(200), 3);
}

/// Returns the number of locks that a call takes.
fn locks_taken<C: Execute>(app: &mut App, call: C) -> u64 {
    let before = LOCKS_TAKEN.get();
    let _ = app.call(call);
    LOCKS_TAKEN.get() - before
}

/// Runs a single schedule: shuttle's locks work only inside one.
fn alone(run: impl Fn() + Send + Sync + 'static) {
    shuttle::check_random(run, 1);
}

#[test]
fn a_call_on_the_immediate_context_takes_its_lock_and_those_of_the_objects_it_names() {
    alone(|| {
        let (session, _) = session_of(&Profile::named("reference").expect("a driver"));
        let mut app = session.thread(0);
        let D3d11DeviceAndContext { device, immediate_context: context } = create_device(&mut app).expect("a device");
        let target = texture(&mut app, device, Usage::DEFAULT).expect("a texture");
        let staging = texture(&mut app, device, Usage::STAGING).expect("a texture");
        let copy = d3d11::CopyResource { context, destination: target, source: staging };
        assert_eq!(locks_taken(&mut app, copy), 3);
        let unmap = d3d11::Unmap { context, resource: staging, subresource: 0 };
        assert_eq!(locks_taken(&mut app, unmap), 2);
        assert_eq!(locks_taken(&mut app, d3d11::CreateBuffer { device, ..Default::default() }), 3);
    });
}

#[test]
fn a_context_whose_device_has_an_extension_in_use_takes_the_device_as_well() {
    alone(|| {
        let (session, _) = session_of(&Profile::named("instant-access").expect("a driver"));
        let mut app = session.thread(0);
        let D3d11DeviceAndContext { device, immediate_context: context } = create_device(&mut app).expect("a device");
        let staging = texture(&mut app, device, Usage::STAGING).expect("a texture");
        let unmap = d3d11::Unmap { context, resource: staging, subresource: 0 };
        assert_eq!(locks_taken(&mut app, unmap.clone()), 2);
        app.call(d3d11::InitExtensions { device }).expect("the extension");
        // The context is locked, released because the device precedes it, and locked again; so are the stripes of
        // resource and device.
        assert_eq!(locks_taken(&mut app, unmap), 5);
    });
}

#[test]
fn a_recording_call_that_opens_nothing_takes_the_lock_of_its_context_and_no_other() {
    alone(|| {
        let (session, _) = session_of(&Profile::named("multi-size").expect("a driver"));
        let mut app = session.thread(0);
        let device = create_device(&mut app).expect("a device").device;
        let [a, b] = [(); 2].map(|()| texture(&mut app, device, Usage::DEFAULT).expect("a texture"));
        let view = app.call(d3d11::CreateShaderResourceView { device, resource: a, desc: None }).expect("a view");
        let context = app.call(d3d11::CreateDeferredContext { device, flags: 0 }).expect("a context");
        let copy = d3d11::CopyResource { context, destination: a, source: b };
        let (stage, start_slot) = (ShaderStage::VERTEX, 0);
        let set = d3d11::SetShaderResources { context, stage, start_slot, views: vec![view] };
        assert_eq!(locks_taken(&mut app, copy.clone()), 3, "it opens two");
        assert_eq!(locks_taken(&mut app, set.clone()), 2, "it opens one, whose resource is open");
        for _ in 0..2 {
            assert_eq!(locks_taken(&mut app, copy.clone()), 1);
            assert_eq!(locks_taken(&mut app, set.clone()), 1);
            let draw = d3d11::Draw { context, vertex_count: 3, start_vertex_location: 0 };
            assert_eq!(locks_taken(&mut app, draw), 1);
        }
        assert_eq!(locks_taken(&mut app, d3d11::ClearState { context }), 1);
        let finish =
            d3d11::FinishCommandList { context, restore_deferred_context_state: false, want_command_list: true };
        // Device, context, and the stripes of the context's handle and of the new list: no stripe of the recorded
        // objects.
        assert_eq!(locks_taken(&mut app, finish), 4);
        assert_eq!(locks_taken(&mut app, set), 2, "it is opened again");
    });
}

/// Rule H-82: a call that the runtime only stores takes no lock of the device; a call that reaches the driver does.
#[test]
fn h82_a_driver_that_is_not_free_threaded_is_called_under_the_devices_lock() {
    alone(|| {
        let (session, _) = session_of(&Profile::named("d3d10umd-like").expect("a driver"));
        let mut app = session.thread(0);
        let D3d11DeviceAndContext { device, immediate_context } = create_device(&mut app).expect("a device");
        let context = app.call(d3d11::CreateDeferredContext { device, flags: 0 }).expect("a context");
        let draw = |context| d3d11::Draw { context, vertex_count: 3, start_vertex_location: 0 };
        assert_eq!(locks_taken(&mut app, draw(context)), 1);
        // The context is locked, released because the device precedes it, and locked again.
        assert_eq!(locks_taken(&mut app, draw(immediate_context)), 3);
    });
}

#[test]
fn calls_of_direct3d_12_take_no_lock_more() {
    alone(|| {
        let (session, _) = session_of(&Profile::named("reference").expect("a driver"));
        let mut app = session.thread(0);
        assert_eq!(locks_taken(&mut app, d3d12::CreateDevice::default()), 2, "device and display");
        assert_eq!(locks_taken(&mut app, d3d12::CreateHeap::default()), 2);
        assert_eq!(locks_taken(&mut app, d3d12::SetName::default()), 0);
    });
}
