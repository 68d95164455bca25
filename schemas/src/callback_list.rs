//! The DDI callbacks: d3d12umddi.h, from the user-mode driver to the runtime.

use crate::execution_desc::{CompileOutcome, DrawRun};
use crate::hresult::HResult;
use crate::id::TaskId;
use std::any::Any;
use std::sync::Arc;

/// Hands the list of DDI callbacks to a macro. Lines are made like those of
/// [`for_each_api_call!`](crate::for_each_api_call); a callback runs under the locks of the call the driver is in.
#[macro_export]
macro_rules! for_each_ddi_callback {
    ($handler:ident) => {
        $handler! {
            /// Queues a work item for the runtime's background threads. d3d12umddi.h:
            /// D3D12DDI_CORELAYER_DEVICECALLBACKS_0062::pfnQueueBackgroundProcessingWorkCb.
            320 QueueProcessingWork [] = queue_processing_work(
                /// Whether pfnCallback is given; it has to be.
                has_callback: bool,
                /// Whether pfnCancel is given; NULL is allowed (ambiguity A4.3).
                has_cancel: bool,
                /// pContext.
                context: u64,
                /// The pipeline state that the work is for; known to the driver alone, here for tools.
                pipeline_state: PipelineStateId,
                /// The latest submission whose measurements the driver decided by, for tools; 0 if by none.
                decided_by_submission: u64,
                /// Slots of constants that the variant takes as fixed, for tools.
                slots: Vec<u32>,
                /// Their values.
                words: Vec<u32>,
            ) -> HResult<TaskId>;
        }
    };
}

/// Arguments of the DDI callbacks, one struct per line of [`for_each_ddi_callback!`](crate::for_each_ddi_callback).
pub mod callback {
    use crate::call::{Call, Layer, LockSet, define_calls, describe_start};
    use crate::event::{EventCode, Opcode};
    use crate::field::{Field, HandleMap};
    use crate::row::{CodecError, Decoder, Encoder};
    use crate::table::{EventHead, SchemaTable};
    use crate::{hresult::HResult, id::*};

    macro_rules! structs {
        ($($list:tt)*) => { define_calls! { Ddi; $($list)* } };
    }
    for_each_ddi_callback!(structs);
}

pub(crate) use callback::describe;

/// What a background task does: a pure function, run on a thread that the driver does not choose, under no lock.
pub trait BackgroundWork: Send + Sync {
    /// Does it. The outcome is the same on every machine and whenever it is done.
    fn run(&self) -> WorkProduct;
}

/// What a background task made.
pub struct WorkProduct {
    /// What is the same on every machine.
    pub outcome: CompileOutcome,
    /// What the driver takes into use, such as machine code.
    pub product: Arc<dyn Any + Send + Sync>,
}

/// What a graphics processor does for a submission: a pure function, run under no lock.
pub trait GpuWork: Send + Sync {
    /// Does it; what each draw did, in order.
    fn run(&self) -> Vec<DrawRun>;
}

/// What a driver can do during a DDI call that is marked `[callbacks]`. It never sees the device.
pub trait Callbacks {
    /// What the driver keeps from call to call: whatever it last put there, nothing at first.
    fn kept(&mut self) -> &mut Option<Box<dyn Any + Send>>;

    /// pfnQueueBackgroundProcessingWorkCb. A cancel comes before it returns.
    ///
    /// # Errors
    /// E_INVALIDARG without a callback, E_OUTOFMEMORY; then neither callback nor cancel comes.
    fn queue_processing_work(
        &mut self,
        call: &callback::QueueProcessingWork,
        work: Arc<dyn BackgroundWork>,
    ) -> HResult<TaskId>;

    /// During ExecuteCommandListsDdi: what the graphics processor will do.
    fn submit(&mut self, work: Arc<dyn GpuWork>);

    /// During ProcessBackgroundWork: what the work made.
    fn product(&mut self) -> Option<Arc<dyn Any + Send + Sync>>;
}
