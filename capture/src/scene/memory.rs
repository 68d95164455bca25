//! Where a scene's resources lie: each in a heap of its own, or in shared heaps by first fit.

use super::heap_layout::{HeapLayout, HeapRules};
use crate::caller::Caller;
use crate::workloads::WorkloadError;
use crate::workloads::allocator::{Allocator, HeapKind};
use std::borrow::Cow;
use taut_schemas::{HeapId, ResourceDesc, ResourceId, mark};

/// A resource to be created.
#[derive(Debug, Clone)]
pub(super) struct Wanted<'a> {
    pub name: Cow<'a, str>,
    pub desc: ResourceDesc,
    /// In a shared heap; else it has its own.
    pub placed: bool,
    /// How many of the scene's resources it is.
    pub parts: u64,
    /// The way to the first node that uses it, or the first of its parts.
    pub used_from: Option<&'a str>,
}

impl<'a> Wanted<'a> {
    /// One of the scene's own.
    pub(super) fn of(name: Cow<'a, str>, desc: ResourceDesc, placed: bool) -> Wanted<'a> {
        Wanted { name, desc, placed, parts: 1, used_from: None }
    }
}

/// What a phase creates its resources for.
#[derive(Clone, Copy)]
pub(super) struct Purpose {
    pub kind: HeapKind,
    /// D3D12_RESOURCE_STATES.
    pub initial_state: u32,
    /// Name of the heaps.
    pub name: &'static str,
}

/// Everything created so far, in the order it was created.
pub(super) struct SceneMemory {
    allocator: Allocator,
    rules: HeapRules,
    heaps: Vec<HeapId>,
    resources: Vec<ResourceId>,
}

impl SceneMemory {
    /// Nothing yet.
    pub(super) fn new(allocator: Allocator, rules: HeapRules) -> SceneMemory {
        SceneMemory { allocator, rules, heaps: Vec::new(), resources: Vec::new() }
    }

    /// Creates and names the resources; gives back the new ones. Asks about each first that lies in a shared heap, so that no
    /// heap is larger than what is still to come.
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
                caller.mark(mark::UsedFrom { path: path.to_owned() });
            }
            let resource = match place {
                None => self.allocator.commit(caller, purpose.kind.heap_type, (desc, state, None), name)?,
                Some((heap, offset_bytes)) => {
                    // Heaps are opened in the order of their numbers.
                    while heaps.len() <= *heap {
                        heaps.push(self.open_heap(caller, purpose, layout.heap_bytes[heaps.len()], heaps.len())?);
                    }
                    self.allocator.place(caller, (heaps[*heap], *offset_bytes), (desc, state), name)?
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

    /// Releases everything, newest first, resources before their heaps.
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
