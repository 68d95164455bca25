//! Tests of SetBackgroundProcessingMode and background tasks, at the API and at the DDI.

use super::scripted::Scripted;
use super::world::{DEVICE, World};
use proptest::prelude::*;
use taut_runtime::{DeveloperModeRefusal, Settings};
use taut_schemas::{
    AdapterId, BackgroundProcessingMode as Mode, Bytes, Call, EventHandle, Feature, HResult, HResultCode,
    MeasurementsAction as Action, Opcode, TaskId, TaskResult, WaitStatus, d3d12, d3d12_callbacks, d3d12_ddi, machine,
    mark, win32,
};

/// Creates a machine with a scripted driver.
fn machine() -> (World, Scripted) {
    let driver = Scripted::over("reference");
    (World::with(Box::new(driver.clone()), Settings::default()), driver)
}

fn set(world: &mut World, mode: Mode, action: Action, event: EventHandle) -> HResult<bool> {
    let set = d3d12::SetBackgroundProcessingMode {
        device: DEVICE,
        mode,
        measurements_action: action,
        event,
        want_further: true,
    };
    world.call(&set).map(|further| further.desired)
}

fn event(world: &mut World) -> EventHandle {
    world.call(&win32::CreateEvent { manual_reset: true, initial_state: false }).unwrap()
}

fn is_signalled(world: &mut World, event: EventHandle) -> bool {
    world.call(&win32::BeginWaitForSingleObject { event, timeout_ms: 0 }) == Ok(WaitStatus::OBJECT_0)
}

fn start(world: &mut World, worker: u32) -> HResult<TaskId> {
    world.call(&machine::StartBackgroundWork { worker, ..Default::default() })
}

fn finish(world: &mut World, task: TaskId) {
    world.call(&machine::FinishBackgroundWork { task, ..Default::default() }).unwrap();
}

/// Returns the result of a task's work.
fn result_of(world: &World, task: TaskId) -> TaskResult {
    let work = world.state.adapter(AdapterId::FIRST).queue.work_of(task).unwrap();
    TaskResult { task, work_product: work.run() }
}

/// Runs all queued tasks on one worker.
fn drain(world: &mut World) {
    while world.state.adapter(AdapterId::FIRST).queue.can_start_work() {
        let task = start(world, 0).unwrap();
        finish(world, task);
    }
}

#[test]
fn b01_a_mode_or_action_outside_the_enumerations_is_invalid_and_reaches_no_driver() {
    let (mut world, driver) = machine();
    for (mode, action) in [(Mode(4), Action::KEEP_ALL), (Mode::ALLOWED, Action(4)), (Mode(u32::MAX), Action(9))] {
        assert_eq!(set(&mut world, mode, action, EventHandle::NULL), Err(HResultCode::E_INVALIDARG));
        assert_eq!(world.messages().len(), 1);
    }
    assert!(driver.look(|script| script.modes.is_empty()));
}

#[test]
fn b02_an_event_without_a_commit_is_invalid_and_is_not_signalled() {
    let (mut world, driver) = machine();
    let event = event(&mut world);
    for action in [Action::KEEP_ALL, Action::DISCARD_PREVIOUS] {
        assert_eq!(set(&mut world, Mode::ALLOWED, action, event), Err(HResultCode::E_INVALIDARG));
    }
    assert!(!is_signalled(&mut world, event) && driver.look(|script| script.modes.is_empty()));
    let unknown = set(&mut world, Mode::ALLOWED, Action::COMMIT_RESULTS, EventHandle(77));
    assert_eq!(unknown, Err(HResultCode::E_HANDLE));
}

#[test]
fn b03_a_commit_needs_no_event() {
    let (mut world, _) = machine();
    for action in [Action::COMMIT_RESULTS, Action::COMMIT_RESULTS_HIGH_PRIORITY] {
        assert_eq!(set(&mut world, Mode::ALLOWED, action, EventHandle::NULL), Ok(true));
    }
}

#[test]
fn b04_x25_three_gates_need_developer_mode_and_the_device_stays() {
    let (mut world, driver) = machine();
    world.call(&win32::SetDeveloperMode { enabled: false }).unwrap();
    let gated = [
        (Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL),
        (Mode::DISABLE_PROFILING_BY_SYSTEM, Action::KEEP_ALL),
        (Mode::ALLOWED, Action::COMMIT_RESULTS_HIGH_PRIORITY),
    ];
    for (mode, action) in gated {
        assert_eq!(set(&mut world, mode, action, EventHandle::NULL), Err(HResultCode::E_INVALIDARG));
        assert!(world.messages()[0].description.contains("developer mode"));
    }
    assert!(driver.look(|script| script.modes.is_empty()));
    for mode in [Mode::ALLOWED, Mode::ALLOW_INTRUSIVE_MEASUREMENTS] {
        for action in [Action::KEEP_ALL, Action::COMMIT_RESULTS, Action::DISCARD_PREVIOUS] {
            assert_eq!(set(&mut world, mode, action, EventHandle::NULL), Ok(true), "{mode:?} {action:?}");
        }
    }
    assert_eq!(world.call(&d3d12::GetDeviceRemovedReason { device: DEVICE }), Ok(()));
}

#[test]
fn b04_the_refusal_is_a_setting() {
    let driver = Scripted::over("reference");
    let developer_mode_refusal = DeveloperModeRefusal::E_ACCESSDENIED;
    let settings = Settings { developer_mode: false, developer_mode_refusal, ..Settings::default() };
    let mut world = World::with(Box::new(driver), settings);
    let refused = set(&mut world, Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL, EventHandle::NULL);
    assert_eq!(refused, Err(HResultCode::E_ACCESSDENIED));
}

#[test]
fn b05_developer_mode_is_looked_at_in_each_call_and_a_mode_that_is_set_stays() {
    let (mut world, driver) = machine();
    set(&mut world, Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL, EventHandle::NULL).unwrap();
    world.call(&win32::SetDeveloperMode { enabled: false }).unwrap();
    assert!(set(&mut world, Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL, EventHandle::NULL).is_err());
    driver.change(|script| script.queue_in_mode = 1);
    // Inside the call that leaves the mode, work is accepted; before the call, it was not.
    set(&mut world, Mode::ALLOWED, Action::KEEP_ALL, EventHandle::NULL).unwrap();
    assert!(world.state.adapter(AdapterId::FIRST).queue.can_start_work());
}

#[test]
fn b06_enumerators_come_before_the_event_the_event_before_developer_mode_and_all_before_support() {
    let mut world = World::with(Box::new(Scripted::over("legacy")), Settings::default());
    world.call(&win32::SetDeveloperMode { enabled: false }).unwrap();
    let event = event(&mut world);
    let result_code = |world: &mut World, mode, action, event| {
        assert_eq!(set(world, mode, action, event), Err(HResultCode::E_INVALIDARG));
        world.messages()[0].description.clone()
    };
    assert!(result_code(&mut world, Mode(7), Action::KEEP_ALL, event).contains("no mode 7"));
    assert!(result_code(&mut world, Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL, event).contains("NULL"));
    let gated = result_code(&mut world, Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL, EventHandle::NULL);
    assert!(gated.contains("developer mode"));
}

#[test]
fn b07_further_is_false_unless_the_driver_writes_it_and_is_optional() {
    let (mut world, driver) = machine();
    driver.change(|script| script.further = None);
    assert_eq!(set(&mut world, Mode::ALLOWED, Action::KEEP_ALL, EventHandle::NULL), Ok(false));
    assert_eq!(world.violations().iter().map(|violation| &*violation.rule).collect::<Vec<_>>(), ["B-07"]);
    driver.change(|script| script.further = Some(true));
    let unasked = d3d12::SetBackgroundProcessingMode { device: DEVICE, ..Default::default() };
    assert!(!world.call(&unasked).unwrap().desired);
    assert_eq!(set(&mut world, Mode::ALLOWED, Action::KEEP_ALL, EventHandle::NULL), Ok(true));
}

#[test]
fn b08_x24_the_capability_query_is_optional_and_the_last_of_five_members() {
    for (name, supported) in [("reference", 1), ("legacy", 0)] {
        let mut world = World::new(name);
        assert!(set(&mut world, Mode::ALLOWED, Action::KEEP_ALL, EventHandle::NULL).is_ok());
        let (feature, data) = (Feature::D3D12_OPTIONS6, Bytes(vec![0; 20]));
        let answer = world.call(&d3d12::CheckFeatureSupport { device: DEVICE, feature, data }).unwrap();
        assert_eq!(answer.0[16..20], u32::to_le_bytes(supported), "{name}");
    }
}

#[test]
fn b09_without_support_it_is_a_benign_no_op_that_signals_at_once() {
    let driver = Scripted::over("legacy");
    let mut world = World::with(Box::new(driver.clone()), Settings::default());
    let event = event(&mut world);
    let (mode, action) = (Mode::DISABLE_PROFILING_BY_SYSTEM, Action::COMMIT_RESULTS_HIGH_PRIORITY);
    assert_eq!(set(&mut world, mode, action, event), Ok(false));
    assert!(is_signalled(&mut world, event) && driver.look(|script| script.modes.is_empty()));
}

#[test]
fn b10_b11_each_accepted_call_makes_one_ddi_call_with_its_mode_and_action() {
    let (mut world, driver) = machine();
    let calls = [(0, 0), (0, 0), (1, 3), (3, 2), (3, 2), (2, 1), (0, 1)];
    for (mode, action) in calls {
        set(&mut world, Mode(mode), Action(action), EventHandle::NULL).unwrap();
    }
    let received = driver.look(|script| {
        let received = script.modes.iter().map(|call| (call.mode.0, call.measurements_action.0));
        received.collect::<Vec<_>>()
    });
    assert_eq!(received, calls);
}

#[test]
fn x23_a_driver_of_0062_is_called_without_an_answer() {
    let mut world = World::new("pgo-0062");
    assert_eq!(set(&mut world, Mode::ALLOWED, Action::KEEP_ALL, EventHandle::NULL), Ok(false));
    assert_eq!(world.ddi::<d3d12_ddi::SetBackgroundProcessingMode0062>().len(), 1);
}

#[test]
fn b31_b33_a_commit_that_disables_accepts_what_it_causes_and_signals_after_the_last_of_it() {
    let (mut world, driver) = machine();
    driver.change(|script| script.queue_in_mode = 3);
    let event = event(&mut world);
    let (mode, action) = (Mode::DISABLE_BACKGROUND_WORK, Action::COMMIT_RESULTS);
    set(&mut world, mode, action, event).unwrap();
    let tasks: Vec<_> = (0..2).map(|worker| start(&mut world, worker).unwrap()).collect();
    for task in tasks {
        assert!(!is_signalled(&mut world, event));
        finish(&mut world, task);
    }
    assert!(!is_signalled(&mut world, event));
    drain(&mut world);
    assert!(is_signalled(&mut world, event));
    assert_eq!(driver.look(|script| (script.done.len(), script.cancelled.len())), (3, 0));
}

#[test]
fn b23_b24_x22_while_disabled_a_task_is_cancelled_before_the_queueing_call_returns() {
    let (mut world, driver) = machine();
    set(&mut world, Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL, EventHandle::NULL).unwrap();
    driver.change(|script| script.queue_in_mode = 1);
    set(&mut world, Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL, EventHandle::NULL).unwrap();
    assert_eq!(driver.look(|script| script.log.clone()), ["cancelled 1", "queued Ok(TaskId(1))"]);
    driver.change(|script| script.has_cancel = false);
    set(&mut world, Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL, EventHandle::NULL).unwrap();
    let log = driver.look(|script| script.log[2..].to_vec());
    assert_eq!(log, ["queued Ok(TaskId(2))"], "accepted without pfnCancel, and nothing called");
    assert!(!world.state.adapter(AdapterId::FIRST).queue.can_start_work());
}

#[test]
fn b55_the_cancel_comes_while_the_driver_is_in_its_call_to_queue() {
    let (mut world, driver) = machine();
    set(&mut world, Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL, EventHandle::NULL).unwrap();
    driver.change(|script| script.queue_in_mode = 1);
    set(&mut world, Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL, EventHandle::NULL).unwrap();
    let order: Vec<(u16, Opcode)> =
        world.tap.events.iter().filter_map(|(code, _)| Some((code.id(), code.opcode()?))).collect();
    let (queue, cancel) = (d3d12_callbacks::QueueProcessingWork::ID, d3d12_ddi::CancelBackgroundWork::ID);
    let nested = order.iter().filter(|(id, _)| [queue, cancel].contains(id)).copied().collect::<Vec<_>>();
    let (start, stop) = (Opcode::Start, Opcode::Stop);
    assert_eq!(nested, [(queue, start), (cancel, start), (cancel, stop), (queue, stop)]);
}

#[test]
fn b53_without_a_callback_neither_callback_nor_cancel_comes() {
    let (mut world, driver) = machine();
    driver.change(|script| (script.queue_in_mode, script.has_callback) = (1, false));
    set(&mut world, Mode::ALLOWED, Action::KEEP_ALL, EventHandle::NULL).unwrap();
    assert_eq!(driver.look(|script| script.queued.clone()), [Err(HResultCode::E_INVALIDARG)]);
    drain(&mut world);
    assert!(driver.look(|script| script.done.is_empty() && script.cancelled.is_empty()));
}

#[test]
fn b54_b32_a_task_may_queue_another_which_no_earlier_commit_waits_for() {
    let (mut world, driver) = machine();
    driver.change(|script| (script.queue_in_mode, script.queue_in_task) = (1, 2));
    let event = event(&mut world);
    set(&mut world, Mode::ALLOWED, Action::COMMIT_RESULTS, event).unwrap();
    let first = start(&mut world, 0).unwrap();
    finish(&mut world, first);
    assert!(is_signalled(&mut world, event) && world.state.adapter(AdapterId::FIRST).queue.can_start_work());
    drain(&mut world);
    assert_eq!(driver.look(|script| script.done.clone()), [1, 2, 3].map(TaskId));
}

#[test]
fn b56_b57_destruction_cancels_then_waits_then_calls_the_driver() {
    let (mut world, driver) = machine();
    driver.change(|script| script.queue_in_mode = 4);
    let event = event(&mut world);
    set(&mut world, Mode::ALLOWED, Action::COMMIT_RESULTS, event).unwrap();
    let running = [start(&mut world, 0).unwrap(), start(&mut world, 1).unwrap()];
    world.call(&d3d12::ReleaseDevice { device: DEVICE }).unwrap();
    assert_eq!(driver.look(|script| script.cancelled.clone()), [3, 4].map(TaskId));
    let early = world.call(&d3d12::FinishReleaseDevice { device: DEVICE });
    assert_eq!(early, Err(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING));
    assert_eq!(world.call(&d3d12::ReleaseDevice { device: DEVICE }), Err(HResultCode::E_HANDLE));
    running.into_iter().for_each(|task| finish(&mut world, task));
    assert!(is_signalled(&mut world, event), "b58: nobody waits for ever");
    world.call(&d3d12::FinishReleaseDevice { device: DEVICE }).unwrap();
    assert_eq!(driver.look(|script| script.log.last().cloned()).as_deref(), Some("destroyed"));
    assert!(set(&mut world, Mode::ALLOWED, Action::KEEP_ALL, EventHandle::NULL).is_err());
    assert_eq!(world.call(&d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() }), Ok(DEVICE));
    assert_eq!(set(&mut world, Mode::ALLOWED, Action::KEEP_ALL, EventHandle::NULL), Ok(true));
}

#[test]
fn a_worker_that_fails_removes_the_device_and_nobody_waits_for_ever() {
    let (mut world, driver) = machine();
    driver.change(|script| script.queue_in_mode = 1);
    let event = event(&mut world);
    set(&mut world, Mode::ALLOWED, Action::COMMIT_RESULTS, event).unwrap();
    let task = start(&mut world, 0).unwrap();
    world.call(&machine::FailBackgroundWork { task, reason: "index out of bounds".to_owned() }).unwrap();
    assert!(world.messages()[0].description.contains("index out of bounds"));
    assert!(is_signalled(&mut world, event));
    let reason = world.call(&d3d12::GetDeviceRemovedReason { device: DEVICE });
    assert_eq!(reason, Err(HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR));
    let set = set(&mut world, Mode::ALLOWED, Action::KEEP_ALL, EventHandle::NULL);
    assert_eq!(set, Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED));
}

/// Random operation.
#[derive(Debug, Clone)]
enum Step {
    Mode { mode: u32, action: u32, event: bool },
    Start(u32),
    Finish(u32),
    DeveloperMode(bool),
    Queues { in_mode: u32, in_task: u32 },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..5_u32, 0..5_u32, any::<bool>()).prop_map(|(mode, action, event)| Step::Mode { mode, action, event }),
        4 => (0..5_u32).prop_map(Step::Start),
        4 => (0..5_u32).prop_map(Step::Finish),
        1 => any::<bool>().prop_map(Step::DeveloperMode),
        2 => (0..3_u32, 0..3_u32).prop_map(|(in_mode, in_task)| Step::Queues { in_mode, in_task }),
    ]
}

proptest! {
    /// Rules B-28, B-53, B-56, B-58: for any operations in any order, each accepted task is finished or cancelled once,
    /// and all events are signalled at the end of the device.
    #[test]
    fn b28_mode_changes_are_legal_at_any_time(steps in prop::collection::vec(step(), 0..200)) {
        let (mut world, driver) = machine();
        let (mut running, mut events) = (Vec::new(), Vec::new());
        for step in steps {
            match step {
                Step::Mode { mode, action, event: wanted } => {
                    let event = if wanted { event(&mut world) } else { EventHandle::NULL };
                    if set(&mut world, Mode(mode), Action(action), event).is_ok() && wanted {
                        events.push(event);
                    }
                }
                Step::Start(worker) => running.extend(start(&mut world, worker)),
                Step::Finish(at) if !running.is_empty() => {
                    let task = running.swap_remove(at as usize % running.len());
                    finish(&mut world, task);
                    prop_assert!(world.ddi::<d3d12_ddi::ProcessBackgroundWork>().len() == 1);
                }
                Step::Finish(_) => {}
                Step::DeveloperMode(enabled) => world.call(&win32::SetDeveloperMode { enabled }).unwrap(),
                Step::Queues { in_mode, in_task } => driver.change(|script| {
                    (script.queue_in_mode, script.queue_in_task) = (in_mode, in_task);
                }),
            }
        }
        driver.change(|script| script.queue_in_task = 0);
        world.call(&d3d12::ReleaseDevice { device: DEVICE }).unwrap();
        running.into_iter().for_each(|task| finish(&mut world, task));
        world.call(&d3d12::FinishReleaseDevice { device: DEVICE }).unwrap();
        for event in events {
            prop_assert!(is_signalled(&mut world, event));
        }
        driver.look(|script| {
            let mut ended: Vec<_> = script.done.iter().chain(&script.cancelled).copied().collect();
            ended.sort_unstable();
            let mut accepted: Vec<_> = script.queued.iter().filter_map(|queued| queued.ok()).collect();
            accepted.sort_unstable();
            assert_eq!(ended, accepted);
        });
    }
}

#[test]
fn task_marks_carry_task_sequence_priority_worker_and_commits() {
    let (mut world, driver) = machine();
    driver.change(|script| script.queue_in_mode = 1);
    set(&mut world, Mode::ALLOWED, Action::COMMIT_RESULTS_HIGH_PRIORITY, EventHandle::NULL).unwrap();
    assert_eq!(world.marks::<mark::BackgroundCommit>()[0].tasks, [TaskId(1)]);
    let task = start(&mut world, 3).unwrap();
    let begun = world.marks::<mark::BackgroundWorkStart>().remove(0);
    assert_eq!((begun.task, begun.sequence, begun.worker, begun.commits.len()), (task, 1, 3, 1));
    assert_eq!(begun.priority, taut_schemas::WorkPriority::ABOVE_IDLE);
    finish(&mut world, task);
    assert_eq!(world.marks::<mark::BackgroundWorkStop>().len(), 1);
    assert_eq!(world.marks::<mark::BackgroundCommitDone>().len(), 1);
}

/// With another task's product or none, the driver is not called, and the task keeps running.
#[test]
fn a_task_ends_with_its_own_product_or_not_at_all() {
    let (mut world, driver) = machine();
    driver.change(|script| script.queue_in_mode = 2);
    set(&mut world, Mode::ALLOWED, Action::KEEP_ALL, EventHandle::NULL).unwrap();
    let tasks = [0, 1].map(|worker| start(&mut world, worker).unwrap());
    let finish = machine::FinishBackgroundWork { task: tasks[0], ..Default::default() };
    let others = result_of(&world, tasks[1]);
    for wrong in [Some(others), None] {
        assert_eq!(world.call_with(&finish, wrong), Err(HResultCode::DXGI_ERROR_INVALID_CALL));
        assert_eq!(world.messages().len(), 1);
        assert!(world.marks::<mark::BackgroundWorkStop>().is_empty());
    }
    assert!(driver.look(|script| script.done.is_empty()));
    let own = result_of(&world, tasks[0]);
    assert_eq!(world.call_with(&finish, Some(own)), Ok(()));
    assert_eq!(driver.look(|script| script.done.clone()), [tasks[0]]);
    assert_eq!(world.call_with(&finish, None), Err(HResultCode::DXGI_ERROR_INVALID_CALL), "it has ended");
}
