//! A call of a context, as the driver is to hear of it: what a deferred context keeps on a driver that builds no command lists
//! (rule H-82), and what tells a driver anew what is bound.

mod saved;

use super::bindings::BlendBinding;
use super::d3d11_object::{D3d11Kind, D3d11Object};
use std::collections::BTreeMap;
use std::sync::Arc;
use taut_schemas::{
    ClearFlags, D3d11CommandListId, D3d11InputLayoutId, D3d11QueryId, D3d11Rect, D3d11ResourceId, D3d11ShaderId,
    D3d11StateId, D3d11ViewId, D3d11Viewport, DepthStencilStateBinding, IndexBufferBinding, MapType, ObjectId,
    PredicationBinding, PrimitiveTopology, RenderTargetBinding, ShaderStage, VertexBufferBinding,
};

/// A recorded call.
#[derive(Debug, Clone)]
pub(crate) enum Token {
    Copy { destination: D3d11ResourceId, source: D3d11ResourceId },
    Blend(BlendBinding),
    Views { at: (ShaderStage, u32), views: Vec<ObjectId> },
    Buffers { at: (ShaderStage, u32), buffers: Vec<ObjectId> },
    Samplers { at: (ShaderStage, u32), samplers: Vec<ObjectId> },
    Shader { stage: ShaderStage, shader: D3d11ShaderId },
    InputLayout(D3d11InputLayoutId),
    VertexBuffers { start: u32, buffers: Vec<VertexBufferBinding> },
    IndexBuffer(IndexBufferBinding),
    Topology(PrimitiveTopology),
    Rasterizer(D3d11StateId),
    Viewports(Vec<D3d11Viewport>),
    Scissors(Vec<D3d11Rect>),
    Targets(RenderTargetBinding),
    Unordered { start: u32, views: Vec<ObjectId> },
    DepthStencil(DepthStencilStateBinding),
    Predication(PredicationBinding),
    Draw { vertex_count: u32, start_vertex: u32 },
    DrawIndexed { index_count: u32, start_index: u32, base_vertex: u32 },
    DrawInstanced { counts: [u32; 2], starts: [u32; 2] },
    DrawIndexedInstanced { counts: [u32; 2], start_index: u32, base_vertex: u32, start_instance: u32 },
    Dispatch([u32; 3]),
    ClearTarget { view: D3d11ViewId, color: Vec<u32> },
    ClearDepth { view: D3d11ViewId, flags: ClearFlags, depth: u32, stencil: u32 },
    ClearUnordered { view: D3d11ViewId, values: Vec<u32> },
    Update { resource: D3d11ResourceId, subresource: u32, size_bytes: u64 },
    QueryBegin(D3d11QueryId),
    QueryEnd(D3d11QueryId),
    Map { resource: D3d11ResourceId, subresource: u32, map_type: MapType },
    Unmap { resource: D3d11ResourceId, subresource: u32 },
    Execute(D3d11CommandListId),
}

/// A finished recording, and the objects that it names, as far as they do not change.
#[derive(Debug)]
pub(crate) struct Recording {
    pub tokens: Vec<Token>,
    pub objects: BTreeMap<ObjectId, D3d11Object>,
}

impl Drop for Recording {
    /// Lists nest as deep as one likes: their recordings are let go of one by one, not on the stack.
    fn drop(&mut self) {
        let mut waiting = Vec::new();
        let take_nested = |recording: &mut Recording, waiting: &mut Vec<Arc<Recording>>| {
            for object in recording.objects.values_mut() {
                if let D3d11Kind::CommandList(list) = &mut object.kind {
                    waiting.extend(list.recording.take());
                }
            }
        };
        take_nested(self, &mut waiting);
        while let Some(mut nested) = waiting.pop() {
            // Of several holders the last one does it.
            if let Some(nested) = Arc::get_mut(&mut nested) {
                take_nested(nested, &mut waiting);
            }
        }
    }
}
