//! State of objects, each under its own lock in the live shell.

mod saved;

use super::command_list::CommandList;
use super::d3d11_object::D3d11Object;
use super::pipeline_state::PipelineState;
use crate::memory::slots::Slots;
use std::sync::Arc;
use taut_schemas::{
    CommandListType, CpuDescriptorHandle, DescriptorHeapDesc, Dimension, HeapDesc, HeapId, HeapType, ObjectId,
    ResourceDesc, TextureLayout,
};

/// State of one object.
#[derive(Debug, Clone)]
pub struct Object {
    /// Name for tools; empty if it has none.
    pub(crate) name: Box<str>,
    pub(crate) kind: ObjectKind,
}

impl Object {
    pub(crate) fn heap(desc: HeapDesc) -> Object {
        Object { name: Box::default(), kind: ObjectKind::Heap(desc) }
    }

    pub(crate) fn resource(resource: ResourceState) -> Object {
        Object { name: Box::default(), kind: ObjectKind::Resource(resource) }
    }

    pub(crate) fn new(kind: ObjectKind) -> Object {
        Object { name: Box::default(), kind }
    }

    pub(crate) fn d3d11(object: D3d11Object) -> Object {
        Object { name: Box::default(), kind: ObjectKind::D3d11(Box::new(object)) }
    }

    /// Name that the application set; empty without a name.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn as_heap(&self) -> Option<&HeapDesc> {
        match &self.kind {
            ObjectKind::Heap(heap) => Some(heap),
            _ => None,
        }
    }

    pub(crate) fn as_resource(&self) -> Option<&ResourceState> {
        match &self.kind {
            ObjectKind::Resource(resource) => Some(resource),
            _ => None,
        }
    }

    pub(crate) fn as_resource_mut(&mut self) -> Option<&mut ResourceState> {
        match &mut self.kind {
            ObjectKind::Resource(resource) => Some(resource),
            _ => None,
        }
    }
}

impl Object {
    pub(crate) fn as_d3d11(&self) -> Option<&D3d11Object> {
        match &self.kind {
            ObjectKind::D3d11(object) => Some(object),
            _ => None,
        }
    }

    pub(crate) fn as_d3d11_mut(&mut self) -> Option<&mut D3d11Object> {
        match &mut self.kind {
            ObjectKind::D3d11(object) => Some(object),
            _ => None,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) enum ObjectKind {
    /// The description from creation, with the alignment resolved.
    Heap(HeapDesc),
    Resource(ResourceState),
    PipelineState(Arc<PipelineState>),
    CommandQueue,
    CommandAllocator(CommandListType),
    CommandList(Box<CommandList>),
    Fence,
    RootSignature,
    QueryHeap,
    CommandSignature,
    DescriptorHeap(DescriptorHeap),
    D3d11(Box<D3d11Object>),
}

/// State of a descriptor heap; it never changes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DescriptorHeap {
    /// The description from creation.
    pub desc: DescriptorHeapDesc,
    /// First descriptor.
    pub address: CpuDescriptorHandle,
}

/// Kind of a resource's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResourcePlacement {
    /// An allocation of the resource's own, released with it.
    Committed,
    /// Part of a heap.
    Placed(HeapId),
    /// Address space without memory, released with the resource.
    Reserved,
}

/// State of a resource.
#[derive(Debug, Clone)]
pub(crate) struct ResourceState {
    /// The description from creation, with mip levels and alignment resolved.
    pub desc: ResourceDesc,
    pub home: ResourcePlacement,
    /// GPU address of the first byte.
    pub address: u64,
    /// Size of the memory, in bytes.
    pub size_bytes: u64,
    /// True if the CPU can map the memory.
    pub mappable: bool,
    /// Number of subresources, planes included.
    pub subresources: u32,
    /// Open maps as (subresource, count). Only counts above 0 are stored, so the list is almost always empty or of
    /// length 1.
    pub maps: Vec<(u32, u32)>,
    /// True if the memory is shared across adapters.
    pub is_shared: bool,
    pub created: Creation,
}

/// Arguments and results of a resource's creation that only reports on mid-stream traces need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Creation {
    /// D3D12_RESOURCE_DESC::Alignment.
    pub requested_alignment_bytes: u64,
    /// D3D12_RESOURCE_ALLOCATION_INFO::Alignment, as the API reports it.
    pub reported_alignment_bytes: u64,
    /// Size of the implicit heap, in bytes; 0 if there is none.
    pub implicit_heap_bytes: u64,
    /// Type of the heap that contains the resource; `NONE` without a heap.
    pub heap_type: HeapType,
}

impl ResourceState {
    /// True if the bytes are in rows, so that Map returns a pointer.
    pub fn is_linear(&self) -> bool {
        self.desc.dimension == Dimension::BUFFER || self.desc.layout == TextureLayout::ROW_MAJOR
    }
}

/// Access to the objects that a call names, and to the slot of an object that it creates.
pub trait Objects {
    /// The object, if it is alive.
    fn get(&self, id: ObjectId) -> Option<&Object>;
    /// The object, if it is alive.
    fn get_mut(&mut self, id: ObjectId) -> Option<&mut Object>;
    /// Inserts a new object under an id that was never used.
    fn insert(&mut self, id: ObjectId, object: Object);
    /// Removes an object; its id is not used again.
    fn remove(&mut self, id: ObjectId) -> Option<Object>;
}

/// Table of all objects, for replay and tests. Ids are dense.
#[derive(Debug, Default)]
pub struct ObjectTable {
    slots: Slots<Object>,
}

impl ObjectTable {
    /// Number of live objects.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// All live objects, by ascending id.
    pub fn iter(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.slots.iter().map(|(id, object)| (ObjectId(id), object))
    }

    /// True if no object is alive.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Objects for ObjectTable {
    fn get(&self, id: ObjectId) -> Option<&Object> {
        self.slots.get(id.0)
    }

    fn get_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        self.slots.get_mut(id.0)
    }

    fn insert(&mut self, id: ObjectId, object: Object) {
        self.slots.insert(id.0, object);
    }

    fn remove(&mut self, id: ObjectId) -> Option<Object> {
        self.slots.remove(id.0)
    }
}
