//! Schedules of background tasks, a GPU thread, and two application threads that change modes.

use super::memory_recorder::{Events, MemoryRecorder, assert_replays, session};
use super::runs;
use crate::SessionThread;
use shuttle::scheduler::{PctScheduler, RandomScheduler, Scheduler};
use shuttle::{Config, MaxSteps, Runner};
use std::collections::BTreeMap;
use taut_schemas::{
    BackgroundProcessingMode as Mode, Bytes, Call, CommandListType, CommandQueueDesc, DeviceId, EventCode, EventHandle,
    MeasurementsAction as Action, Opcode, PipelineStateId, WaitStatus, d3d12, machine, mark, win32,
};
use taut_shaders::Bundled;

const DEVICE: DeviceId = DeviceId(1);

fn set(app: &mut SessionThread<MemoryRecorder>, mode: Mode, measurements_action: Action, event: EventHandle) {
    let set =
        d3d12::SetBackgroundProcessingMode { device: DEVICE, mode, measurements_action, event, want_further: true };
    // Fails if the device has been released.
    let _ = app.call(set);
}

fn pipeline(app: &mut SessionThread<MemoryRecorder>, name: &str) -> PipelineStateId {
    let material = Bundled::named(name).expect("a shader").material().expect("a material");
    let shader = Bytes(serde_json::to_vec(material.shader.function()).expect("a shader as JSON"));
    app.call(d3d12::CreateGraphicsPipelineState { device: DEVICE, shader }).expect("a pipeline state")
}

/// Draws with each pipeline state once, submits the draws, and waits for their completion.
fn draw(app: &mut SessionThread<MemoryRecorder>, pipelines: &[PipelineStateId], done: EventHandle) {
    let (device, list_type) = (DEVICE, CommandListType::DIRECT);
    let desc = CommandQueueDesc { list_type, ..CommandQueueDesc::default() };
    let command_queue = app.call(d3d12::CreateCommandQueue { device, desc }).expect("a queue");
    let command_allocator = app.call(d3d12::CreateCommandAllocator { device, list_type }).expect("an allocator");
    let create = d3d12::CreateCommandList { device, list_type, command_allocator, ..Default::default() };
    let command_list = app.call(create).expect("a list");
    for pipeline_state in pipelines {
        app.call(d3d12::SetPipelineState { command_list, pipeline_state: *pipeline_state }).expect("set");
        let lanes = d3d12::DrawInstanced {
            command_list,
            vertex_count_per_instance: 2,
            instance_count: 1,
            ..Default::default()
        };
        app.call(lanes).expect("a draw");
    }
    app.call(d3d12::CloseCommandList { command_list }).expect("closed");
    app.call(d3d12::ExecuteCommandLists { command_queue, command_lists: vec![command_list] }).expect("executed");
    let fence = app.call(d3d12::CreateFence { device, ..Default::default() }).expect("a fence");
    app.call(d3d12::CommandQueueSignal { command_queue, fence, value: 1 }).expect("a signal");
    app.call(d3d12::SetEventOnCompletion { fence, value: 1, event: done }).expect("an event");
    assert_eq!(app.wait(done, u32::MAX), Ok(WaitStatus::OBJECT_0));
}

/// Runs two application threads, two workers and a GPU thread, and returns the events of each.
fn record() -> BTreeMap<u32, Events> {
    let (session, memory_recorder) = session();
    let mut main = session.thread(0);
    main.call(d3d12::CreateDevice::default()).expect("the device");
    let pipelines = ["particle-step", "exposure-resolve"].map(|name| pipeline(&mut main, name));
    let event = win32::CreateEvent { manual_reset: false, initial_state: false };
    let [drawn, committed] = [0, 1].map(|_| main.call(event.clone()).expect("an event"));
    let (other, after) = (session.clone(), main.last_stamp());
    let meddler = shuttle::thread::spawn(move || {
        let mut app = other.thread(1);
        app.observe(after);
        set(&mut app, Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL, EventHandle::NULL);
        set(&mut app, Mode::ALLOWED, Action::COMMIT_RESULTS, EventHandle::NULL);
        let _ = app.call(d3d12::ReleasePipelineState { pipeline_state: pipelines[0] });
        set(&mut app, Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS, EventHandle::NULL);
    });
    set(&mut main, Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL, EventHandle::NULL);
    draw(&mut main, &pipelines[1..], drawn);
    set(&mut main, Mode::ALLOWED, Action::COMMIT_RESULTS_HIGH_PRIORITY, committed);
    assert_eq!(main.wait(committed, u32::MAX), Ok(WaitStatus::OBJECT_0));
    set(&mut main, Mode::ALLOWED, Action::COMMIT_RESULTS, EventHandle::NULL);
    main.release_device(DEVICE).expect("the end of the device");
    meddler.join().expect("a thread");
    drop(main);
    session.end().expect("a recording");
    memory_recorder.take()
}

/// Checks that a schedule's recording replays, and that each accepted task is done or cancelled exactly once (rules
/// B-53, B-56).
fn every_schedule_replays() {
    let threads = record();
    let count = |id, opcode| {
        let code = EventCode::new(id, opcode);
        threads.values().flatten().filter(move |(found, ..)| *found == code).count()
    };
    let (queued, done, cancelled) = (
        count(taut_schemas::d3d12_callbacks::QueueProcessingWork::ID, Opcode::Start),
        count(<mark::BackgroundWorkStop as taut_schemas::Mark>::ID, Opcode::Info),
        count(<mark::BackgroundWorkCancel as taut_schemas::Mark>::ID, Opcode::Info),
    );
    assert_eq!(queued, done + cancelled);
    assert_eq!(count(machine::StartBackgroundWork::ID, Opcode::Stop), done);
    assert_replays(&threads);
}

/// Runs the check with a scheduler. Compiling a shader needs more stack than shuttle's threads have by default.
fn explore(scheduler: impl Scheduler + 'static) {
    let mut config = Config::new();
    config.stack_size = 4 << 20;
    config.max_steps = MaxSteps::None;
    Runner::new(scheduler, config).run(every_schedule_replays);
}

#[test]
fn every_random_schedule_of_tasks_replays() {
    explore(RandomScheduler::new(runs(80)));
}

#[test]
fn every_schedule_of_tasks_with_few_preemptions_replays() {
    explore(PctScheduler::new(3, runs(60)));
}
