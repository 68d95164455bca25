//! Deferred commands. A deferred context records calls as deferred commands if the driver builds no command lists (rule
//! H-82), and the runtime passes bindings to a driver again as deferred commands.

mod saved;

use super::blend_binding::BlendBinding;
use taut_schemas::{
    ClearFlags, D3d11CommandListId, D3d11InputLayoutId, D3d11QueryId, D3d11Rect, D3d11ResourceId, D3d11ShaderId,
    D3d11StateId, D3d11ViewId, D3d11Viewport, DepthStencilStateBinding, IndexBufferBinding, MapType, ObjectId,
    PredicationBinding, PrimitiveTopology, RenderTargetBinding, ShaderStage, VertexBufferBinding,
};

/// A call of ID3D11DeviceContext. Floats are stored as bits; `Update` has the size of its data alone.
#[derive(Debug, Clone)]
pub(crate) enum DeferredCommand {
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
