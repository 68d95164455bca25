//! State: contexts of Direct3D 11, and what is recorded, bound and open in them.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_context_state {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// A context, as it stands. RecordedCall and RecordedEffect before it say what it records.
            5744 OpenContext {
                /// Which.
                context: D3d11ContextId,
                /// Its device.
                device: D3d11DeviceId,
                /// What it is.
                kind: D3d11ContextKind,
                /// Its driver has handles per context.
                has_handles: bool,
                /// Its device has an extension in use.
                extended: bool,
                /// The device is gone, as far as it knows.
                lost: bool,
                /// The device went in a call of its own, and nobody else knows yet.
                is_to_tell: bool,
                /// The driver ran out of memory: nothing is recorded until FinishCommandList.
                poisoned: bool,
                /// What the driver's last call answers instead of having done anything.
                returned: Option<HResultCode>,
                /// Subresources that are mapped, in their order.
                maps: Vec<MappedSubresource>,
                /// Resources whose memory the graphics processor still writes.
                being_written: Vec<D3d11ResourceId>,
                /// hDevice, as the driver is told it.
                device_handle: DriverHandle,
                /// The handle by which the driver calls back.
                core_layer: DriverHandle,
                /// The slots of its table that the driver filled.
                table: Vec<u32>,
                /// Handles that the immediate context knows for one call.
                passing: Vec<DriverHandle>,
                /// The state object that is in it; null until one was swapped in.
                current: D3d11ContextStateId,
                /// The driver has forgotten what is bound.
                is_stale: bool,
                /// The runtime keeps its calls: the driver builds no command lists.
                keeps_calls: bool,
                /// Handles of what a recording that is being played names.
                playing: Vec<PlayedHandle>,
                /// Objects of a recording that came to nothing, which it still holds.
                let_go: Vec<ObjectId>,
                /// Dynamic resources that its recording has mapped.
                discarded: Vec<DiscardedResource>,
                /// Queries that were begun here, and have not ended.
                begun: Vec<D3d11QueryId>,
                /// Queries that its recording begins or ends.
                queried: Vec<D3d11QueryId>,
            }

            /// Memory of a context.
            5745 HandleBytes {
                /// The context.
                context: D3d11ContextId,
                /// The handle that it is behind.
                handle: DriverHandle,
                /// What memory.
                kind: HandleMemoryKind,
                /// All of it.
                bytes: Bytes,
            }

            /// An object that a context holds.
            5746 HeldObject {
                /// The context.
                context: D3d11ContextId,
                /// The object.
                object: ObjectId,
                /// Its handle of this deferred context; null while it is not open.
                handle: DriverHandle,
                /// It is counted among the object's pins; else a view that is held here holds it.
                pinned: bool,
            }

            /// A state object of a context keeps bindings.
            5747 KeptBindings {
                /// The context.
                context: D3d11ContextId,
                /// The state object.
                context_state: ObjectId,
            }

            /// A call that binds what is bound in a context, or kept by a state object of it.
            5748 BoundCall {
                /// The context.
                context: D3d11ContextId,
                /// The state object; null for what is bound.
                context_state: ObjectId,
                /// The call.
                call: ContextCall,
            }

            /// A call of a recording that the runtime keeps, in their order.
            5749 RecordedCall {
                /// The context that records it, or the command list.
                recording: ObjectId,
                /// The call.
                call: ContextCall,
            }

            /// Something that a recording has the graphics processor do, in their order.
            5750 RecordedEffect {
                /// The context that records it, or the command list.
                recording: ObjectId,
                /// What.
                work: RecordedWork,
            }

            /// What the work of an immediate context has left; ResourceContent and QueryFound say the rest.
            5753 ContextContents {
                /// The immediate context.
                context: D3d11ContextId,
                /// Queries that were issued since work was last submitted.
                unsubmitted: Vec<D3d11QueryId>,
                /// What its work depends on.
                predicate: Option<PredicationBinding>,
            }

            /// What a resource holds after the work of an immediate context, as far as it is known.
            5751 ResourceContent {
                /// The immediate context.
                context: D3d11ContextId,
                /// The resource.
                resource: D3d11ResourceId,
                /// One colour everywhere, as the bits of four floats; none if it holds bytes.
                colour: Vec<u32>,
                /// Bytes from its beginning.
                bytes: Bytes,
            }

            /// What a query of an immediate context has found, or has counted so far.
            5752 QueryFound {
                /// The immediate context.
                context: D3d11ContextId,
                /// The query.
                query: D3d11QueryId,
                /// It counts.
                is_counting: bool,
                /// What it has found.
                found: u64,
            }
        }
    };
}
