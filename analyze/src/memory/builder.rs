//! Builds a [`World`] from its events in order.

use super::heap_types::heap_types;
use super::{
    Allocation, Backing, Change, ChangeKind, Gaps, Heap, HeapIndex, Moment, NameIndex, Phase, PhaseIndex, Resource,
    ResourceIndex, Turn, World, requested_bytes,
};
use foldhash::{HashMap, HashSet};
use taut_schemas::{HeapDesc, HeapId, MipRegion, ResourceDesc, ResourceId};

/// A world under construction. Its methods have to be called in the order of events.
#[derive(Debug, Default)]
pub struct WorldBuilder {
    world: World,
    heaps: HashMap<HeapId, HeapIndex>,
    resources: HashMap<ResourceId, ResourceIndex>,
    phases: HashMap<String, PhaseIndex>,
    /// Indices of descriptions.
    descs: HashMap<ResourceDesc, u32>,
    /// Phases that have begun and not ended, outermost first.
    open_phases: Vec<PhaseIndex>,
    /// Heaps and resources of the rundown in progress.
    rundown: Option<(HashSet<HeapId>, HashSet<ResourceId>)>,
}

/// A new resource.
#[derive(Debug, Clone, Copy)]
pub struct NewResource {
    pub id: ResourceId,
    /// Description at creation.
    pub desc: ResourceDesc,
    /// D3D12_RESOURCE_DESC1::SamplerFeedbackMipRegion; zero for a description that has none.
    pub mip_region: MipRegion,
    /// Source of its memory.
    pub backing: Backing,
    /// Result of GetResourceAllocationInfo, if known.
    pub allocation: Option<Allocation>,
}

/// A deduplicated description of resources: applications use few of them for many resources.
#[derive(Debug, Clone, Copy)]
pub struct Description {
    desc: ResourceDesc,
    number: u32,
    requested_bytes: Option<u64>,
}

impl WorldBuilder {
    /// Adds a created heap.
    pub fn create_heap(&mut self, moment: Moment, id: HeapId, desc: HeapDesc) {
        let index = HeapIndex(self.world.heaps.len() as u32);
        let created = self.change(moment, ChangeKind::HeapCreated(index));
        let size_bytes = desc.size_bytes;
        self.world.heaps.push(Heap {
            id,
            size_bytes,
            desc,
            name: NameIndex::default(),
            created,
            released: None,
            placed: Vec::new(),
        });
        self.heaps.insert(id, index);
    }

    /// Adds a created resource.
    pub fn create_resource(&mut self, moment: Moment, new: NewResource) {
        let description = self.describe(new.desc, new.mip_region);
        self.create_described(moment, new.id, description, new.backing, new.allocation);
    }

    /// Looks up a description, for [`create_described`](Self::create_described).
    pub fn describe(&mut self, desc: ResourceDesc, mip_region: MipRegion) -> Description {
        let next = self.descs.len() as u32;
        let number = *self.descs.entry(desc).or_insert(next);
        Description { desc, number, requested_bytes: requested_bytes(&desc, mip_region) }
    }

    /// Adds a created resource with a description that was looked up.
    pub fn create_described(
        &mut self,
        moment: Moment,
        id: ResourceId,
        description: Description,
        backing: Backing,
        allocation: Option<Allocation>,
    ) {
        let Description { desc, number, requested_bytes } = description;
        let index = ResourceIndex(self.world.resources.len() as u32);
        let created = self.change(moment, ChangeKind::ResourceCreated(index));
        if let Backing::Placed { heap, .. } = backing {
            match self.heaps.get(&heap) {
                Some(heap) => self.world.heaps[heap.0 as usize].placed.push(index),
                None => self.world.gaps.resources_without_heap += 1,
            }
        }
        let gaps = &mut self.world.gaps;
        gaps.resources_without_size += u64::from(allocation.is_none() && backing != Backing::Reserved);
        let requested_bytes = requested_bytes.unwrap_or_else(|| {
            gaps.resources_without_texel_size += 1;
            allocation.map_or(0, |allocation| allocation.size_bytes)
        });
        let phase = self.open_phases.last().copied();
        self.world.resources.push(Resource {
            id,
            name: NameIndex::default(),
            desc,
            desc_number: number,
            backing,
            allocation,
            requested_bytes,
            created,
            released: None,
            phase,
            scene_path: NameIndex::default(),
        });
        self.resources.insert(id, index);
    }

    /// Begins a rundown, which contains every existing heap and resource.
    pub fn begin_rundown(&mut self) {
        self.rundown = Some(Default::default());
    }

    /// Adds a heap of a rundown, whose creation may not be in the trace.
    pub fn add_rundown_heap(&mut self, moment: Moment, id: HeapId, desc: HeapDesc) {
        self.rundown.iter_mut().for_each(|(heaps, _)| heaps.extend([id]));
        if !self.heaps.contains_key(&id) {
            self.create_heap(moment, id, desc);
            self.world.gaps.objects_of_rundown += 1;
        }
    }

    /// Adds a resource of a rundown, whose creation may not be in the trace.
    pub fn add_rundown_resource(
        &mut self,
        moment: Moment,
        id: ResourceId,
        description: Description,
        backing: Backing,
        allocation: Option<Allocation>,
    ) {
        self.rundown.iter_mut().for_each(|(_, resources)| resources.extend([id]));
        if !self.resources.contains_key(&id) {
            self.create_described(moment, id, description, backing, allocation);
            self.world.gaps.objects_of_rundown += 1;
        }
    }

    /// Ends a complete rundown: objects that it lacks were released, in events that are missing.
    pub fn end_rundown(&mut self, moment: Moment) {
        let Some((heaps, resources)) = self.rundown.take() else { return };
        let mut gone: Vec<ResourceId> = self.resources.keys().filter(|id| !resources.contains(*id)).copied().collect();
        // The order of a hash map differs by run, but the order of releases must not.
        gone.sort_unstable();
        gone.into_iter().for_each(|id| self.release_resource(moment, id));
        let mut gone: Vec<HeapId> = self.heaps.keys().filter(|id| !heaps.contains(*id)).copied().collect();
        gone.sort_unstable();
        gone.into_iter().for_each(|id| self.release_heap(moment, id));
    }

    /// Adds a resource of a snapshot, whose payload is unknown.
    pub fn create_from_snapshot(
        &mut self,
        moment: Moment,
        id: ResourceId,
        description: Description,
        backing: Backing,
        allocation: Option<Allocation>,
    ) {
        let requested_bytes = Some(allocation.map_or(0, |allocation| allocation.size_bytes));
        self.create_described(moment, id, Description { requested_bytes, ..description }, backing, allocation);
        self.world.gaps.resources_of_snapshot += 1;
    }

    /// Releases a heap, whose public reference count reached 0.
    pub fn release_heap(&mut self, moment: Moment, id: HeapId) {
        match self.heaps.remove(&id) {
            Some(index) => {
                let turn = self.change(moment, ChangeKind::HeapReleased(index));
                self.world.heaps[index.0 as usize].released = Some(turn);
            }
            None => self.world.gaps.releases_of_unknown_objects += 1,
        }
    }

    /// Releases a resource, whose public reference count reached 0.
    pub fn release_resource(&mut self, moment: Moment, id: ResourceId) {
        match self.resources.remove(&id) {
            Some(index) => {
                let turn = self.change(moment, ChangeKind::ResourceReleased(index));
                self.world.resources[index.0 as usize].released = Some(turn);
            }
            None => self.world.gaps.releases_of_unknown_objects += 1,
        }
    }

    /// Looks up a name, for [`name`](Self::name).
    pub fn name_index(&mut self, name: &str) -> NameIndex {
        self.world.names.add(name)
    }

    /// Names an object. The last name counts; objects other than heaps and resources are ignored.
    pub fn name(&mut self, object: u64, name: NameIndex) {
        if let Some(index) = self.resources.get(&ResourceId(object)) {
            self.world.resources[index.0 as usize].name = name;
        } else if let Some(index) = self.heaps.get(&HeapId(object)) {
            self.world.heaps[index.0 as usize].name = name;
        }
    }

    /// Sets the path in a scene of the node that a resource was created for.
    pub fn scene_path(&mut self, resource: ResourceId, path: NameIndex) {
        if let Some(index) = self.resources.get(&resource) {
            self.world.resources[index.0 as usize].scene_path = path;
        }
    }

    /// Begins a phase of the workload, to which later creations belong.
    pub fn begin_phase(&mut self, moment: Moment, name: &str) {
        let phases = &mut self.world.phases;
        let known = self.phases.get(name).copied();
        let index = known.unwrap_or_else(|| {
            let index = PhaseIndex(phases.len() as u32);
            phases.push(Phase { name: name.to_owned(), began: moment, ended: None });
            self.phases.insert(name.to_owned(), index);
            index
        });
        self.open_phases.push(index);
    }

    /// Ends the phase that began last.
    pub fn end_phase(&mut self, moment: Moment) {
        if let Some(index) = self.open_phases.pop() {
            self.world.phases[index.0 as usize].ended = Some(moment);
        }
    }

    /// Returns the world of a trace from `start` to `end`.
    pub fn finish(self, start: Moment, end: Moment) -> World {
        let heap_types = heap_types(&self.world);
        World { start, end, heap_types, ..self.world }
    }

    /// The gaps so far.
    pub fn gaps(&self) -> Gaps {
        self.world.gaps
    }

    fn change(&mut self, moment: Moment, kind: ChangeKind) -> Turn {
        let turn = Turn(self.world.changes.len() as u32);
        self.world.changes.push(Change { moment, kind });
        turn
    }
}
