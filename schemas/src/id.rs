//! Typed ids, each in its space of numbers. No number of a space is assigned twice.

use crate::creates::{Created, Creates};
use crate::field::{Field, HandleMap};
use crate::hresult::HResult;
use crate::identity::{AdapterId, IdSpace, ObjectId};
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::FieldSink;
use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($Space:ident; $( $(#[$meta:meta])* $Id:ident = $member:literal; )*) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
        pub struct $Id(pub u64);

        id_fields! { $Space; $Id = $member; }
    )* };
}

macro_rules! id_fields {
    ($Space:ident; $Id:ident = $member:literal;) => {
        impl $Id {
            /// The null handle.
            pub const NULL: Self = Self(0);
            /// The space of the id's numbers.
            pub const SPACE: IdSpace = IdSpace::$Space;
        }

        impl Field for $Id {
            const MIN_BYTES: usize = 8;
            fn describe(sink: &mut FieldSink) {
                sink.named_or($member, concat!("Handle of the ", $member, "; 0 is null."), |sink| {
                    sink.id(8, Self::SPACE)
                });
            }
            fn encode(&self, encoder: &mut Encoder<'_>) {
                encoder.u64(self.0);
            }
            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError> {
                Ok(Self(decoder.u64()?))
            }
            #[inline]
            fn from_numbers(numbers: &mut impl Iterator<Item = u64>) -> Option<Self> {
                Some(Self(numbers.next()?))
            }
            fn map_handles(&mut self, map: &mut dyn HandleMap) {
                if *self != Self::NULL {
                    self.0 = map.map(Self::SPACE, self.0);
                }
            }
            fn adapter(&self) -> Option<AdapterId> {
                Self::SPACE.adapter_of(self.0)
            }
            fn visit_objects(&self, visit: &mut dyn FnMut(ObjectId)) {
                if Self::SPACE == IdSpace::Object && *self != Self::NULL {
                    visit(ObjectId(self.0));
                }
            }
        }
    };
}

/// Implements the conversions of object ids: each converts to an [`ObjectId`], and a call may create one.
macro_rules! objects {
    ($Space:ident; $( $(#[$meta:meta])* $Id:ident = $member:literal; )*) => { $(
        impl From<$Id> for ObjectId {
            fn from(object: $Id) -> Self {
                ObjectId(object.0)
            }
        }

        impl Created<HResult<$Id>> for $Id {
            const CREATES: Creates = Creates::One;
        }

        impl Created<HResult<Vec<$Id>>> for [$Id] {
            const CREATES: Creates = Creates::Several;
        }
    )* };
}

macro_rules! object_ids {
    ($handler:ident) => {
        $handler! {
            Object;
            /// An `ID3D12Heap`.
            HeapId = "heap";
            /// An `ID3D12Resource`.
            ResourceId = "resource";
            /// An `ID3D12CommandQueue`.
            CommandQueueId = "command_queue";
            /// An `ID3D12CommandAllocator`.
            CommandAllocatorId = "command_allocator";
            /// An `ID3D12GraphicsCommandList`.
            CommandListId = "command_list";
            /// An `ID3D12PipelineState`.
            PipelineStateId = "pipeline_state";
            /// An `ID3D12Fence`.
            FenceId = "fence";
            /// An `ID3D12RootSignature`.
            RootSignatureId = "root_signature";
            /// An `ID3D12QueryHeap`.
            QueryHeapId = "query_heap";
            /// An `ID3D12CommandSignature`.
            CommandSignatureId = "command_signature";
            /// An `ID3D12DescriptorHeap`.
            DescriptorHeapId = "descriptor_heap";
            /// An `ID3D11Device`. Unlike `ID3D12Device`s they are objects like any other.
            D3d11DeviceId = "device";
            /// An `ID3D11DeviceContext`, immediate or deferred.
            D3d11ContextId = "context";
            /// An `ID3D11Resource`.
            D3d11ResourceId = "resource";
            /// An `ID3D11View`.
            D3d11ViewId = "view";
            /// An `ID3D11BlendState`, or another of the four state objects.
            D3d11StateId = "state";
            /// An `ID3D11VertexShader`, or a shader of another stage.
            D3d11ShaderId = "shader";
            /// An `ID3D11InputLayout`.
            D3d11InputLayoutId = "input_layout";
            /// An `ID3D11Query`, a predicate among them.
            D3d11QueryId = "query";
            /// An `ID3D11CommandList`.
            D3d11CommandListId = "command_list";
            /// An `ID3DDeviceContextState`.
            D3d11ContextStateId = "context_state";
        }
    };
}
object_ids!(ids);
object_ids!(objects);

id_fields! { Object; ObjectId = "object"; }
id_fields! { Adapter; AdapterId = "adapter"; }

ids! {
    Adapter;
    /// An `ID3D12Device`. Devices are singletons per adapter: their handles are numbered per adapter, from 1, and
    /// are the same in every run.
    DeviceId = "device";
}

ids! {
    Event;
    /// The `HANDLE` of an event of the operating system. Events are numbered apart, from 1.
    EventHandle = "event";
}

ids! {
    Task;
    /// A work item that a driver queued for background processing. Tasks are numbered apart, from 1.
    TaskId = "task";
}

ids! {
    Commit;
    /// A SetBackgroundProcessingMode that commits results. Commits are numbered apart, from 1.
    CommitId = "commit";
}

ids! {
    SwapChain;
    /// An `IDXGISwapChain`. Swap chains are numbered apart, from 1.
    SwapChainId = "swap_chain";
}

ids! {
    Variant;
    /// A specialised shader of a pipeline state, numbered by its driver; 0 is the generic one.
    VariantId = "variant";
}
