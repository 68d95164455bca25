//! First pass of a what-if: the content of each heap over time, and the size of each resource in the other world.

use super::call_arguments::{CallArguments, ResourceLocation, edit};
use super::creation::{CreatedSizes, Creation};
use super::outcome::{HeapChange, Place, ResourceChange};
use super::sizes::Sizes;
use super::{Changes, WhatIf, WhatIfOutcome, rewrite};
use crate::calls::created;
use crate::error::ReplayError;
use crate::recording::Recording;
use crate::world::ReplayWorld;
use foldhash::{HashMap, HashMapExt};
use taut_runtime::repack::{HeapLifetime, HeapLifetimes, RepackedHeap};
use taut_schemas::{
    AdapterId, AllocationInfo, Call, CodecError, Decoder, Dimension, EventCode, Field, HResultCode, HeapDesc, HeapId,
    Opcode, ResourceFlags, ResourceId, d3d12,
};

/// Creation or release in progress.
#[derive(Clone, Copy)]
enum Started {
    Heap(HeapDesc),
    Resource { dimension: Dimension, place: Option<(HeapId, u64)>, recorded: AllocationInfo, other: AllocationInfo },
    Release(ResourceId),
}

/// Result of the new placements: offsets in bytes and heap descriptions, by the creating call's position among all API
/// calls.
struct RepackResult {
    offsets_bytes: HashMap<u64, u64>,
    heaps: HashMap<u64, HeapDesc>,
    creations: HashMap<u64, Creation>,
    outcome: WhatIfOutcome,
}

/// State of the first pass. `recorded` and `other` have the sizes of the recorded and of the what-if's world.
struct Survey<'a> {
    changes: &'a Changes,
    recorded: Sizes,
    other: &'a mut Sizes,
    lives: HeapLifetimes,
    /// Current call's position and its creation or release, by thread.
    calls: HashMap<u32, (u64, Started)>,
    call_count: u64,
    /// Created objects, by recorded handle.
    creations: HashMap<u64, Creation>,
    names: HashMap<u64, String>,
    outcome: WhatIfOutcome,
}

impl WhatIf {
    /// Makes the first pass: computes the size of each resource of `recording` in both worlds, and new placements in
    /// the heaps whose resources have other sizes. `other` is the what-if's world.
    ///
    /// # Errors
    /// The trace cannot be read, or it has an event that this build does not know.
    pub fn survey(
        recording: &Recording<'_>,
        recorded: ReplayWorld,
        other: ReplayWorld,
        changes: Changes,
    ) -> Result<WhatIf, ReplayError> {
        let mut other = Sizes::new(other);
        let mut survey = Survey {
            changes: &changes,
            recorded: Sizes::new(recorded),
            other: &mut other,
            lives: HeapLifetimes::default(),
            calls: HashMap::new(),
            call_count: 0,
            creations: HashMap::new(),
            names: HashMap::new(),
            outcome: WhatIfOutcome::default(),
        };
        let mut translated = Vec::new();
        recording.each_row(|row| {
            let known = recording.known(row)?;
            if !known.layer.is_input() {
                return Ok(());
            }
            let payload = known.translate(row.payload, &mut translated)?;
            let surveyed = match known.code.opcode() {
                Some(Opcode::Start) => survey.start(row.thread, known.code, payload),
                _ => survey.stop(row.thread, known.code, payload),
            };
            surveyed.map_err(|source| recording.row_error(row, known.code, source))
        })?;
        let RepackResult { offsets_bytes, heaps, creations, outcome } = survey.repack();
        Ok(WhatIf { changes, other, offsets_bytes, heaps, creations, outcome })
    }
}

impl Survey<'_> {
    fn start(&mut self, thread: u32, code: EventCode, row: &[u8]) -> Result<(), CodecError> {
        let call_index = self.call_count;
        self.call_count += 1;
        self.calls.remove(&thread);
        let arguments = row.get(size_of::<u64>()..).unwrap_or_default();
        let mut started = None;
        match code.id() {
            d3d12::SetName::ID => {
                let call = d3d12::SetName::decode(&mut Decoder::new(arguments))?;
                self.names.insert(call.object.0, call.name);
            }
            d3d12::ReleaseResource::ID => {
                started =
                    Some(Started::Release(d3d12::ReleaseResource::decode(&mut Decoder::new(arguments))?.resource));
            }
            id => {
                edit(id, row, &mut |adapter, call_arguments| started = self.creation(adapter, call_arguments))?;
            }
        }
        if let Some(started) = started {
            self.calls.insert(thread, (call_index, started));
        }
        Ok(())
    }

    fn creation(&mut self, adapter: AdapterId, call_arguments: CallArguments<'_>) -> Option<Started> {
        let (desc, castable_formats, location) = match call_arguments {
            CallArguments::Heap(desc) => return Some(Started::Heap(*desc)),
            CallArguments::Query(..) => return None,
            CallArguments::Resource(desc, castable_formats, location) => (desc, castable_formats, location),
        };
        let changed = rewrite::desc(self.changes, self.other, adapter, desc, castable_formats, &location);
        let tight = ResourceFlags::USE_TIGHT_ALIGNMENT;
        self.outcome.flags_added += u64::from(changed.flags.contains(tight) && !desc.flags.contains(tight));
        self.outcome.flags_dropped += u64::from(!changed.flags.contains(tight) && desc.flags.contains(tight));
        let (place, recorded, other) = match location {
            ResourceLocation::Placed(heap, offset_bytes) => (
                Some((heap, *offset_bytes)),
                self.recorded.placed(adapter, desc, castable_formats),
                self.other.placed(adapter, &changed, castable_formats),
            ),
            ResourceLocation::Committed => {
                (None, self.recorded.committed(adapter, desc), self.other.committed(adapter, &changed))
            }
            ResourceLocation::Reserved => return None,
        };
        Some(Started::Resource { dimension: desc.dimension, place, recorded, other })
    }

    fn stop(&mut self, thread: u32, code: EventCode, row: &[u8]) -> Result<(), CodecError> {
        let Some((call_index, started)) = self.calls.remove(&thread) else { return Ok(()) };
        if let Started::Release(resource) = started {
            // A Release that fails leaves the resource alive.
            if HResultCode::decode(&mut Decoder::new(row))? == HResultCode::S_OK {
                self.lives.release(resource);
            }
            return Ok(());
        }
        // The surveyed calls create at most one object each.
        let mut object = None;
        created(code.id(), row, &mut |created| object = Some(created.0))?;
        let Some(object) = object else { return Ok(()) };
        let sizes = match started {
            Started::Heap(desc) => {
                self.lives.create_heap(HeapId(object), desc);
                CreatedSizes::Heap { recorded_bytes: desc.size_bytes, other_bytes: desc.size_bytes }
            }
            Started::Resource { dimension, place, recorded, other } => {
                let resource = ResourceId(object);
                if let Some((heap, offset_bytes)) = place {
                    self.lives.place(resource, heap, offset_bytes, recorded, other);
                }
                self.resource(resource, dimension, place, recorded, other)
            }
            Started::Release(_) => return Ok(()),
        };
        self.creations.insert(object, Creation { call_index, sizes });
        Ok(())
    }

    fn resource(
        &mut self,
        resource: ResourceId,
        dimension: Dimension,
        place: Option<(HeapId, u64)>,
        recorded: AllocationInfo,
        other: AllocationInfo,
    ) -> CreatedSizes {
        self.outcome.recorded_bytes += recorded.size_bytes;
        // UINT64_MAX means that the driver rejects the description.
        let other_bytes = if other.size_bytes == u64::MAX { 0 } else { other.size_bytes };
        self.outcome.live_bytes += other_bytes;
        let sizes = |change| CreatedSizes::Resource { recorded_bytes: recorded.size_bytes, other_bytes, change };
        // Placed resources of equal size are added, too, because their offset may change; unchanged resources are
        // removed at the end.
        if recorded == other && place.is_none() {
            return sizes(None);
        }
        let of = |info: AllocationInfo| Place {
            size_bytes: info.size_bytes,
            alignment_bytes: info.alignment_bytes,
            offset_bytes: place.map(|(_, offset_bytes)| offset_bytes),
        };
        let change = self.outcome.resources.len();
        self.outcome.resources.push(ResourceChange {
            resource,
            name: String::new(),
            dimension,
            heap: place.map(|(heap, _)| heap),
            recorded: of(recorded),
            live: of(other),
        });
        sizes(Some(change))
    }

    /// Places the resources of each heap again in which a resource has another size or alignment than recorded.
    fn repack(mut self) -> RepackResult {
        let (mut offsets_bytes, mut heaps) = (HashMap::new(), HashMap::new());
        for life in self.lives.heaps().iter().filter(|life| !life.agrees) {
            let (repack, first_fit) = RepackedHeap::with_recorded_baseline(life);
            for (resource, offset_bytes) in &repack.offsets {
                let Some(creation) = self.creations.get(&resource.0) else { continue };
                offsets_bytes.insert(creation.call_index, *offset_bytes);
                if let CreatedSizes::Resource { change: Some(change), .. } = creation.sizes {
                    self.outcome.resources[change].live.offset_bytes = Some(*offset_bytes);
                }
            }
            if let Some(creation) = self.creations.get_mut(&life.heap.0).filter(|_| repack.desc != life.desc) {
                heaps.insert(creation.call_index, repack.desc);
                let (recorded_bytes, other_bytes) = (life.desc.size_bytes, repack.desc.size_bytes);
                creation.sizes = CreatedSizes::Heap { recorded_bytes, other_bytes };
            }
            add_heap_change(&mut self.outcome, life, &repack, &first_fit, self.names.get(&life.heap.0));
        }
        self.outcome.resources.retain(|change| change.recorded != change.live);
        for change in &mut self.outcome.resources {
            change.name = self.names.remove(&change.resource.0).unwrap_or_default();
        }
        RepackResult { offsets_bytes, heaps, creations: self.creations, outcome: self.outcome }
    }
}

/// Adds a re-placed heap to the outcome. `first_fit` is the same heap with the recorded sizes placed first-fit, which
/// separates the effect of placement from that of the changed sizes.
fn add_heap_change(
    outcome: &mut WhatIfOutcome,
    life: &HeapLifetime,
    repack: &RepackedHeap,
    first_fit: &RepackedHeap,
    name: Option<&String>,
) {
    outcome.resources_repacked += repack.offsets.len() as u64;
    outcome.heaps_grown += u64::from(repack.desc.size_bytes > life.desc.size_bytes);
    outcome.heap_growth_bytes += repack.desc.size_bytes - life.desc.size_bytes;
    outcome.heaps_grown_by_first_fit += u64::from(first_fit.desc.size_bytes > life.desc.size_bytes);
    outcome.first_fit_growth_bytes += first_fit.desc.size_bytes - life.desc.size_bytes;
    outcome.heaps_realigned += u64::from(repack.desc.alignment_bytes != life.desc.alignment_bytes);
    outcome.heaps.push(HeapChange {
        heap: life.heap,
        name: name.cloned().unwrap_or_default(),
        resources: life.placements.len() as u64,
        recorded_bytes: life.desc.size_bytes,
        live_bytes: repack.desc.size_bytes,
        recorded_high_water_bytes: life.placements.iter().map(|placement| placement.recorded.end).max().unwrap_or(0),
        first_fit_high_water_bytes: first_fit.high_water_bytes,
        high_water_bytes: repack.high_water_bytes,
    });
}
