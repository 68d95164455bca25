//! d3d12umddi.h: from the user-mode driver to the runtime. A callback runs under the locks of the DDI call in which the
//! driver makes it; an input marked `derived` cannot be recorded.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d12_callback_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Queues a work item for the runtime's background threads. d3d12umddi.h:
            /// D3D12DDI_CORELAYER_DEVICECALLBACKS_0062::pfnQueueBackgroundProcessingWorkCb.
            4096 QueueProcessingWork = queue_processing_work(
                /// True if pfnCallback is not NULL; required.
                has_callback: bool,
                /// True if pfnCancel is not NULL; NULL is allowed (rule X-22).
                has_cancel: bool,
                /// pContext.
                context: u64,
                /// The pipeline state of the work, for tools; only the driver knows it.
                pipeline_state: PipelineStateId,
                /// The latest submission whose measurements led to the decision, for tools; 0 if there is none.
                decided_by_submission: u64,
                /// Slots of constants that the variant assumes to be fixed, for tools; empty for a task that compiles
                /// no variant but tunes the execution of draws.
                slots: Vec<u32>,
                /// Values of the slots.
                words: Vec<u32>,
            ) derived work: BackgroundWork -> HResult<TaskId>;

            /// Reports that a variant was installed or is no longer used. Real drivers make no such call; the line
            /// stands for any way in which they inform tools.
            4097 ReportVariant = report_variant(
                /// The variant.
                variant: VariantId,
                /// The pipeline state of the variant.
                pipeline_state: PipelineStateId,
                /// New state of the variant.
                change: VariantChange,
                /// Slots of constants that its guard checks.
                slots: Vec<u32>,
                /// Values that the slots must have.
                words: Vec<u32>,
            ) -> ();

            /// Takes a lock of the driver's own, which no thread may take twice. Real drivers make no such call; the
            /// line makes the lock order visible. If the calling thread has the lock already, it would deadlock, which
            /// breaks rule B-55: the call fails, and the driver continues without the lock.
            4098 TakeDriverLock = take_driver_lock(
                /// The lock, by the driver's own number.
                lock: u32,
            ) -> HResult<()>;

            /// Releases a lock of the driver's own.
            4099 ReleaseDriverLock = release_driver_lock(
                /// The lock, by the driver's own number.
                lock: u32,
            ) -> ();

            /// Wakes the driver's own thread.
            4100 WakeDriverThread = wake_driver_thread() -> ();
        }
    };
}
