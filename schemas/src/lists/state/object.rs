//! State: objects of Direct3D 12 that have no memory.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! object_state {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// A pipeline state that is alive.
            5664 PipelineState {
                /// Which.
                pipeline_state: PipelineStateId,
                /// Its name; empty if it has none.
                name: String,
                /// What command lists need of it.
                of_lists: BoundPipeline,
            }

            /// A command allocator that is alive.
            5665 CommandAllocator {
                /// Which.
                command_allocator: CommandAllocatorId,
                /// Its name; empty if it has none.
                name: String,
                /// The lists that it is for.
                list_type: CommandListType,
            }

            /// A command list that is alive.
            5666 CommandList {
                /// Which.
                command_list: CommandListId,
                /// Its name; empty if it has none.
                name: String,
                /// Its type.
                list_type: CommandListType,
                /// It is being recorded.
                open: bool,
                /// Something that was recorded was refused.
                failed: bool,
                /// The pipeline state that is set.
                pipeline: Option<BoundPipeline>,
                /// Graphics constants that are set.
                graphics_constants: Vec<u32>,
                /// Compute constants that are set.
                compute_constants: Vec<u32>,
                /// What was recorded.
                draws: Vec<DrawCommand>,
                /// The draws' constants.
                constants: Vec<u32>,
            }

            /// A command queue that is alive.
            5667 CommandQueue {
                /// Which.
                command_queue: CommandQueueId,
                /// Its name; empty if it has none.
                name: String,
            }

            /// A fence that is alive.
            5668 Fence {
                /// Which.
                fence: FenceId,
                /// Its name; empty if it has none.
                name: String,
            }
        }
    };
}
