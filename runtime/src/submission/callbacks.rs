//! Callbacks that a driver may use during a DDI call.

use super::SubmissionState;
use super::driver_locks::DriverLock;
use crate::background::task::{CancelledTask, Queued, WorkItem};
use crate::context::Context;
use crate::violation::{ObservedValue, record_violation};
use std::any::Any;
use std::sync::Arc;
use taut_schemas::d3d12_callbacks::{
    DeviceCallbacks, QueueProcessingWork, ReleaseDriverLock, ReportVariant, TakeDriverLock, WakeDriverThread,
};
use taut_schemas::{BackgroundWork, CallbackCall, Callbacks, GpuWork, HResult, HResultCode, TaskId, d3d12_ddi, rule};

/// Callbacks of one DDI call.
struct CallbackScope<'c, 'a> {
    context: &'c mut Context<'a>,
    queue: &'c mut SubmissionState,
    /// Task that the call ends.
    inside: Option<TaskId>,
    /// Name of the call.
    call: &'static str,
    /// GPU work that the driver has submitted.
    submitted: Option<Arc<dyn GpuWork>>,
}

impl<'a> Context<'a> {
    /// Makes a DDI call with callbacks, recorded by the tap. Also returns the GPU work that the driver submitted.
    pub(crate) fn ddi_with<C: CallbackCall<DerivedInput = ()>>(
        &mut self,
        queue: &mut SubmissionState,
        call: C,
    ) -> (C::Output, Option<Arc<dyn GpuWork>>) {
        self.ddi_inside(queue, None, call, ())
    }

    /// Makes a DDI call with callbacks inside the end of a task, if any, with the driver's input besides the arguments.
    pub(crate) fn ddi_inside<C: CallbackCall>(
        &mut self,
        queue: &mut SubmissionState,
        inside: Option<TaskId>,
        call: C,
        derived: C::DerivedInput,
    ) -> (C::Output, Option<Arc<dyn GpuWork>>) {
        let driver = self.driver;
        let (mut submitted, locks) = (None, queue.driver_locks.count());
        let output = self.traced(&call, |context| {
            let mut callbacks = CallbackScope { context, queue, inside, call: C::NAME, submitted: None };
            let output = call.dispatch(driver, &mut callbacks, derived);
            submitted = callbacks.submitted.take();
            output
        });
        for DriverLock { lock, .. } in queue.driver_locks.release_after(locks) {
            let driver_state =
                format_args!("The driver returns from {} with its lock {lock}; who wants it next hangs.", C::NAME);
            // Removing the device in strict mode needs the device's lock, which is not held here.
            let _ =
                record_violation(self, rule::B_55, ObservedValue { found: lock.into(), min: 0, max: 0 }, driver_state);
        }
        (output, submitted)
    }
}

impl DeviceCallbacks for CallbackScope<'_, '_> {
    fn queue_processing_work(&mut self, call: &QueueProcessingWork, work: Arc<dyn BackgroundWork>) -> HResult<TaskId> {
        let (queue, inside) = (&mut *self.queue, self.inside);
        self.context.traced(call, |context| {
            // Rule B-53: then neither the callback nor the cancel callback is called.
            if !call.has_callback {
                return Err(HResultCode::E_INVALIDARG);
            }
            let item = WorkItem {
                context: call.context,
                has_cancel: call.has_cancel,
                pipeline_state: call.pipeline_state,
                work: Arc::clone(&work),
            };
            match queue.tasks(context.settings).queue(item, inside) {
                Queued::Accepted { task } => {
                    if let Some(executor) = &mut context.executor {
                        executor.queued(task, &work);
                    }
                    Ok(task)
                }
                // Rule B-23: on the calling thread, before the call returns.
                Queued::Cancelled(cancelled) => {
                    let task = cancelled.task;
                    cancel(context, queue, cancelled);
                    Ok(task)
                }
            }
        })
    }

    fn report_variant(&mut self, call: &ReportVariant) {
        self.context.traced(call, |_| ());
    }

    fn take_driver_lock(&mut self, call: &TakeDriverLock) -> HResult<()> {
        let (queue, inside, lock) = (&mut *self.queue, self.call, call.lock);
        self.context.traced(call, |context| match queue.driver_locks.take(lock, inside) {
            Ok(()) => Ok(()),
            Err(taken_in) => {
                let hangs = format_args!(
                    "The driver wants its lock {lock} in {inside}, and the same thread has held it since {taken_in}, which \
                     waits for {inside}: it would hang."
                );
                let _ = record_violation(context, rule::B_55, ObservedValue { found: lock.into(), min: 0, max: 0 }, hangs);
                Err(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING)
            }
        })
    }

    fn release_driver_lock(&mut self, call: &ReleaseDriverLock) {
        self.queue.driver_locks.release(call.lock);
        self.context.traced(call, |_| ());
    }

    fn wake_driver_thread(&mut self, call: &WakeDriverThread) {
        self.queue.driver_woken = true;
        self.context.traced(call, |_| ());
    }
}

impl Callbacks for CallbackScope<'_, '_> {
    fn driver_state(&mut self) -> &mut Option<Box<dyn Any + Send>> {
        &mut self.queue.driver_state
    }

    fn submit(&mut self, work: Arc<dyn GpuWork>) {
        self.submitted = Some(work);
    }
}

/// Records that a task is cancelled, and calls the driver's cancel callback if it has one (rules B-24, B-53).
pub(crate) fn cancel(context: &mut Context<'_>, queue: &mut SubmissionState, cancelled: CancelledTask) {
    let CancelledTask { task, context: driver_context, has_cancel, mark } = cancelled;
    context.mark(&mark);
    if has_cancel {
        let call = d3d12_ddi::CancelBackgroundWork { task, context: driver_context };
        context.ddi_with(queue, call);
    }
}
