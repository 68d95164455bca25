//! Start and end of background tasks.

use crate::background::task::Started;
use crate::context::Context;
use crate::state::DeviceState;
use crate::submission::{NothingToDo, SubmissionState};
use crate::win32::SystemState;
use taut_schemas::{BackgroundWork, HResult, HResultCode, ObjectId, TaskId, TaskResult, d3d12_ddi, machine};

/// Starts the next task on a worker. DXGI_ERROR_INVALID_CALL if no task may start.
pub(crate) fn start_background_work(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    call: &machine::StartBackgroundWork,
) -> HResult<TaskId> {
    match queue.tasks(context.settings).start(call.worker) {
        Some(Started { mark, .. }) => {
            context.mark(&mark);
            if context.driver.traits().checks_before_work {
                check_for_work(context, queue, mark.task);
            }
            Ok(mark.task)
        }
        None => {
            let text = format_args!("No background task may begin on worker {}.", call.worker);
            context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, ObjectId::NULL, text)
        }
    }
}

/// Lets the driver check for work before the worker runs the task (rule B-70).
fn check_for_work(context: &mut Context<'_>, queue: &mut SubmissionState, task: TaskId) {
    let Some((driver_context, ..)) = queue.tasks(context.settings).context_of(task) else { return };
    let begin = d3d12_ddi::BeginBackgroundWork { task, context: driver_context };
    let (beginning, _) = context.ddi_with(queue, begin);
    if !beginning.has_work {
        queue.tasks(context.settings).mark_void(task);
    }
}

/// Ends a task: the driver processes the result. Without this task's own result the call is refused.
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
    let work_product = match result {
        // The driver found no work, so a result that a worker computed nevertheless is dropped.
        _ if queue.is_void(task) => NothingToDo.run(),
        Some(result) if result.task == task => result.work_product,
        other => return no_result(context, task, other.map(|other| other.task)),
    };
    let process = d3d12_ddi::ProcessBackgroundWork { task, context: driver_context, outcome: work_product.outcome };
    context.ddi_inside(queue, Some(task), process, work_product.product);
    end(context, queue, system, task)
}

/// Ends a task whose worker failed: the device is removed, and the task counts as ended, so that no wait for it blocks.
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
    // Removed before the fences end, so that no waiter sees a working device.
    device.remove_because(HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR);
    queue.removed = true;
    let text = format_args!("Background task {} failed: {}. The device is removed.", call.task.0, call.reason);
    context.error(taut_schemas::MessageId::UNKNOWN, text);
    queue.end_fences(system);
    end(context, queue, system, call.task)
}

fn end(context: &mut Context<'_>, queue: &mut SubmissionState, system: &mut SystemState, task: TaskId) -> HResult<()> {
    let Some(finished) = queue.tasks(context.settings).finish(task) else { return not_running(context, task) };
    context.mark(&finished.mark);
    finished.priorities.iter().for_each(|priority| context.mark(priority));
    system.commits_done(context, finished.done);
    Ok(())
}

/// Refuses the end of a task with a missing result, or with the result of another task. A live session never makes such
/// an input.
fn no_result(context: &mut Context<'_>, task: TaskId, other: Option<TaskId>) -> HResult<()> {
    let other_task = other.map_or_else(String::new, |other| format!(", but with that of task {}", other.0));
    let text = format_args!("Background task {} ends without the result of its work{other_task}.", task.0);
    context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, ObjectId::NULL, text)
}

fn not_running(context: &mut Context<'_>, task: TaskId) -> HResult<()> {
    let text = format_args!("Background task {} does not run.", task.0);
    context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, ObjectId::NULL, text)
}
