//! State: data shared by the Direct3D 11 devices.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_state {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// An adapter that has had a Direct3D 11 device with handles per context.
            5712 D3d11Devices {
                /// The adapter.
                adapter: AdapterId,
                /// Contexts created so far.
                contexts: u64 as Count,
                /// The context in whose call the device was removed, until every object has noticed; null if there is
                /// none.
                removed_by: D3d11ContextId,
                /// Context-state objects that store bindings.
                stored_states was kept_states: Vec<StoredContextState>,
            }

            /// A driver's answers at the creation of a device; the device's objects may outlive its handle.
            5713 D3d11DeviceFacts {
                /// The device.
                device: D3d11DeviceId,
                /// Immediate context of the device.
                immediate_context: D3d11ContextId,
                /// Threading capabilities of the driver.
                caps: ThreadingCaps,
                /// hDevice of the immediate context.
                device_handle: DriverHandle,
                /// Result of CheckDeferredContextHandleSizes.
                sizes: Vec<HandleSize>,
                /// Memory of the device's handle at the end of its creation.
                image: Bytes,
                /// Live objects of the device.
                objects: u64 as Count,
            }

            /// Addresses for handles: of an immediate context's objects, or of a context.
            5714 HandleRange {
                /// The adapter.
                adapter: AdapterId,
                /// The context; null for those of immediate contexts' objects.
                context: D3d11ContextId,
                /// The next unused address for a handle.
                next: DriverHandle,
                /// End of the addresses for handles, and start of those for mapped memory.
                end: DriverHandle,
                /// The next address for mapped memory.
                next_mapped: u64 as Address,
                /// Size of a cache line if it is more than the min; else 0.
                line: u64 as Size,
            }

            /// Reusable handles of a range, last released first, for memory of one size.
            5715 FreeHandles {
                /// The adapter.
                adapter: AdapterId,
                /// The context; null for those of immediate contexts' objects.
                context: D3d11ContextId,
                /// Size of each handle's memory, in bytes.
                size: u64 as Size,
                /// The handles.
                handles: Vec<DriverHandle>,
            }

            /// Unused handles of command lists of a deferred context.
            5716 UnusedLists {
                /// The context.
                context: D3d11ContextId,
                /// Handles that have not been returned to the context.
                out_of_use: Vec<UnusedHandle>,
                /// Handles that have been returned to the context.
                returned: Vec<UnusedHandle>,
            }

            /// Objects held by a command list.
            5717 ListHolds {
                /// The command list.
                command_list: D3d11CommandListId,
                /// The context that created it.
                recorder was maker: D3d11ContextId,
                /// The objects that it recorded, each once.
                objects: Vec<ObjectId>,
            }

            /// Memory of a resource. The memory outlives the resource's final release while a staging texture is bound
            /// to it.
            5718 D3d11Memory {
                /// The resource that the memory was created for.
                resource: D3d11ResourceId,
                /// Address and layout.
                memory: D3d11ResourceMemory,
                /// Number of users: the resource itself, and the staging textures bound to it.
                users: u32 as Count,
                /// Open maps, as far as an extension needs the count.
                maps: u32 as Count,
            }
        }
    };
}
