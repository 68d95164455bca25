//! What the records of a rundown have of Direct3D 11.

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
    /// What a context of Direct3D 11 is.
    code D3d11ContextKind { IMMEDIATE = 0, DEFERRED = 1, }

    /// Memory of a context: behind a handle of its own, what it knows of one of the immediate context, or what was written there
    /// since.
    code HandleMemoryKind { OWN = 0, KNOWN = 1, WRITTEN = 2, }

    /// A call of a context that a rundown has: of what is bound, and of a recording that the runtime keeps.
    code ContextCallKind {
        COPY = 0, BLEND_STATE = 1, SHADER_RESOURCES = 2, CONSTANT_BUFFERS = 3, SAMPLERS = 4, SHADER = 5, INPUT_LAYOUT = 6,
        VERTEX_BUFFERS = 7, INDEX_BUFFER = 8, PRIMITIVE_TOPOLOGY = 9, RASTERIZER_STATE = 10, VIEWPORTS = 11,
        SCISSOR_RECTS = 12, RENDER_TARGETS = 13, UNORDERED_ACCESS_VIEWS = 14, DEPTH_STENCIL_STATE = 15, PREDICATION = 16,
        DRAW = 17, DRAW_INDEXED = 18, DRAW_INSTANCED = 19, DRAW_INDEXED_INSTANCED = 20, DISPATCH = 21,
        CLEAR_RENDER_TARGET = 22, CLEAR_DEPTH_STENCIL = 23, CLEAR_UNORDERED_ACCESS = 24, UPDATE = 25, QUERY_BEGIN = 26,
        QUERY_END = 27, MAP = 28, UNMAP = 29, EXECUTE_COMMAND_LIST = 30,
    }

    /// What a recording has the graphics processor do.
    code RecordedWorkKind {
        FILL = 0, FILL_UNKNOWN = 1, FILL_BYTES = 2, COPY = 3, DRAW = 4, QUERY_BEGIN = 5, QUERY_END = 6, PREDICATE = 7,
        LIST = 8,
    }
}

descs! {
    /// What every object of Direct3D 11 has.
    D3d11ObjectState {
        /// Its name; empty if it has none.
        name: String,
        /// The device it belongs to; a device belongs to itself.
        device: D3d11DeviceId,
        /// The public reference count.
        count: u32 as Count,
        /// What holds it besides: contexts, command lists, what was made of it.
        pins: u32 as Count,
        /// The device was removed: who opens the object notices.
        is_lost: bool,
        /// Its handle of the immediate context; null if it has none.
        handle: DriverHandle,
        /// How large its handles of deferred contexts are, in bytes.
        deferred: u64 as Size,
        /// What the memory behind its handle held when its creation was over: all of it.
        image: Bytes,
    }

    /// A state of an immediate context that keeps bindings.
    #[derive(Copy)]
    KeptContextState {
        /// Which.
        context_state: D3d11ContextStateId,
        /// It has ended since.
        has_ended: bool,
    }

    /// A command list's handle that is out of use.
    #[derive(Copy)]
    UnusedHandle {
        /// Which.
        handle: DriverHandle,
        /// How much memory it has, in bytes.
        size: u64 as Size,
    }

    /// A subresource that a context has mapped.
    #[derive(Copy)]
    MappedSubresource {
        /// Its resource.
        resource: D3d11ResourceId,
        /// Which.
        subresource: u32,
    }

    /// A dynamic resource that a recording has mapped.
    #[derive(Copy)]
    DiscardedResource {
        /// Which.
        resource: D3d11ResourceId,
        /// Where its newest contents lie.
        address: u64 as Address,
    }

    /// The handle by which a recording that is being played names an object.
    #[derive(Copy)]
    PlayedHandle {
        /// The object.
        object: ObjectId,
        /// The handle.
        handle: DriverHandle,
    }

    /// The memory of a resource of Direct3D 11.
    #[derive(Copy)]
    D3d11ResourceMemory {
        /// Its first byte.
        address: u64 as Address,
        /// What the driver made of it.
        layout: D3d11ResourceLayout,
    }

    /// A call of a context.
    ContextCall {
        /// Which.
        call: ContextCallKind,
        /// The objects that it names, in the order of its arguments.
        objects: Vec<ObjectId>,
        /// Its numbers, in the order of its arguments; of several bindings those of each in turn.
        numbers: Vec<u64>,
    }

    /// Something that a recording has the graphics processor do.
    RecordedWork {
        /// What.
        work: RecordedWorkKind,
        /// The resources, the query or the command list that it is about.
        objects: Vec<ObjectId>,
        /// Of a fill its colour, of a draw write mask, coverage, pixels and colour; a query's type; a predicate's value.
        numbers: Vec<u64>,
        /// What a resource is filled with.
        bytes: Bytes,
    }
}
