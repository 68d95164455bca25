//! d3d12umddi.h: from the user-mode driver to the runtime. A callback runs under the locks of the call the driver is
//! in; what is `given` with it cannot be recorded.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d12_callback_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Queues a work item for the runtime's background threads. d3d12umddi.h:
            /// D3D12DDI_CORELAYER_DEVICECALLBACKS_0062::pfnQueueBackgroundProcessingWorkCb.
            4096 QueueProcessingWork = queue_processing_work(
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
                /// Slots of constants that the variant takes as fixed, for tools; none of a task that makes no variant, but tunes
                /// how draws are run.
                slots: Vec<u32>,
                /// Their values.
                words: Vec<u32>,
            ) given work: BackgroundWork -> HResult<TaskId>;

            /// A variant has come into use or gone out of it. Drivers do this by themselves; the line stands for whatever
            /// way they have of telling tools.
            4097 ReportVariant = report_variant(
                /// The variant.
                variant: VariantId,
                /// The pipeline state that it serves.
                pipeline_state: PipelineStateId,
                /// What has become of it.
                change: VariantChange,
                /// Slots of constants that its guard looks at.
                slots: Vec<u32>,
                /// The values that they must have.
                words: Vec<u32>,
            ) -> ();

            /// The driver takes a lock of its own, which no thread may take twice. Drivers do this by themselves; the line
            /// stands for it, so that the order of locks can be seen. Where the calling thread has the lock it would wait for
            /// ever, which breaks rule B-55: it is told so, and goes on without the lock.
            4098 TakeDriverLock = take_driver_lock(
                /// Which of its locks.
                lock: u32,
            ) -> HResult<()>;

            /// The driver lets go of a lock that it took.
            4099 ReleaseDriverLock = release_driver_lock(
                /// Which of its locks.
                lock: u32,
            ) -> ();

            /// The driver has something to do for a thread of its own.
            4100 WakeDriverThread = wake_driver_thread() -> ();
        }
    };
}
