//! Events of heaps, resources and names of Direct3D 12, independent of their versions.

use crate::events::{EventReader, Source};
use crate::memory::Allocation;
use taut_schemas::format::Format;
use taut_schemas::windows::{
    HeapRundown, HeapStart, HeapStop, ObjectName, ObjectNameRundown, Resource11Rundown, Resource11Start,
    Resource11Stop, ResourceRundown, ResourceStart, ResourceStop,
};
use taut_schemas::{
    CpuPageProperty, Dimension, HeapDesc, HeapFlags, HeapProperties, HeapType, MemoryPool, ResourceDesc, ResourceFlags,
    TextureLayout,
};

/// Source of a resource's memory, the field `HeapType`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// In a heap of the application.
    Placed,
    /// In an implicit heap.
    Committed,
    /// Addresses only, or a texture on a reserved buffer.
    Reserved,
    /// The resource that the runtime makes for a heap of the application.
    OfHeap,
    /// Chosen by Direct3D 11.
    Unknown,
}

impl Placement {
    fn new(number: u64) -> Option<Self> {
        Some(match number {
            0 => Self::Placed,
            1 => Self::Committed,
            2 => Self::OfHeap,
            3 | 4 => Self::Reserved,
            _ => return None,
        })
    }
}

/// A heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeapEvent {
    pub pointer: u64,
    pub desc: HeapDesc,
    /// Resource of the heap, 0 for none.
    pub resource: u64,
    /// True if the heap existed before the trace.
    pub is_rundown: bool,
}

/// A resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResourceEvent {
    pub pointer: u64,
    pub desc: ResourceDesc,
    pub placement: Placement,
    pub heap: u64,
    pub heap_offset_bytes: u64,
    /// `None` if the event states no size.
    pub allocation: Option<Allocation>,
    /// True if the resource existed before the trace.
    pub is_rundown: bool,
}

/// A change of the world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorldEvent {
    Heap(HeapEvent),
    HeapStop(u64),
    Resource(ResourceEvent),
    ResourceStop(u64),
    Name { object: u64, name: String },
}

/// Converts a record of the fields that creations and rundowns share.
macro_rules! heap {
    ($event:ident, $is_rundown:literal) => {
        WorldEvent::Heap(HeapEvent {
            pointer: $event.heap?,
            desc: HeapDesc {
                size_bytes: $event.size_bytes?,
                properties: HeapProperties {
                    heap_type: HeapType(narrow($event.heap_type)),
                    cpu_page_property: CpuPageProperty(narrow($event.cpu_page_property)),
                    memory_pool: MemoryPool(narrow($event.memory_pool)),
                    creation_node_mask: narrow($event.creation_node_mask),
                    visible_node_mask: narrow($event.visible_node_mask),
                },
                alignment_bytes: $event.alignment_bytes.unwrap_or_default(),
                flags: HeapFlags(narrow($event.flags)),
            },
            resource: $event.resource.unwrap_or_default(),
            is_rundown: $is_rundown,
        })
    };
}

macro_rules! resource {
    ($event:ident, $is_rundown:literal) => {{
        let dimension = Dimension(narrow($event.dimension));
        let slices = if dimension == Dimension::TEXTURE3D { $event.depth } else { $event.array_size };
        let allocation =
            |size_bytes| Allocation { size_bytes, alignment_bytes: $event.alignment_bytes.unwrap_or_default() };
        WorldEvent::Resource(ResourceEvent {
            pointer: $event.resource?,
            desc: ResourceDesc {
                dimension,
                // The events have the resulting alignment, not the requested one.
                alignment_bytes: 0,
                width: $event.width.unwrap_or_default(),
                height: narrow($event.height),
                depth_or_array_size: u16::try_from(slices.unwrap_or_default()).unwrap_or(u16::MAX),
                mip_levels: u16::try_from($event.mip_levels.unwrap_or_default()).unwrap_or(u16::MAX),
                format: Format(narrow($event.format)),
                sample_count: narrow($event.sample_count),
                sample_quality: narrow($event.sample_quality),
                layout: TextureLayout(narrow($event.layout)),
                flags: ResourceFlags(narrow($event.flags)),
            },
            placement: Placement::new($event.placement?)?,
            heap: $event.heap.unwrap_or_default(),
            heap_offset_bytes: $event.heap_offset_bytes.unwrap_or_default(),
            allocation: $event.size_bytes.filter(|bytes| *bytes > 0).map(allocation),
            is_rundown: $is_rundown,
        })
    }};
}

macro_rules! resource_11 {
    ($event:ident, $is_rundown:literal) => {{
        let dimension = Dimension(narrow($event.dimension));
        let slices = if dimension == Dimension::TEXTURE3D { $event.depth } else { $event.array_size };
        WorldEvent::Resource(ResourceEvent {
            pointer: $event.resource?,
            desc: ResourceDesc {
                dimension,
                width: $event.width?,
                height: narrow($event.height),
                depth_or_array_size: u16::try_from(slices.unwrap_or_default()).unwrap_or(u16::MAX),
                mip_levels: u16::try_from($event.mip_levels.unwrap_or_default()).unwrap_or(u16::MAX),
                format: Format(narrow($event.format)),
                sample_count: narrow($event.sample_count),
                ..ResourceDesc::default()
            },
            placement: Placement::Unknown,
            heap: 0,
            heap_offset_bytes: 0,
            allocation: None,
            is_rundown: $is_rundown,
        })
    }};
}

/// Numbers of the runtime have 32 bits; a larger one, of a damaged record, is none of them.
fn narrow(number: Option<u64>) -> u32 {
    u32::try_from(number.unwrap_or_default()).unwrap_or(u32::MAX)
}

impl WorldEvent {
    /// Reader of all events.
    pub fn reader(source: &Source) -> EventReader<'_, Self> {
        let mut reader = EventReader::new(source);
        reader.windows(|event: HeapStart| Some(heap!(event, false)));
        reader.windows(|event: HeapRundown| Some(heap!(event, true)));
        reader.windows(|HeapStop { heap }| Some(Self::HeapStop(heap?)));
        reader.windows(|event: ResourceStart| Some(resource!(event, false)));
        reader.windows(|event: ResourceRundown| Some(resource!(event, true)));
        reader.windows(|ResourceStop { resource }| Some(Self::ResourceStop(resource?)));
        reader.windows(|event: Resource11Start| Some(resource_11!(event, false)));
        reader.windows(|event: Resource11Rundown| Some(resource_11!(event, true)));
        reader.windows(|Resource11Stop { resource }| Some(Self::ResourceStop(resource?)));
        reader.windows(|ObjectName { object, name }| Some(Self::Name { object: object?, name: name? }));
        reader.windows(|ObjectNameRundown { object, name }| Some(Self::Name { object: object?, name: name? }));
        reader
    }
}
