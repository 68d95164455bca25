//! Descriptors of Direct3D 11 in the records of a rundown.

use crate::code::codes;
use crate::d3d11_desc::D3d11ResourceLayout;
use crate::desc::{DriverHandle, descs};
use crate::field::{Bytes, Field, HandleMap};
use crate::id::{D3d11ContextStateId, D3d11DeviceId, D3d11ResourceId};
use crate::identity::ObjectId;
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::{CodeSchema, FieldSink};
use serde::{Deserialize, Serialize};
use std::fmt;

codes! {
    /// Kind of a Direct3D 11 context.
    code D3d11ContextKind { IMMEDIATE = 0, DEFERRED = 1, }

    /// Memory of a context: that of a handle of its own, its copy of an immediate context's handle memory, or the bytes
    /// written there since.
    code HandleMemoryKind { OWN = 0, KNOWN = 1, WRITTEN = 2, }

    /// A context's call in a rundown: a binding, or a recorded call that the runtime stores.
    code ContextCallKind {
        COPY = 0, BLEND_STATE = 1, SHADER_RESOURCES = 2, CONSTANT_BUFFERS = 3, SAMPLERS = 4, SHADER = 5, INPUT_LAYOUT = 6,
        VERTEX_BUFFERS = 7, INDEX_BUFFER = 8, PRIMITIVE_TOPOLOGY = 9, RASTERIZER_STATE = 10, VIEWPORTS = 11,
        SCISSOR_RECTS = 12, RENDER_TARGETS = 13, UNORDERED_ACCESS_VIEWS = 14, DEPTH_STENCIL_STATE = 15, PREDICATION = 16,
        DRAW = 17, DRAW_INDEXED = 18, DRAW_INSTANCED = 19, DRAW_INDEXED_INSTANCED = 20, DISPATCH = 21,
        CLEAR_RENDER_TARGET = 22, CLEAR_DEPTH_STENCIL = 23, CLEAR_UNORDERED_ACCESS = 24, UPDATE = 25, QUERY_BEGIN = 26,
        QUERY_END = 27, MAP = 28, UNMAP = 29, EXECUTE_COMMAND_LIST = 30,
    }

    /// Work of the GPU in a recording.
    code RecordedWorkKind {
        FILL = 0, FILL_UNKNOWN = 1, FILL_BYTES = 2, COPY = 3, DRAW = 4, QUERY_BEGIN = 5, QUERY_END = 6, PREDICATE = 7,
        LIST = 8,
    }
}

descs! {
    /// Common state of every Direct3D 11 object.
    D3d11ObjectState {
        /// Name; empty if the object has none.
        name: String,
        /// The device that the object belongs to; a device belongs to itself.
        device: D3d11DeviceId,
        /// The public reference count.
        count: u32 as Count,
        /// Number of internal references: from contexts, command lists, and objects created from it.
        pins: u32 as Count,
        /// True if the device was removed; noticed when a context opens the object.
        is_lost: bool,
        /// Handle of the immediate context; null if there is none.
        handle: DriverHandle,
        /// Size of its handles of deferred contexts, in bytes.
        deferred_size was deferred: u64 as Size,
        /// The whole memory of its handle at the end of its creation.
        image: Bytes,
    }

    /// A context-state object of an immediate context that stores bindings.
    #[derive(Copy)]
    StoredContextState {
        /// The context state.
        context_state: D3d11ContextStateId,
        /// True if it has been destroyed since.
        has_ended: bool,
    }

    /// An unused handle of a command list.
    #[derive(Copy)]
    UnusedHandle {
        /// The handle.
        handle: DriverHandle,
        /// Size of its memory, in bytes.
        size: u64 as Size,
    }

    /// A subresource that a context has mapped.
    #[derive(Copy)]
    MappedSubresource {
        /// The resource.
        resource: D3d11ResourceId,
        /// Index of the subresource.
        subresource: u32,
    }

    /// A dynamic resource that a recording has mapped.
    #[derive(Copy)]
    MappedDiscard {
        /// The resource.
        resource: D3d11ResourceId,
        /// Address of its newest contents.
        address: u64 as Address,
    }

    /// The handle by which a recording in playback names an object.
    #[derive(Copy)]
    ExecutingHandle {
        /// The object.
        object: ObjectId,
        /// The handle.
        handle: DriverHandle,
    }

    /// The memory of a Direct3D 11 resource.
    #[derive(Copy)]
    D3d11ResourceMemory {
        /// Address of its first byte.
        address: u64 as Address,
        /// The driver's layout.
        layout: D3d11ResourceLayout,
    }

    /// A call of a context.
    ContextCall {
        /// Kind of the call.
        call: ContextCallKind,
        /// Objects that the call names, in the order of its arguments.
        objects: Vec<ObjectId>,
        /// Numbers of the call, in the order of its arguments; for several bindings those of each in turn.
        numbers: Vec<u64>,
    }

    /// Work that a recording submits to the GPU.
    RecordedWork {
        /// Kind of the work.
        work: RecordedWorkKind,
        /// The resources, query or command list of the work.
        objects: Vec<ObjectId>,
        /// Colour of a fill; write mask, coverage, pixels and colour of a draw; type of a query; value of a predicate.
        numbers: Vec<u64>,
        /// The bytes of a fill.
        bytes: Bytes,
    }
}
