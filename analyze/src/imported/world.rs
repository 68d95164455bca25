//! Heaps and resources of an imported trace, from events of Direct3D 12 and Direct3D 11.
//!
//! An object's id is its pointer; of a pointer that is used again, in any process, the number of the use stands in the
//! upper 16 bits, which pointers of programs do not have. The heap of a committed resource, which the resource or the
//! heap names, is its implicit heap. Without that heap's event the resource has no size. No event states the size of a
//! resource of Direct3D 11.

use super::processes::Processes;
use super::world_event::{HeapEvent, Placement, ResourceEvent, WorldEvent};
use crate::error::AnalyzeError;
use crate::events::{At, Source, Tracker, any_codes, lines};
use crate::memory::{Allocation, Backing, Moment, World, WorldBuilder};
use std::collections::{HashMap, HashSet};
use taut_schemas::windows::{
    HeapRundown, HeapStart, Resource11Rundown, Resource11Start, ResourceRundown, ResourceStart, WindowsEvent,
};
use taut_schemas::{EventCode, HeapId, HeapType, MipRegion, ResourceId, SchemaTable};
use taut_traces::{Summary, Trace};

/// Position of the number of a pointer's use.
const USE_SHIFT: u32 = 48;

/// A process, and a pointer in it.
type Key = (u32, u64);

/// Heaps and resources. `None` if the trace has no event that creates one.
///
/// # Errors
/// The trace could not be read.
pub fn world(source: &Source) -> Result<Option<World>, AnalyzeError> {
    let trace = source.trace();
    if !super::is_imported(trace) || !any_codes(trace, &creations(&trace.header().schema)) {
        return Ok(None);
    }
    WorldEvent::reader(source).track(Collector::new(trace)).map(Some)
}

fn creations(schema: &SchemaTable) -> Vec<EventCode> {
    fn codes<E: WindowsEvent>(schema: &SchemaTable) -> impl Iterator<Item = EventCode> {
        lines::<E>(schema).map(|line| line.code)
    }
    let heaps = codes::<HeapStart>(schema).chain(codes::<HeapRundown>(schema));
    let resources = codes::<ResourceStart>(schema).chain(codes::<ResourceRundown>(schema));
    let resources_11 = codes::<Resource11Start>(schema).chain(codes::<Resource11Rundown>(schema));
    heaps.chain(resources).chain(resources_11).collect()
}

/// Collects the events: a heap may follow the resource that makes it an implicit one.
#[derive(Debug)]
struct Collector {
    processes: Processes,
    events: Vec<(Moment, u32, WorldEvent)>,
    /// First and last stamp of the trace.
    span: (u64, u64),
}

impl Collector {
    fn new(trace: &Trace) -> Self {
        let Summary { first_stamp, last_stamp, .. } = *trace.summary();
        let span = (first_stamp.unwrap_or_default(), last_stamp.unwrap_or_default());
        Self { processes: Processes::new(trace), events: Vec::new(), span }
    }
}

impl Tracker for Collector {
    type Event<'e> = WorldEvent;
    type Output = World;

    fn on_event(&mut self, At { stamp, thread }: At, event: WorldEvent) {
        let moment = Moment { stamp, thread, seq: None };
        self.events.push((moment, self.processes.of_stream(thread), event));
    }

    fn finish(self) -> World {
        let implicit = ImplicitHeaps::of(&self.events);
        let mut objects = Objects::default();
        for (index, (moment, process, event)) in self.events.iter().enumerate() {
            objects.event(index, *moment, *process, event, &implicit);
        }
        let moment = |stamp| Moment { stamp, thread: 0, seq: None };
        let mut world = objects.builder.finish(moment(self.span.0), moment(self.span.1));
        world.is_imported = true;
        world
    }
}

/// Implicit heaps, by the indices of their events.
#[derive(Debug, Default)]
struct ImplicitHeaps {
    heaps: HashSet<usize>,
    /// Heap of each committed resource.
    of_resources: HashMap<usize, HeapEvent>,
}

/// Heaps and committed resources that have no counterpart so far. Null pointers are no keys.
#[derive(Debug, Default)]
struct Unpaired {
    heaps: HashMap<Key, (usize, HeapEvent)>,
    /// Heap that names a resource.
    heaps_of: HashMap<Key, u64>,
    resources: HashMap<Key, (usize, u64)>,
    /// Resource that names a heap.
    resources_of: HashMap<Key, u64>,
}

impl Unpaired {
    fn add_heap(&mut self, process: u32, index: usize, heap: HeapEvent) {
        self.heaps.insert((process, heap.pointer), (index, heap));
        if heap.resource != 0 {
            self.heaps_of.insert((process, heap.resource), heap.pointer);
        }
    }

    fn remove_heap(&mut self, process: u32, pointer: u64) -> Option<(usize, HeapEvent)> {
        let found = self.heaps.remove(&(process, pointer))?;
        self.heaps_of.remove(&(process, found.1.resource));
        Some(found)
    }

    /// Removes the heap that the resource names, or that names the resource.
    fn heap_of(&mut self, process: u32, resource: &ResourceEvent) -> Option<(usize, HeapEvent)> {
        let named = self.remove_heap(process, resource.heap);
        let pointer = self.heaps_of.get(&(process, resource.pointer)).copied();
        named.or_else(|| self.remove_heap(process, pointer?))
    }

    fn add_resource(&mut self, process: u32, index: usize, resource: &ResourceEvent) {
        self.resources.insert((process, resource.pointer), (index, resource.heap));
        if resource.heap != 0 {
            self.resources_of.insert((process, resource.heap), resource.pointer);
        }
    }

    fn remove_resource(&mut self, process: u32, pointer: u64) -> Option<usize> {
        let (index, heap) = self.resources.remove(&(process, pointer))?;
        self.resources_of.remove(&(process, heap));
        Some(index)
    }

    /// Removes the resource that names the heap, or that the heap names.
    fn resource_of(&mut self, process: u32, heap: &HeapEvent) -> Option<usize> {
        let pointer = self.resources_of.get(&(process, heap.pointer)).copied();
        let named = pointer.and_then(|pointer| self.remove_resource(process, pointer));
        named.or_else(|| self.remove_resource(process, heap.resource))
    }
}

impl ImplicitHeaps {
    fn of(events: &[(Moment, u32, WorldEvent)]) -> Self {
        let (mut found, mut unpaired) = (Self::default(), Unpaired::default());
        for (index, (_, process, event)) in events.iter().enumerate() {
            match event {
                WorldEvent::Heap(heap) => match unpaired.resource_of(*process, heap) {
                    Some(resource) => found.pair(index, resource, *heap),
                    None => unpaired.add_heap(*process, index, *heap),
                },
                WorldEvent::Resource(resource) if resource.placement == Placement::Committed => {
                    match unpaired.heap_of(*process, resource) {
                        Some((heap, event)) => found.pair(heap, index, event),
                        None => unpaired.add_resource(*process, index, resource),
                    }
                }
                WorldEvent::HeapStop(pointer) => drop(unpaired.remove_heap(*process, *pointer)),
                WorldEvent::ResourceStop(pointer) => drop(unpaired.remove_resource(*process, *pointer)),
                WorldEvent::Resource(_) | WorldEvent::Name { .. } => {}
            }
        }
        found
    }

    fn pair(&mut self, heap: usize, resource: usize, event: HeapEvent) {
        self.heaps.insert(heap);
        self.of_resources.insert(resource, event);
    }
}

/// An object that exists.
#[derive(Debug, Clone, Copy)]
enum Object {
    Heap(HeapId),
    Resource(ResourceId),
    /// An implicit heap, or the resource of a heap.
    Internal,
}

/// The world, and the objects that exist.
#[derive(Debug, Default)]
struct Objects {
    builder: WorldBuilder,
    live: HashMap<Key, Object>,
    /// Number of uses of each pointer.
    uses: HashMap<u64, u64>,
}

impl Objects {
    fn event(&mut self, index: usize, moment: Moment, process: u32, event: &WorldEvent, implicit: &ImplicitHeaps) {
        match event {
            WorldEvent::Heap(heap) => {
                let key = (process, heap.pointer);
                if heap.is_rundown && self.live.contains_key(&key) {
                    return;
                }
                if implicit.heaps.contains(&index) {
                    self.live.insert(key, Object::Internal);
                    return;
                }
                let id = HeapId(self.id(heap.pointer));
                self.live.insert(key, Object::Heap(id));
                match heap.is_rundown {
                    true => self.builder.add_rundown_heap(moment, id, heap.desc),
                    false => self.builder.create_heap(moment, id, heap.desc),
                }
            }
            WorldEvent::Resource(resource) => {
                let key = (process, resource.pointer);
                if resource.is_rundown && self.live.contains_key(&key) {
                    return;
                }
                match resource.placement {
                    Placement::OfHeap => drop(self.live.insert(key, Object::Internal)),
                    _ => self.create_resource(moment, process, resource, implicit.of_resources.get(&index)),
                }
            }
            WorldEvent::HeapStop(pointer) => match self.live.remove(&(process, *pointer)) {
                Some(Object::Heap(id)) => self.builder.release_heap(moment, id),
                Some(_) => {}
                // An object from before the trace.
                None => self.builder.release_heap(moment, HeapId(*pointer)),
            },
            WorldEvent::ResourceStop(pointer) => match self.live.remove(&(process, *pointer)) {
                Some(Object::Resource(id)) => self.builder.release_resource(moment, id),
                Some(_) => {}
                None => self.builder.release_resource(moment, ResourceId(*pointer)),
            },
            WorldEvent::Name { object, name } => {
                let index = self.builder.name_index(name);
                match self.live.get(&(process, *object)) {
                    Some(Object::Heap(HeapId(id)) | Object::Resource(ResourceId(id))) => self.builder.name(*id, index),
                    Some(Object::Internal) | None => {}
                }
            }
        }
    }

    fn create_resource(&mut self, moment: Moment, process: u32, event: &ResourceEvent, heap: Option<&HeapEvent>) {
        let id = ResourceId(self.id(event.pointer));
        let (backing, allocation) = self.backing(process, event, heap);
        let description = self.builder.describe(event.desc, MipRegion::default());
        self.live.insert((process, event.pointer), Object::Resource(id));
        match event.is_rundown {
            true => self.builder.add_rundown_resource(moment, id, description, backing, allocation),
            false => self.builder.create_described(moment, id, description, backing, allocation),
        }
    }

    fn backing(&self, process: u32, event: &ResourceEvent, heap: Option<&HeapEvent>) -> (Backing, Option<Allocation>) {
        match (event.placement, heap) {
            (Placement::Placed, _) => {
                let heap = match self.live.get(&(process, event.heap)) {
                    Some(Object::Heap(id)) => *id,
                    // A heap from before the trace.
                    _ => HeapId(event.heap),
                };
                (Backing::Placed { heap, heap_offset_bytes: event.heap_offset_bytes }, event.allocation)
            }
            (Placement::Committed, Some(heap)) => {
                let HeapEvent { desc, .. } = heap;
                let backing =
                    Backing::Committed { implicit_heap_bytes: desc.size_bytes, heap_type: desc.properties.heap_type };
                let whole = Allocation { size_bytes: desc.size_bytes, alignment_bytes: desc.alignment_bytes };
                (backing, Some(event.allocation.unwrap_or(whole)))
            }
            (Placement::Committed, None) => {
                (Backing::Committed { implicit_heap_bytes: 0, heap_type: HeapType::default() }, None)
            }
            (Placement::Reserved | Placement::OfHeap, _) => (Backing::Reserved, event.allocation),
            (Placement::Unknown, _) => (Backing::Unknown, None),
        }
    }

    /// Id of the next object with this pointer.
    fn id(&mut self, pointer: u64) -> u64 {
        let uses = self.uses.entry(pointer).or_default();
        let id = pointer ^ (*uses << USE_SHIFT);
        *uses += 1;
        id
    }
}
