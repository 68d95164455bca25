//! What has to change for the log's calls to succeed under another driver than the log's.
//!
//! A dry run asks the driver for every resource that the log creates, before anything is recorded. Where all answers
//! for a heap's resources are the log's, its offsets stay. Where one is not, everything in that heap is placed anew
//! ([`taut_runtime::refit`]).

use super::answers::Comparison;
use super::line::{HeapCreation, LogCall, LogLine, Place, ResourceCreation};
use super::log::CallLog;
use std::collections::HashMap;
use taut_runtime::Settings;
use taut_runtime::refit::{Answers, AskDriver, HeapLife, HeapLives, Refit, SilentDevice, supports_tight_alignment};
use taut_schemas::{AllocationInfo, Driver, HeapDesc, HeapId, ResourceDesc, ResourceFlags, ResourceId};

/// The plan for a log under a driver: [`Plan::new`] with a [`SilentDevice`]'s answers.
pub fn plan(log: &CallLog, settings: &Settings, driver: &dyn Driver) -> Plan {
    let device = SilentDevice::new(settings, driver);
    Plan::new(log, &|desc, castable_formats| device.answer(desc, castable_formats))
}

/// The changes, made before the log is played.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    drop_tight_flag: bool,
    offsets: HashMap<ResourceId, u64>,
    heaps: HashMap<HeapId, HeapDesc>,
    changes: Changes,
}

/// What a plan changes, in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Changes {
    /// Resources placed anew by first fit, because an answer for their heap is not the log's.
    pub placements_redone: u64,
    /// Heaps created larger than in the log.
    pub heaps_grown: u64,
    /// What they grew by, all together.
    pub heap_growth_bytes: u64,
    /// Heaps created at a larger alignment than in the log.
    pub heaps_realigned: u64,
    /// Resources created without the tight flag they have in the log, because the driver does not support it.
    pub flags_dropped: u64,
    /// The driver's answer for each resource created, compared with what the log's recorder was told for it.
    pub infos: Comparison,
}

impl Plan {
    /// Makes the dry run. `answer` is asked once for each description, after the tight flag is dropped where the
    /// driver does not support it.
    pub fn new(log: &CallLog, answer: &AskDriver<'_>) -> Plan {
        let mut plan = Plan { drop_tight_flag: !supports_tight_alignment(answer), ..Plan::default() };
        let mut answers = Answers::new(answer);
        let mut lives = HeapLives::default();
        for line in &log.lines {
            let live = plan.ask(line, &mut answers);
            note(&mut lives, line, live);
        }
        for life in lives.heaps().iter().filter(|life| !life.agrees) {
            plan.redo(life);
        }
        plan
    }

    /// What the plan changes.
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// A description as an application writes it for the driver at hand.
    pub(super) fn desc(&self, logged: &ResourceDesc) -> ResourceDesc {
        let mut desc = *logged;
        if self.drop_tight_flag {
            desc.flags = desc.flags.without(ResourceFlags::USE_TIGHT_ALIGNMENT);
        }
        desc
    }

    /// Where a resource is placed.
    pub(super) fn offset_bytes(&self, resource: Option<ResourceId>, logged_bytes: u64) -> u64 {
        resource.and_then(|resource| self.offsets.get(&resource)).copied().unwrap_or(logged_bytes)
    }

    /// How a heap is created.
    pub(super) fn heap(&self, heap: Option<HeapId>, logged: &HeapDesc) -> HeapDesc {
        heap.and_then(|heap| self.heaps.get(&heap)).copied().unwrap_or(*logged)
    }

    /// The driver's answer for the resource that a line creates.
    fn ask(&mut self, line: &LogLine, answers: &mut Answers<'_>) -> Option<AllocationInfo> {
        let LogCall::CreateResource(creation) = &line.call else { return None };
        let ResourceCreation { resource: Some(_), info: Some(logged), .. } = &**creation else { return None };
        let desc = self.desc(&creation.desc);
        self.changes.flags_dropped += u64::from(desc.flags != creation.desc.flags);
        let live = answers.get(&desc, &creation.castable_formats);
        self.changes.infos.add(line.seq, *logged, live, live == *logged);
        Some(live)
    }

    /// Places everything in a heap anew.
    fn redo(&mut self, life: &HeapLife) {
        let Refit { offsets, desc, .. } = Refit::of(life);
        self.changes.placements_redone += offsets.len() as u64;
        self.offsets.extend(offsets);
        self.changes.heaps_grown += u64::from(desc.size_bytes > life.desc.size_bytes);
        self.changes.heap_growth_bytes += desc.size_bytes - life.desc.size_bytes;
        self.changes.heaps_realigned += u64::from(desc.alignment_bytes != life.desc.alignment_bytes);
        if desc != life.desc {
            self.heaps.insert(life.heap, desc);
        }
    }
}

/// Takes note of one line. `live` is the driver's answer for the resource that it creates.
fn note(lives: &mut HeapLives, line: &LogLine, live: Option<AllocationInfo>) {
    match &line.call {
        LogCall::CreateHeap(creation) => {
            let HeapCreation { heap, desc, .. } = **creation;
            heap.into_iter().for_each(|heap| lives.create_heap(heap, desc));
        }
        LogCall::CreateResource(creation) => {
            if let ResourceCreation { resource: Some(resource), info: Some(logged), place, .. } = &**creation
                && let Place::Placed { heap, offset_bytes } = *place
                && let Some(live) = live
            {
                lives.place(*resource, (heap, offset_bytes), *logged, live);
            }
        }
        LogCall::ReleaseResource { resource } => lives.release(*resource),
        _ => {}
    }
}
