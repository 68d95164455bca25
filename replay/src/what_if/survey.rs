//! The first pass: what each heap holds and when, and what the other world says of every resource.

use super::outcome::{HeapChange, Place, ResourceChange};
use super::sizes::Sizes;
use super::subject::{Home, Subject, edit};
use super::{Changes, WhatIf, WhatIfOutcome, rewrite};
use crate::calls::created;
use crate::error::ReplayError;
use crate::recording::Recording;
use crate::world::ReplayWorld;
use foldhash::{HashMap, HashMapExt};
use taut_runtime::refit::{HeapLife, HeapLives, Refit};
use taut_schemas::{
    AdapterId, AllocationInfo, Call, CodecError, Decoder, Dimension, EventCode, Field, HResultCode, HeapDesc, HeapId,
    Opcode, ResourceFlags, ResourceId, d3d12,
};

/// A creation that has started.
#[derive(Clone, Copy)]
enum Started {
    Heap(HeapDesc),
    Resource { dimension: Dimension, place: Option<(HeapId, u64)>, recorded: AllocationInfo, live: AllocationInfo },
    Release(ResourceId),
}

/// An object that the recording created.
#[derive(Clone, Copy)]
pub(super) struct Creation {
    /// The creating call's position.
    call_index: u64,
    pub sizes: CreatedSizes,
}

/// What an object takes, recorded and now.
#[derive(Clone, Copy)]
pub(super) enum CreatedSizes {
    Heap {
        recorded_bytes: u64,
        live_bytes: u64,
    },
    Resource {
        recorded_bytes: u64,
        live_bytes: u64,
        /// Index into the outcome's resources while these are found.
        change: Option<usize>,
    },
}

/// What came of placing anew: offsets and heaps by the creating call's position.
struct Refitted {
    offsets_bytes: HashMap<u64, u64>,
    heaps: HashMap<u64, HeapDesc>,
    creations: HashMap<u64, Creation>,
    outcome: WhatIfOutcome,
}

/// What is known while the trace goes by.
struct Survey<'a> {
    changes: &'a Changes,
    recorded: Sizes,
    live: &'a mut Sizes,
    lives: HeapLives,
    /// By thread, its current call's position and what it does.
    calls: HashMap<u32, (u64, Started)>,
    call_count: u64,
    /// By the object's recorded handle.
    creations: HashMap<u64, Creation>,
    names: HashMap<u64, String>,
    outcome: WhatIfOutcome,
}

impl WhatIf {
    /// Surveys a trace.
    pub fn survey(
        recording: &Recording<'_>,
        recorded: ReplayWorld,
        live: ReplayWorld,
        changes: Changes,
    ) -> Result<WhatIf, ReplayError> {
        let mut live = Sizes::new(live);
        let mut survey = Survey {
            changes: &changes,
            recorded: Sizes::new(recorded),
            live: &mut live,
            lives: HeapLives::default(),
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
        let Refitted { offsets_bytes, heaps, creations, outcome } = survey.refit();
        Ok(WhatIf { changes, live, offsets_bytes, heaps, creations, outcome })
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
                edit(id, row, &mut |adapter, subject| started = self.creation(adapter, subject))?;
            }
        }
        if let Some(started) = started {
            self.calls.insert(thread, (call_index, started));
        }
        Ok(())
    }

    fn creation(&mut self, adapter: AdapterId, subject: Subject<'_>) -> Option<Started> {
        let (desc, castable_formats, home) = match subject {
            Subject::Heap(desc) => return Some(Started::Heap(*desc)),
            Subject::Query(..) => return None,
            Subject::Resource(desc, castable_formats, home) => (desc, castable_formats, home),
        };
        let changed = rewrite::desc(self.changes, self.live, adapter, desc, castable_formats, &home);
        let tight = ResourceFlags::USE_TIGHT_ALIGNMENT;
        self.outcome.flags_added += u64::from(changed.flags.contains(tight) && !desc.flags.contains(tight));
        self.outcome.flags_dropped += u64::from(!changed.flags.contains(tight) && desc.flags.contains(tight));
        let (place, recorded, live) = match home {
            Home::Placed(heap, offset_bytes) => (
                Some((heap, *offset_bytes)),
                self.recorded.placed(adapter, desc, castable_formats),
                self.live.placed(adapter, &changed, castable_formats),
            ),
            Home::Committed => (None, self.recorded.committed(adapter, desc), self.live.committed(adapter, &changed)),
            Home::Reserved => return None,
        };
        Some(Started::Resource { dimension: desc.dimension, place, recorded, live })
    }

    fn stop(&mut self, thread: u32, code: EventCode, row: &[u8]) -> Result<(), CodecError> {
        let Some((call_index, started)) = self.calls.remove(&thread) else { return Ok(()) };
        if let Started::Release(resource) = started {
            if HResultCode::decode(&mut Decoder::new(row))? == HResultCode::S_OK {
                self.lives.release(resource);
            }
            return Ok(());
        }
        // The calls that are surveyed create one object each.
        let mut object = None;
        created(code.id(), row, &mut |created| object = Some(created.0))?;
        let Some(object) = object else { return Ok(()) };
        let sizes = match started {
            Started::Heap(desc) => {
                self.lives.create_heap(HeapId(object), desc);
                CreatedSizes::Heap { recorded_bytes: desc.size_bytes, live_bytes: desc.size_bytes }
            }
            Started::Resource { dimension, place, recorded, live } => {
                let resource = ResourceId(object);
                if let Some(place) = place {
                    self.lives.place(resource, place, recorded, live);
                }
                self.resource(resource, dimension, place, recorded, live)
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
        live: AllocationInfo,
    ) -> CreatedSizes {
        self.outcome.recorded_bytes += recorded.size_bytes;
        let live_bytes = if live.size_bytes == u64::MAX { 0 } else { live.size_bytes };
        self.outcome.live_bytes += live_bytes;
        let sizes = |change| CreatedSizes::Resource { recorded_bytes: recorded.size_bytes, live_bytes, change };
        if recorded == live && place.is_none() {
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
            live: of(live),
        });
        sizes(Some(change))
    }

    /// Places anew what has to be.
    fn refit(mut self) -> Refitted {
        let (mut offsets_bytes, mut heaps) = (HashMap::new(), HashMap::new());
        for life in self.lives.heaps().iter().filter(|life| !life.agrees) {
            let (refit, first_fit) = Refit::beside_recorded(life);
            for (resource, offset_bytes) in &refit.offsets {
                let Some(creation) = self.creations.get(&resource.0) else { continue };
                offsets_bytes.insert(creation.call_index, *offset_bytes);
                if let CreatedSizes::Resource { change: Some(change), .. } = creation.sizes {
                    self.outcome.resources[change].live.offset_bytes = Some(*offset_bytes);
                }
            }
            if let Some(creation) = self.creations.get_mut(&life.heap.0).filter(|_| refit.desc != life.desc) {
                heaps.insert(creation.call_index, refit.desc);
                let (recorded_bytes, live_bytes) = (life.desc.size_bytes, refit.desc.size_bytes);
                creation.sizes = CreatedSizes::Heap { recorded_bytes, live_bytes };
            }
            note_heap(&mut self.outcome, life, (&refit, &first_fit), self.names.get(&life.heap.0));
        }
        self.outcome.resources.retain(|change| change.recorded != change.live);
        for change in &mut self.outcome.resources {
            change.name = self.names.remove(&change.resource.0).unwrap_or_default();
        }
        Refitted { offsets_bytes, heaps, creations: self.creations, outcome: self.outcome }
    }
}

/// `first_fit` is the heap with the recorded sizes placed anew as well, so that what placing does is not put down to the
/// other sizes.
fn note_heap(
    outcome: &mut WhatIfOutcome,
    life: &HeapLife,
    (refit, first_fit): (&Refit, &Refit),
    name: Option<&String>,
) {
    outcome.placements_redone += refit.offsets.len() as u64;
    outcome.heaps_grown += u64::from(refit.desc.size_bytes > life.desc.size_bytes);
    outcome.heap_growth_bytes += refit.desc.size_bytes - life.desc.size_bytes;
    outcome.heaps_grown_by_first_fit += u64::from(first_fit.desc.size_bytes > life.desc.size_bytes);
    outcome.first_fit_growth_bytes += first_fit.desc.size_bytes - life.desc.size_bytes;
    outcome.heaps_realigned += u64::from(refit.desc.alignment_bytes != life.desc.alignment_bytes);
    outcome.heaps.push(HeapChange {
        heap: life.heap,
        name: name.cloned().unwrap_or_default(),
        resources: life.placements.len() as u64,
        recorded_bytes: life.desc.size_bytes,
        live_bytes: refit.desc.size_bytes,
        recorded_high_water_bytes: life.placements.iter().map(|placement| placement.recorded.end).max().unwrap_or(0),
        first_fit_high_water_bytes: first_fit.high_water_bytes,
        high_water_bytes: refit.high_water_bytes,
    });
}
