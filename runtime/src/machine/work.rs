//! Background tasks begin and end.

use crate::background::task::Started;
use crate::context::Context;
use crate::state::DeviceState;
use crate::submission::{NothingToDo, SubmissionState};
use crate::win32::SystemState;
use taut_schemas::{BackgroundWork, HResult, HResultCode, ObjectId, TaskId, TaskResult, d3d12_ddi, machine};

/// A worker begins the next task. Without one that may begin: DXGI_ERROR_INVALID_CALL.
pub(crate) fn start_background_work(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    call: &machine::StartBackgroundWork,
) -> HResult<TaskId> {
    match queue.tasks(context.settings).start(call.worker) {
        Some(Started { mark, .. }) => {
            context.mark(&mark);
            if context.driver.habits().looks_first {
                look(context, queue, mark.task);
            }
            Ok(mark.task)
        }
        None => {
            let text = format_args!("No background task may begin on worker {}.", call.worker);
            context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, ObjectId::NULL, text)
        }
    }
}

/// The driver looks whether there is anything to do, before a worker does it (rule B-70).
fn look(context: &mut Context<'_>, queue: &mut SubmissionState, task: TaskId) {
    let Some((driver_context, ..)) = queue.tasks(context.settings).context_of(task) else { return };
    let begin = d3d12_ddi::BeginBackgroundWork { task, context: driver_context };
    let (beginning, _) = context.ddi_with(queue, begin);
    if !beginning.has_work {
        queue.tasks(context.settings).make_void(task);
    }
}

/// A task's work is done: the driver takes the result, or leaves it. Without the result of this very task nothing ends.
pub(crate) fn finish_background_work(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    system: &mut SystemState,
    call: &machine::FinishBackgroundWork,
    result: Option<TaskResult>,
) -> HResult<()> {
    let task = call.task;
    let Some((driver_context, ..)) = queue.tasks(context.settings).context_of(task) else {
        return not_running(context, task);
    };
    let made = match result {
        // Whoever did it all the same.
        _ if queue.is_void(task) => NothingToDo.run(),
        Some(result) if result.task == task => result.made,
        other => return no_result(context, task, other.map(|other| other.task)),
    };
    let process = d3d12_ddi::ProcessBackgroundWork { task, context: driver_context, outcome: made.outcome };
    context.ddi_inside(queue, Some(task), process, made.product);
    end(context, (queue, system), task)
}

/// A worker failed: the device is removed, and the task counts as ended, so that nobody waits for it.
pub(crate) fn fail_background_work(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    queue: &mut SubmissionState,
    system: &mut SystemState,
    call: &machine::FailBackgroundWork,
) -> HResult<()> {
    if queue.tasks(context.settings).context_of(call.task).is_none() {
        return not_running(context, call.task);
    }
    device.remove_because(HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR);
    queue.removed = true;
    let text = format_args!("Background task {} failed: {}. The device is removed.", call.task.0, call.reason);
    context.error(taut_schemas::MessageId::UNKNOWN, text);
    queue.end_fences(system);
    end(context, (queue, system), call.task)
}

fn end(
    context: &mut Context<'_>,
    (queue, system): (&mut SubmissionState, &mut SystemState),
    task: TaskId,
) -> HResult<()> {
    let Some(finished) = queue.tasks(context.settings).finish(task) else { return not_running(context, task) };
    context.mark(&finished.mark);
    finished.priorities.iter().for_each(|priority| context.mark(priority));
    system.commits_done(context, finished.done);
    Ok(())
}

/// The result of a task is missing, or another task's was given: no input that a session makes is such.
fn no_result(context: &mut Context<'_>, task: TaskId, other: Option<TaskId>) -> HResult<()> {
    let given = other.map_or_else(String::new, |other| format!(", but with that of task {}", other.0));
    let text = format_args!("Background task {} ends without the result of its work{given}.", task.0);
    context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, ObjectId::NULL, text)
}

fn not_running(context: &mut Context<'_>, task: TaskId) -> HResult<()> {
    let text = format_args!("Background task {} does not run.", task.0);
    context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, ObjectId::NULL, text)
}
