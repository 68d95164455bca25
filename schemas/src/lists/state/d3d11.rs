//! State: what the devices of Direct3D 11 share.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_state {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// An adapter that has ever had a device of Direct3D 11 with handles per context.
            5712 D3d11Devices {
                /// Which.
                adapter: AdapterId,
                /// Contexts there have been.
                contexts: u64 as Count,
                /// The context in whose call the device was removed, until every object knows; null if there is none.
                removed_by: D3d11ContextId,
                /// The states of immediate contexts that keep bindings.
                kept_states: Vec<KeptContextState>,
            }

            /// What the driver said when a device was created; its objects may outlive its handle.
            5713 D3d11DeviceFacts {
                /// Which.
                device: D3d11DeviceId,
                /// Its immediate context.
                immediate_context: D3d11ContextId,
                /// What the driver can do on several threads.
                caps: ThreadingCaps,
                /// hDevice of the immediate context.
                device_handle: DriverHandle,
                /// What CheckDeferredContextHandleSizes told.
                sizes: Vec<HandleSize>,
                /// What the memory behind the device's handle held when its creation was over.
                image: Bytes,
                /// Objects of it that are alive.
                objects: u64 as Count,
            }

            /// Addresses for handles: of an immediate context's objects, or of a context.
            5714 HandleRange {
                /// The adapter.
                adapter: AdapterId,
                /// The context; null for those of immediate contexts' objects.
                context: D3d11ContextId,
                /// The next that was never used.
                next: DriverHandle,
                /// Where those for handles end, and those for what is mapped begin.
                end: DriverHandle,
                /// The next for what is mapped.
                next_mapped: u64 as Address,
                /// Bytes of a cache line where they are more than the least.
                line: u64 as Size,
            }

            /// Handles of a range that are used again, the last first, for memory of one size.
            5715 FreeHandles {
                /// The adapter.
                adapter: AdapterId,
                /// The context; null for those of immediate contexts' objects.
                context: D3d11ContextId,
                /// How much memory each has, in bytes.
                size: u64 as Size,
                /// Which.
                handles: Vec<DriverHandle>,
            }

            /// Handles of command lists that are out of use, of the deferred context that made them.
            5716 UnusedLists {
                /// The context.
                context: D3d11ContextId,
                /// Those that it has not got back yet.
                out_of_use: Vec<UnusedHandle>,
                /// Those that it has.
                returned: Vec<UnusedHandle>,
            }

            /// What a command list holds.
            5717 ListHolds {
                /// Which.
                command_list: D3d11CommandListId,
                /// The context that made it.
                maker: D3d11ContextId,
                /// What it recorded: it holds each once.
                objects: Vec<ObjectId>,
            }

            /// The memory of a resource. It outlives the resource's final release while a staging texture is bound to it.
            5718 D3d11Memory {
                /// The resource it was created for.
                resource: D3d11ResourceId,
                /// Where it lies.
                memory: D3d11ResourceMemory,
                /// The resource itself, and the staging textures bound to it.
                users: u32 as Count,
                /// Open maps, as far as an extension has to know.
                maps: u32 as Count,
            }
        }
    };
}
