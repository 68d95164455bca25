//! State: Direct3D 12 objects without memory.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! object_state {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// A live pipeline state.
            5664 PipelineState {
                /// The pipeline state.
                pipeline_state: PipelineStateId,
                /// Name; empty if there is none.
                name: String,
                /// The part that command lists use.
                command_list_part was of_lists: BoundPipeline,
            }

            /// A live command allocator.
            5665 CommandAllocator {
                /// The command allocator.
                command_allocator: CommandAllocatorId,
                /// Name; empty if there is none.
                name: String,
                /// Type of its command lists.
                list_type: CommandListType,
            }

            /// A live command list.
            5666 CommandList {
                /// The command list.
                command_list: CommandListId,
                /// Name; empty if there is none.
                name: String,
                /// Type.
                list_type: CommandListType,
                /// True while the list is being recorded.
                open: bool,
                /// True if a recorded call was invalid.
                failed: bool,
                /// The pipeline state in effect.
                pipeline: Option<BoundPipeline>,
                /// Graphics constants in effect.
                graphics_constants: Vec<u32>,
                /// Compute constants in effect.
                compute_constants: Vec<u32>,
                /// The recorded draws and dispatches.
                draws: Vec<DrawCommand>,
                /// Constants of the draws.
                constants: Vec<u32>,
                /// The root signature in effect for draws.
                graphics_root_signature: RootSignatureId,
                /// The root signature in effect for dispatches.
                compute_root_signature: RootSignatureId,
            }

            /// A live command queue.
            5667 CommandQueue {
                /// The command queue.
                command_queue: CommandQueueId,
                /// Name; empty if there is none.
                name: String,
            }

            /// A live fence.
            5668 Fence {
                /// The fence.
                fence: FenceId,
                /// Name; empty if there is none.
                name: String,
            }

            /// A live root signature.
            5669 RootSignature {
                /// The root signature.
                root_signature: RootSignatureId,
                /// Name; empty if there is none.
                name: String,
            }

            /// A live query heap.
            5670 QueryHeap {
                /// The query heap.
                query_heap: QueryHeapId,
                /// Name; empty if there is none.
                name: String,
            }

            /// A live command signature.
            5671 CommandSignature {
                /// The command signature.
                command_signature: CommandSignatureId,
                /// Name; empty if there is none.
                name: String,
            }

            /// A live descriptor heap.
            5672 DescriptorHeap {
                /// The descriptor heap.
                descriptor_heap: DescriptorHeapId,
                /// Name; empty if there is none.
                name: String,
                /// Description from creation.
                desc: DescriptorHeapDesc,
                /// First descriptor.
                address: CpuDescriptorHandle,
            }
        }
    };
}
