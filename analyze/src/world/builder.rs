//! Builds a [`World`] from what happens, one thing after another.

use super::heap_types::heap_types;
use super::{
    Allocation, Backing, Change, ChangeKind, Gaps, Heap, HeapIndex, Moment, NameIndex, Phase, PhaseIndex, Resource,
    ResourceIndex, Turn, World, requested_bytes,
};
use foldhash::{HashMap, HashSet};
use taut_schemas::{HeapDesc, HeapId, MipRegion, ResourceDesc, ResourceId};

/// A world in the making. Things must be told in the order they happened.
#[derive(Debug, Default)]
pub struct WorldBuilder {
    world: World,
    heaps: HashMap<HeapId, HeapIndex>,
    resources: HashMap<ResourceId, ResourceIndex>,
    phases: HashMap<String, PhaseIndex>,
    /// Descriptions and their numbers.
    descs: HashMap<ResourceDesc, u32>,
    /// Phases that have begun and not ended, outermost first.
    open_phases: Vec<PhaseIndex>,
    /// What the rundown at hand says is there.
    there: Option<(HashSet<HeapId>, HashSet<ResourceId>)>,
}

/// What a creation told of a new resource.
#[derive(Debug, Clone, Copy)]
pub struct NewResource {
    /// Its handle.
    pub id: ResourceId,
    /// What it was created with.
    pub desc: ResourceDesc,
    /// D3D12_RESOURCE_DESC1::SamplerFeedbackMipRegion; zero for a description that has none.
    pub mip_region: MipRegion,
    /// Where its memory comes from.
    pub backing: Backing,
    /// What GetResourceAllocationInfo says of it, if that is known.
    pub allocation: Option<Allocation>,
}

/// A description of resources, looked up: applications use few of them for many resources.
#[derive(Debug, Clone, Copy)]
pub struct Description {
    desc: ResourceDesc,
    number: u32,
    requested_bytes: Option<u64>,
}

impl WorldBuilder {
    /// A heap was created.
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

    /// A resource was created.
    pub fn create_resource(&mut self, moment: Moment, new: NewResource) {
        let description = self.describe(new.desc, new.mip_region);
        self.create_described(moment, new.id, description, new.backing, new.allocation);
    }

    /// Looks a description up, for [`create_described`](Self::create_described).
    pub fn describe(&mut self, desc: ResourceDesc, mip_region: MipRegion) -> Description {
        let next = self.descs.len() as u32;
        let number = *self.descs.entry(desc).or_insert(next);
        Description { desc, number, requested_bytes: requested_bytes(&desc, mip_region) }
    }

    /// A resource of a description that has been looked up was created.
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
            used_from: NameIndex::default(),
        });
        self.resources.insert(id, index);
    }

    /// A rundown begins: it has every heap and resource that is there.
    pub fn begin_rundown(&mut self) {
        self.there = Some(Default::default());
    }

    /// A rundown has a heap: it was created before, though that may not be recorded.
    pub fn heap_is_there(&mut self, moment: Moment, id: HeapId, desc: HeapDesc) {
        self.there.iter_mut().for_each(|(heaps, _)| heaps.extend([id]));
        if !self.heaps.contains_key(&id) {
            self.create_heap(moment, id, desc);
            self.world.gaps.objects_of_rundown += 1;
        }
    }

    /// The same of a resource.
    pub fn resource_is_there(
        &mut self,
        moment: Moment,
        id: ResourceId,
        description: Description,
        backing: Backing,
        allocation: Option<Allocation>,
    ) {
        self.there.iter_mut().for_each(|(_, resources)| resources.extend([id]));
        if !self.resources.contains_key(&id) {
            self.create_described(moment, id, description, backing, allocation);
            self.world.gaps.objects_of_rundown += 1;
        }
    }

    /// The rundown is whole: what it does not have was released, though that is not recorded.
    pub fn end_rundown(&mut self, moment: Moment) {
        let Some((heaps, resources)) = self.there.take() else { return };
        let mut gone: Vec<ResourceId> = self.resources.keys().filter(|id| !resources.contains(*id)).copied().collect();
        gone.sort_unstable();
        gone.into_iter().for_each(|id| self.release_resource(moment, id));
        let mut gone: Vec<HeapId> = self.heaps.keys().filter(|id| !heaps.contains(*id)).copied().collect();
        gone.sort_unstable();
        gone.into_iter().for_each(|id| self.release_heap(moment, id));
    }

    /// A resource is part of a snapshot: what it asks for is not known.
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

    /// A heap's public reference count reached 0.
    pub fn release_heap(&mut self, moment: Moment, id: HeapId) {
        match self.heaps.remove(&id) {
            Some(index) => {
                let turn = self.change(moment, ChangeKind::HeapReleased(index));
                self.world.heaps[index.0 as usize].released = Some(turn);
            }
            None => self.world.gaps.releases_of_unknown_objects += 1,
        }
    }

    /// A resource's public reference count reached 0.
    pub fn release_resource(&mut self, moment: Moment, id: ResourceId) {
        match self.resources.remove(&id) {
            Some(index) => {
                let turn = self.change(moment, ChangeKind::ResourceReleased(index));
                self.world.resources[index.0 as usize].released = Some(turn);
            }
            None => self.world.gaps.releases_of_unknown_objects += 1,
        }
    }

    /// Looks a name up, for [`name`](Self::name).
    pub fn name_index(&mut self, name: &str) -> NameIndex {
        self.world.names.add(name)
    }

    /// An object was given a name. Of several the last counts; objects that are neither heap nor resource are left out.
    pub fn name(&mut self, object: u64, name: NameIndex) {
        if let Some(index) = self.resources.get(&ResourceId(object)) {
            self.world.resources[index.0 as usize].name = name;
        } else if let Some(index) = self.heaps.get(&HeapId(object)) {
            self.world.heaps[index.0 as usize].name = name;
        }
    }

    /// A resource was created for what uses it from there in a scene.
    pub fn used_from(&mut self, resource: ResourceId, path: NameIndex) {
        if let Some(index) = self.resources.get(&resource) {
            self.world.resources[index.0 as usize].used_from = path;
        }
    }

    /// A part of the workload begins: what is created from here on belongs to it.
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

    /// The part of the workload that began last ends.
    pub fn end_phase(&mut self, moment: Moment) {
        if let Some(index) = self.open_phases.pop() {
            self.world.phases[index.0 as usize].ended = Some(moment);
        }
    }

    /// The world, whose trace lasts from `start` to `end`.
    pub fn finish(self, start: Moment, end: Moment) -> World {
        let heap_types = heap_types(&self.world);
        World { start, end, heap_types, ..self.world }
    }

    /// What is not known so far.
    pub fn gaps(&self) -> Gaps {
        self.world.gaps
    }

    fn change(&mut self, moment: Moment, kind: ChangeKind) -> Turn {
        let turn = Turn(self.world.changes.len() as u32);
        self.world.changes.push(Change { moment, kind });
        turn
    }
}
