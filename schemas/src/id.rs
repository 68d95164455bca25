//! Typed object handles. Handles are given out in creation order over all objects together, and never reused.

use crate::field::{Field, HandleMap};
use crate::row::{CodecError, Decoder, Encoder};
use crate::table::{FieldSink, Role};
use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($( $(#[$meta:meta])* $Id:ident = $member:literal $(, $map:ident)?; )*) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
        pub struct $Id(pub u64);

        impl $Id {
            /// The null handle.
            pub const NULL: Self = Self(0);
        }

        impl Field for $Id {
            const MIN_BYTES: usize = 8;
            fn describe(sink: &mut FieldSink) {
                sink.named_or($member, concat!("Handle of the ", $member, "; 0 is null."), |sink| {
                    sink.scalar(8, Role::Id, None)
                });
            }
            fn encode(&self, encoder: &mut Encoder<'_>) {
                encoder.u64(self.0);
            }
            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError> {
                Ok(Self(decoder.u64()?))
            }
            fn map_handles(&mut self, map: &mut dyn HandleMap) {
                $( if self.0 != 0 {
                    self.0 = map.$map(self.0);
                } )?
                let _ = map;
            }
            fn visit_handles(&self, visit: &mut dyn FnMut(u64)) {
                $( if self.0 != 0 {
                    visit(ids!(@handle $map self));
                } )?
                let _ = visit;
            }
        }
    )* };
    (@handle map $id:ident) => { $id.0 };
}

ids! {
    /// An `ID3D12Device`. Devices are singletons per adapter: their handles are numbered per adapter, from 1, and
    /// are the same in every run.
    DeviceId = "device";
    /// An `ID3D12Heap`.
    HeapId = "heap", map;
    /// An `ID3D12Resource`.
    ResourceId = "resource", map;
    /// An `ID3D12CommandQueue`.
    CommandQueueId = "command_queue", map;
    /// An `ID3D12CommandAllocator`.
    CommandAllocatorId = "command_allocator", map;
    /// An `ID3D12GraphicsCommandList`.
    CommandListId = "command_list", map;
    /// An `ID3D12PipelineState`.
    PipelineStateId = "pipeline_state", map;
    /// An `ID3D12Fence`.
    FenceId = "fence", map;
    /// The `HANDLE` of an event of the operating system. Events are numbered apart, from 1.
    EventHandle = "event";
    /// A work item that a driver queued for background processing. Tasks are numbered apart, from 1.
    TaskId = "task";
    /// A SetBackgroundProcessingMode that commits results. Commits are numbered apart, from 1.
    CommitId = "commit";
    /// A specialised shader of a pipeline state, numbered by its driver; 0 is the generic one.
    VariantId = "variant";
    /// Any `ID3D12Object`: a heap, a resource, a fence, and so on.
    ObjectId = "object", map;
    /// An `ID3D11Device`, and its immediate context. Unlike `ID3D12Device`s they are objects like any other.
    D3d11DeviceId = "device", map;
    /// An `ID3D11Resource`.
    D3d11ResourceId = "resource", map;
}

macro_rules! objects {
    ($($Id:ident),*) => { $(
        impl From<$Id> for ObjectId {
            fn from(object: $Id) -> Self {
                ObjectId(object.0)
            }
        }
    )* };
}

objects!(
    HeapId,
    ResourceId,
    CommandQueueId,
    CommandAllocatorId,
    CommandListId,
    PipelineStateId,
    FenceId,
    D3d11DeviceId,
    D3d11ResourceId
);
