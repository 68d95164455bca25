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
                /// Slots of constants that the variant takes as fixed, for tools.
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
        }
    };
}
