//! State: Direct3D 11 contexts, with their recordings, bindings and open handles.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_context_state {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// A context. RecordedCall and RecordedEffect records before this one hold its recording.
            5744 OpenContext {
                /// The context.
                context: D3d11ContextId,
                /// The context's device.
                device: D3d11DeviceId,
                /// Kind of the context.
                kind: D3d11ContextKind,
                /// True if the driver has handles per context.
                has_handles: bool,
                /// True if the device has an extension in use.
                extended: bool,
                /// True if the device is removed, as far as the context has noticed.
                lost: bool,
                /// True if the device was removed in a call on this context and the other contexts have not noticed
                /// yet.
                is_removal_unreported was is_to_tell: bool,
                /// True if the driver ran out of memory: nothing is recorded until FinishCommandList.
                poisoned: bool,
                /// Error code that the driver's last call returns instead of having an effect.
                returned: Option<HResultCode>,
                /// Mapped subresources, in order.
                maps: Vec<MappedSubresource>,
                /// Resources that the GPU still writes.
                being_written: Vec<D3d11ResourceId>,
                /// hDevice, as passed to the driver.
                device_handle: DriverHandle,
                /// The handle that the driver passes to its callbacks.
                core_layer: DriverHandle,
                /// The slots of the context's table that the driver filled.
                table: Vec<u32>,
                /// Handles that the immediate context has for one call only.
                passing: Vec<DriverHandle>,
                /// The context-state object in use; null before the first swap.
                current: D3d11ContextStateId,
                /// True if the driver no longer has the bindings.
                bindings_stale was is_stale: bool,
                /// True if the runtime stores the context's calls: the driver builds no command lists.
                defers_commands was keeps_calls: bool,
                /// Handles of the objects that a recording in playback names.
                executing_handles was playing: Vec<ExecutingHandle>,
                /// Objects of an abandoned recording that the context still holds.
                abandoned_objects was let_go: Vec<ObjectId>,
                /// Dynamic resources that the recording has mapped.
                discarded: Vec<MappedDiscard>,
                /// Queries that were begun on the context, and not ended.
                begun: Vec<D3d11QueryId>,
                /// Queries that the recording begins or ends.
                queried: Vec<D3d11QueryId>,
            }

            /// Memory of a context's handle.
            5745 HandleBytes {
                /// The context.
                context: D3d11ContextId,
                /// The handle of the memory.
                handle: DriverHandle,
                /// Kind of the memory.
                kind: HandleMemoryKind,
                /// The whole memory.
                bytes: Bytes,
            }

            /// An object that a context holds.
            5746 HeldObject {
                /// The context.
                context: D3d11ContextId,
                /// The object.
                object: ObjectId,
                /// The object's handle of this deferred context; null while it is not open.
                handle: DriverHandle,
                /// True if it is counted among the object's internal references; else a view held by the context holds
                /// it.
                pinned: bool,
            }

            /// A context-state object with stored bindings.
            5747 StoredBindings was KeptBindings {
                /// The context.
                context: D3d11ContextId,
                /// The state object.
                context_state: ObjectId,
            }

            /// A call that restores a binding of a context, or of a context-state object.
            5748 BoundCall {
                /// The context.
                context: D3d11ContextId,
                /// The context-state object; null for the context's own bindings.
                context_state: ObjectId,
                /// The call.
                call: ContextCall,
            }

            /// A call of a recording that the runtime stores, in order.
            5749 RecordedCall {
                /// The recording context, or the command list.
                recording: ObjectId,
                /// The call.
                call: ContextCall,
            }

            /// An operation of the GPU in a recording, in order.
            5750 RecordedEffect {
                /// The recording context, or the command list.
                recording: ObjectId,
                /// The operation.
                work: RecordedWork,
            }

            /// State after the work of an immediate context; ResourceContent and QueryFound hold the rest.
            5753 ContextContents {
                /// The immediate context.
                context: D3d11ContextId,
                /// Queries that were issued after the last submission.
                unsubmitted: Vec<D3d11QueryId>,
                /// The predicate in effect.
                predicate: Option<PredicationBinding>,
            }

            /// Contents of a resource after the work of an immediate context, as far as known.
            5751 ResourceContent {
                /// The immediate context.
                context: D3d11ContextId,
                /// The resource.
                resource: D3d11ResourceId,
                /// One colour everywhere, as the bits of four floats; empty if the resource holds bytes.
                colour: Vec<u32>,
                /// Bytes from the resource's beginning.
                bytes: Bytes,
            }

            /// Result of a query of an immediate context, or its count so far.
            5752 QueryFound {
                /// The immediate context.
                context: D3d11ContextId,
                /// The query.
                query: D3d11QueryId,
                /// True while the query counts.
                is_counting: bool,
                /// Result or count.
                found: u64,
            }
        }
    };
}
