//! SetBackgroundProcessingMode.

use crate::context::Context;
use crate::state::DeviceState;
use crate::submission::{SubmissionState, cancel};
use crate::win32::SystemState;
use taut_schemas::{
    BackgroundProcessingMode, EventHandle, FurtherMeasurements, HResult, HResultCode, MeasurementsAction, ObjectId,
    d3d12, d3d12_ddi, mark, rule,
};

/// ID3D12Device6::SetBackgroundProcessingMode. Validation order: enumerators, the event, developer mode, support (rule
/// B-06). A refused call changes nothing and makes no DDI call.
pub(crate) fn set_background_processing_mode(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    queue: &mut SubmissionState,
    system: &mut SystemState,
    call: &d3d12::SetBackgroundProcessingMode,
) -> HResult<FurtherMeasurements> {
    let adapter = device.open(context, call.device)?;
    let (supported, answers) = (adapter.caps.background_processing, adapter.background_0063);
    check(context, system, call)?;
    if !supported {
        // Rule B-09: without support, the event is signalled as if all work were done.
        system.signal(call.event);
        return Ok(FurtherMeasurements::default());
    }
    let (mode, measurements_action) = (call.mode, call.measurements_action);
    // Rule B-27: no submission falls inside a mode change, so the change is marked before and after the DDI call.
    queue.tasks(context.settings).begin_mode_change(mode, measurements_action);
    let desired = if answers {
        let call = d3d12_ddi::SetBackgroundProcessingMode0063 { mode, measurements_action };
        let (answer, _) = context.ddi_with(queue, call);
        if answer.is_none() {
            unwritten(context);
        }
        // Rule B-07: the runtime sets the output to FALSE before it calls the driver, so an unwritten output is FALSE.
        answer.is_some_and(|answer| answer.desired)
    } else {
        let call = d3d12_ddi::SetBackgroundProcessingMode0062 { mode, measurements_action };
        context.ddi_with(queue, call);
        false
    };
    let changed = queue.tasks(context.settings).end_mode_change(call.event);
    changed.commit.iter().for_each(|commit| context.mark(commit));
    changed.priorities.iter().for_each(|priority| context.mark(priority));
    changed.cancelled.into_iter().for_each(|cancelled| cancel(context, queue, cancelled));
    system.commits_done(context, changed.done);
    // want_further is false if the application passed NULL.
    Ok(FurtherMeasurements { desired: desired && call.want_further })
}

fn unwritten(context: &mut Context<'_>) {
    context.violation(&mark::DriverViolation {
        rule: rule::B_07.id.to_owned(),
        lint: true,
        max: 1,
        description: "The driver left FurtherMeasurementsDesired unwritten.".to_owned(),
        ..Default::default()
    });
}

fn check(context: &mut Context<'_>, system: &SystemState, call: &d3d12::SetBackgroundProcessingMode) -> HResult<()> {
    let (BackgroundProcessingMode(mode), MeasurementsAction(action)) = (call.mode, call.measurements_action);
    if mode > 3 || action > 3 {
        let text = format_args!("There is no mode {mode} with measurements action {action}.");
        return context.refuse(HResultCode::E_INVALIDARG, ObjectId::NULL, text);
    }
    if call.event != EventHandle::NULL {
        if !call.measurements_action.commits() {
            let text = format_args!("An event has to be NULL with {:?}.", call.measurements_action);
            return context.refuse(HResultCode::E_INVALIDARG, ObjectId::NULL, text);
        }
        if system.is_signalled(call.event).is_none() {
            let text = format_args!("There is no event {}.", call.event.0);
            return context.refuse(HResultCode::E_HANDLE, ObjectId::NULL, text);
        }
    }
    let gated =
        call.mode.disables_work() || call.measurements_action == MeasurementsAction::COMMIT_RESULTS_HIGH_PRIORITY;
    if gated && !system.developer_mode.unwrap_or(context.settings.developer_mode) {
        let text = format_args!("{:?} with {:?} needs developer mode.", call.mode, call.measurements_action);
        return context.refuse(context.settings.developer_mode_refusal.into(), ObjectId::NULL, text);
    }
    Ok(())
}
