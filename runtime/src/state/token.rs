//! What a deferred context records on a driver that builds no command lists: the runtime keeps it (rule H-82).

use super::bindings::BlendBinding;
use super::d3d11_object::D3d11Object;
use std::collections::BTreeMap;
use taut_schemas::{D3d11CommandListId, D3d11ResourceId, MapType, ObjectId, ShaderStage};

/// A recorded call.
#[derive(Debug, Clone)]
pub(crate) enum Token {
    Copy { destination: D3d11ResourceId, source: D3d11ResourceId },
    Blend(BlendBinding),
    Views { at: (ShaderStage, u32), views: Vec<ObjectId> },
    Buffers { at: (ShaderStage, u32), buffers: Vec<ObjectId> },
    Draw { vertex_count: u32, start_vertex: u32 },
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
