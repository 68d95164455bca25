//! Creation of a scene's resources: committed, or placed first-fit in shared heaps.

use super::heap_layout::{HeapLayout, HeapRules};
use crate::bundled::WorkloadError;
use crate::bundled::allocator::{Allocator, CommittedDesc, HeapKind, HeapOffset};
use std::borrow::Cow;
use taut_capture::Caller;
use taut_schemas::{HeapId, ResourceDesc, ResourceId, mark};

/// Resource to create.
#[derive(Debug, Clone)]
pub(super) struct Wanted<'a> {
    pub name: Cow<'a, str>,
    pub desc: ResourceDesc,
    /// True for a placed resource; otherwise it is committed.
    pub placed: bool,
    /// Number of the scene's resources that it contains.
    pub parts: u64,
    /// Path to the first node that uses it or its first part.
    pub used_from: Option<&'a str>,
}

impl<'a> Wanted<'a> {
    /// Creates the entry of a single resource of the scene.
    pub(super) fn of(name: Cow<'a, str>, desc: ResourceDesc, placed: bool) -> Wanted<'a> {
        Wanted { name, desc, placed, parts: 1, used_from: None }
    }
}

/// Common properties of the resources of a phase.
#[derive(Clone, Copy)]
pub(super) struct Purpose {
    pub kind: HeapKind,
    /// D3D12_RESOURCE_STATES.
    pub initial_state: u32,
    /// Name prefix of the heaps.
    pub name: &'static str,
}

/// All objects created so far, in order of creation.
pub(super) struct SceneMemory {
    allocator: Allocator,
    rules: HeapRules,
    heaps: Vec<HeapId>,
    resources: Vec<ResourceId>,
}

impl SceneMemory {
    /// Creates an empty set of objects.
    pub(super) fn new(allocator: Allocator, rules: HeapRules) -> SceneMemory {
        SceneMemory { allocator, rules, heaps: Vec::new(), resources: Vec::new() }
    }

    /// Creates and names the resources, and returns them. Placed resources are queried first, so that no heap is larger
    /// than the remaining resources need.
    pub(super) fn create<C: Caller>(
        &mut self,
        caller: &mut C,
        purpose: Purpose,
        wanted: &[Wanted<'_>],
    ) -> Result<Vec<ResourceId>, WorkloadError> {
        let first = self.resources.len();
        self.resources.reserve(wanted.len());
        let mut infos = Vec::new();
        for one in wanted.iter().filter(|one| one.placed) {
            infos.push(self.allocator.info(caller, one.desc)?);
        }
        let layout = HeapLayout::of(&infos, self.rules);
        let (mut places, mut heaps) = (layout.places.iter(), Vec::new());
        for one in wanted {
            let place = if one.placed { places.next() } else { None };
            let (desc, state, name) = (one.desc, purpose.initial_state, one.name.clone().into_owned());
            if let Some(path) = one.used_from {
                caller.mark(mark::ScenePath { path: path.to_owned() });
            }
            let resource = match place {
                None => self.allocator.commit(
                    caller,
                    purpose.kind.heap_type,
                    CommittedDesc { desc, initial_state: state, clear_value: None },
                    name,
                )?,
                Some((heap, offset_bytes)) => {
                    // Heaps are created in the order of their indices.
                    while heaps.len() <= *heap {
                        heaps.push(self.open_heap(caller, purpose, layout.heap_bytes[heaps.len()], heaps.len())?);
                    }
                    self.allocator.place(
                        caller,
                        HeapOffset { heap: heaps[*heap], heap_offset_bytes: *offset_bytes },
                        desc,
                        state,
                        name,
                    )?
                }
            };
            self.resources.push(resource);
            (0..one.parts).for_each(|_| caller.step_done());
        }
        Ok(self.resources.split_at(first).1.to_vec())
    }

    fn open_heap<C: Caller>(
        &mut self,
        caller: &mut C,
        purpose: Purpose,
        size_bytes: u64,
        number: usize,
    ) -> Result<HeapId, WorkloadError> {
        let heap = self.allocator.heap(caller, purpose.kind, size_bytes, 0)?;
        self.heaps.push(heap);
        self.allocator.name(caller, heap.into(), format!("{} heap {number}", purpose.name))?;
        Ok(heap)
    }

    /// Releases all objects, newest first, resources before their heaps.
    pub(super) fn release<C: Caller>(&mut self, caller: &mut C) -> Result<(), WorkloadError> {
        while let Some(resource) = self.resources.pop() {
            self.allocator.release(caller, resource)?;
        }
        while let Some(heap) = self.heaps.pop() {
            self.allocator.release_heap(caller, heap)?;
        }
        Ok(())
    }
}
