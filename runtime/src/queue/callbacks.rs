//! What a driver is handed in a call in which it may call back.

use super::QueueState;
use crate::background::task::{CancelledTask, Queued, WorkItem};
use crate::context::Context;
use std::any::Any;
use std::sync::Arc;
use taut_schemas::d3d12_callbacks::{DeviceCallbacks, QueueProcessingWork, ReportVariant};
use taut_schemas::{BackgroundWork, CallbackCall, Callbacks, GpuWork, HResult, HResultCode, TaskId, d3d12_ddi};

/// On what occasion the driver is called.
#[derive(Default)]
pub(crate) struct Occasion {
    /// The task that the call ends.
    pub inside: Option<TaskId>,
    /// What the task's work made.
    pub product: Option<Arc<dyn Any + Send + Sync>>,
}

/// The callbacks of one call.
struct Called<'c, 'a> {
    context: &'c mut Context<'a>,
    queue: &'c mut QueueState,
    occasion: Occasion,
    submitted: Option<Arc<dyn GpuWork>>,
}

impl<'a> Context<'a> {
    /// Makes a DDI call in which the driver may call back, its start and stop shown to the tap. Gives what the driver
    /// submitted, too.
    pub(crate) fn ddi_with<C: CallbackCall>(
        &mut self,
        queue: &mut QueueState,
        call: C,
        occasion: Occasion,
    ) -> (C::Output, Option<Arc<dyn GpuWork>>) {
        let driver = self.driver;
        let mut submitted = None;
        let output = self.told(&call, |context| {
            let mut callbacks = Called { context, queue, occasion, submitted: None };
            let output = call.dispatch(driver, &mut callbacks);
            submitted = callbacks.submitted.take();
            output
        });
        (output, submitted)
    }
}

impl DeviceCallbacks for Called<'_, '_> {
    fn queue_processing_work(&mut self, call: &QueueProcessingWork, work: Arc<dyn BackgroundWork>) -> HResult<TaskId> {
        let (queue, inside) = (&mut *self.queue, self.occasion.inside);
        self.context.told(call, |context| {
            // Rule B-53: then neither callback nor cancel comes.
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
                    if let Some(labour) = &mut context.labour {
                        labour.queued(task, &work);
                    }
                    Ok(task)
                }
                // Rule B-23: on the calling thread, before this returns.
                Queued::Cancelled(cancelled) => {
                    let task = cancelled.task;
                    cancel(context, queue, cancelled);
                    Ok(task)
                }
            }
        })
    }

    fn report_variant(&mut self, call: &ReportVariant) {
        self.context.told(call, |_| ());
    }
}

impl Callbacks for Called<'_, '_> {
    fn kept(&mut self) -> &mut Option<Box<dyn Any + Send>> {
        &mut self.queue.kept
    }

    fn submit(&mut self, work: Arc<dyn GpuWork>) {
        self.submitted = Some(work);
    }

    fn product(&mut self) -> Option<Arc<dyn Any + Send + Sync>> {
        self.occasion.product.take()
    }
}

/// Says that a task is cancelled, and calls the driver's cancel callback if it gave one (rules B-24, B-53).
pub(crate) fn cancel(context: &mut Context<'_>, queue: &mut QueueState, cancelled: CancelledTask) {
    let CancelledTask { task, context: driver_context, has_cancel, mark } = cancelled;
    context.mark(&mark);
    if has_cancel {
        let call = d3d12_ddi::CancelBackgroundWork { task, context: driver_context };
        context.ddi_with(queue, call, Occasion::default());
    }
}
