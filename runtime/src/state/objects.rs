//! The objects' own states, each under its own lock in the live shell.

mod saved;

use super::command_list::CommandList;
use super::d3d11_object::D3d11Object;
use super::pipeline_state::PipelineState;
use crate::memory::slots::Slots;
use std::sync::Arc;
use taut_schemas::{CommandListType, Dimension, HeapDesc, HeapId, HeapType, ObjectId, ResourceDesc, TextureLayout};

/// An object's own state.
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

    pub(crate) fn of(kind: ObjectKind) -> Object {
        Object { name: Box::default(), kind }
    }

    pub(crate) fn d3d11(object: D3d11Object) -> Object {
        Object { name: Box::default(), kind: ObjectKind::D3d11(Box::new(object)) }
    }

    /// The name the application gave it; empty if none.
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
    /// The description it was created with, alignment resolved.
    Heap(HeapDesc),
    Resource(ResourceState),
    PipelineState(Arc<PipelineState>),
    CommandQueue,
    CommandAllocator(CommandListType),
    CommandList(Box<CommandList>),
    Fence,
    D3d11(Box<D3d11Object>),
}

/// Where a resource lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Home {
    /// In an allocation of its own, which ends with it.
    Committed,
    /// In a heap.
    Placed(HeapId),
    /// In address space alone, which ends with it.
    Reserved,
}

/// A resource's state.
#[derive(Debug, Clone)]
pub(crate) struct ResourceState {
    /// The description it was created with, mip levels and alignment resolved.
    pub desc: ResourceDesc,
    pub home: Home,
    /// First byte of its memory.
    pub address: u64,
    /// Bytes of its memory.
    pub size_bytes: u64,
    /// The processor can reach its memory.
    pub mappable: bool,
    /// Subresources, planes included.
    pub subresources: u32,
    /// Open maps as (subresource, count), only those that are not 0; almost always empty or one.
    pub maps: Vec<(u32, u32)>,
    /// Its memory is shared across adapters.
    pub is_shared: bool,
    pub created: Creation,
}

/// What a resource's creation asked for and was told, as far as nothing depends on it but reports of what starts in mid-stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Creation {
    /// D3D12_RESOURCE_DESC::Alignment.
    pub asked_alignment_bytes: u64,
    /// D3D12_RESOURCE_ALLOCATION_INFO::Alignment, as the API reports it.
    pub reported_alignment_bytes: u64,
    /// The size of its own heap; 0 if it has none.
    pub implicit_heap_bytes: u64,
    /// The type of the heap it lies in; none if it lies in none.
    pub heap_type: HeapType,
}

impl ResourceState {
    /// Its bytes lie in rows, so that Map has a pointer to them.
    pub fn is_linear(&self) -> bool {
        self.desc.dimension == Dimension::BUFFER || self.desc.layout == TextureLayout::ROW_MAJOR
    }
}

/// A view of the objects that a call names, and of the slot it may create one in.
pub trait Objects {
    /// The object, if it is alive.
    fn get(&self, id: ObjectId) -> Option<&Object>;
    /// The object, if it is alive.
    fn get_mut(&mut self, id: ObjectId) -> Option<&mut Object>;
    /// Puts a new object at an id that no object has had.
    fn insert(&mut self, id: ObjectId, object: Object);
    /// Takes the object out; its id stays dead.
    fn remove(&mut self, id: ObjectId) -> Option<Object>;
}

/// Every object, for replay and tests. Ids are dense.
#[derive(Debug, Default)]
pub struct ObjectTable {
    slots: Slots<Object>,
}

impl ObjectTable {
    /// How many objects are alive.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Every object that is alive, by ascending id.
    pub fn iter(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.slots.iter().map(|(id, object)| (ObjectId(id), object))
    }

    /// Whether none is alive.
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
