//! Heap types of resources.

use super::World;
use super::resource::{Backing, Resource};
use taut_schemas::HeapType;

/// The type of each resource's heap, by its index; `NONE` if the heap is unknown.
pub(super) fn heap_types(world: &World) -> Vec<HeapType> {
    let committed = |resource: &Resource| match resource.backing {
        Backing::Committed { heap_type, .. } => heap_type,
        Backing::Placed { .. } | Backing::Reserved | Backing::Unknown => HeapType::NONE,
    };
    let mut types: Vec<HeapType> = world.resources.iter().map(committed).collect();
    for heap in &world.heaps {
        heap.placed.iter().for_each(|index| types[index.0 as usize] = heap.desc.properties.heap_type);
    }
    types
}
