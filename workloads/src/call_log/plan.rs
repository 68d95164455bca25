//! Plan of the changes with which the log's calls succeed under another driver.
//!
//! A dry run queries the driver for every resource that the log creates, before the recording begins. If all answers
//! for a heap's resources equal the logged answers, the offsets remain. Otherwise all resources in that heap are placed
//! again ([`taut_runtime::repack`]).

use super::answers::Comparison;
use super::line::{HeapCreation, LogCall, LogLine, Place, ResourceCreation};
use super::log::CallLog;
use std::collections::HashMap;
use taut_runtime::Settings;
use taut_runtime::repack::{
    Answers, DriverQuery, HeapLifetime, HeapLifetimes, RepackedHeap, UnrecordedDevice, supports_tight_alignment,
};
use taut_schemas::{AllocationInfo, Driver, HeapDesc, HeapId, ResourceDesc, ResourceFlags, ResourceId};

/// Creates the plan for a log under a driver: [`Plan::new`] with the answers of a [`UnrecordedDevice`].
pub fn plan(log: &CallLog, settings: &Settings, driver: &dyn Driver) -> Plan {
    let device = UnrecordedDevice::new(settings, driver);
    Plan::new(log, &|desc, castable_formats| device.answer(desc, castable_formats))
}

/// Changes to a log, computed before it is played.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    drop_tight_flag: bool,
    offsets: HashMap<ResourceId, u64>,
    heaps: HashMap<HeapId, HeapDesc>,
    changes: Changes,
}

/// Number of changes of each kind in a plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Changes {
    /// Resources placed again first-fit, because an answer for their heap differs from the log.
    pub resources_repacked: u64,
    /// Heaps created larger than in the log.
    pub heaps_grown: u64,
    /// Total growth of these heaps, in bytes.
    pub heap_growth_bytes: u64,
    /// Heaps created at a larger alignment than in the log.
    pub heaps_realigned: u64,
    /// Resources created without their logged tight flag, because the driver does not support it.
    pub flags_dropped: u64,
    /// Driver's answer for each created resource, compared with the logged answer.
    pub infos: Comparison,
}

impl Plan {
    /// Performs the dry run. `answer` is queried once for each description, after the tight flag is dropped if the
    /// driver does not support it.
    pub fn new(log: &CallLog, answer: &DriverQuery<'_>) -> Plan {
        let mut plan = Plan { drop_tight_flag: !supports_tight_alignment(answer), ..Plan::default() };
        let mut answers = Answers::new(answer);
        let mut lives = HeapLifetimes::default();
        for line in &log.lines {
            let live = plan.query_driver(line, &mut answers);
            note(&mut lives, line, live);
        }
        for life in lives.heaps().iter().filter(|life| !life.agrees) {
            plan.redo(life);
        }
        plan
    }

    /// Changes that the plan makes.
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// Returns the description for the driver in use.
    pub(super) fn desc(&self, logged: &ResourceDesc) -> ResourceDesc {
        let mut desc = *logged;
        if self.drop_tight_flag {
            desc.flags = desc.flags.without(ResourceFlags::USE_TIGHT_ALIGNMENT);
        }
        desc
    }

    /// Returns the heap offset of a resource.
    pub(super) fn offset_bytes(&self, resource: Option<ResourceId>, logged_bytes: u64) -> u64 {
        resource.and_then(|resource| self.offsets.get(&resource)).copied().unwrap_or(logged_bytes)
    }

    /// Returns the description of a heap.
    pub(super) fn heap(&self, heap: Option<HeapId>, logged: &HeapDesc) -> HeapDesc {
        heap.and_then(|heap| self.heaps.get(&heap)).copied().unwrap_or(*logged)
    }

    /// Queries the driver for the resource that a line creates.
    fn query_driver(&mut self, line: &LogLine, answers: &mut Answers<'_>) -> Option<AllocationInfo> {
        let LogCall::CreateResource(creation) = &line.call else { return None };
        let ResourceCreation { resource: Some(_), info, .. } = &**creation else { return None };
        let desc = self.desc(&creation.desc);
        self.changes.flags_dropped += u64::from(desc.flags != creation.desc.flags);
        let live = answers.get(&desc, &creation.castable_formats);
        if let Some(logged) = *info {
            self.changes.infos.add(line.seq, logged, live, live == logged);
        }
        Some(live)
    }

    /// Places all resources of a heap again.
    fn redo(&mut self, life: &HeapLifetime) {
        let RepackedHeap { offsets, desc, .. } = RepackedHeap::new(life);
        self.changes.resources_repacked += offsets.len() as u64;
        self.offsets.extend(offsets);
        self.changes.heaps_grown += u64::from(desc.size_bytes > life.desc.size_bytes);
        self.changes.heap_growth_bytes += desc.size_bytes - life.desc.size_bytes;
        self.changes.heaps_realigned += u64::from(desc.alignment_bytes != life.desc.alignment_bytes);
        if desc != life.desc {
            self.heaps.insert(life.heap, desc);
        }
    }
}

/// Adds one line to the heaps' lives. `live` is the driver's answer for the resource that the line creates.
fn note(lives: &mut HeapLifetimes, line: &LogLine, live: Option<AllocationInfo>) {
    match &line.call {
        LogCall::CreateHeap(creation) => {
            let HeapCreation { heap, desc, .. } = **creation;
            heap.into_iter().for_each(|heap| lives.create_heap(heap, desc));
        }
        LogCall::CreateResource(creation) => {
            if let ResourceCreation { resource: Some(resource), info, place, .. } = &**creation
                && let Place::Placed { heap, offset_bytes } = *place
                && let Some(live) = live
            {
                // A log without the answer leaves the size to the driver.
                lives.place(*resource, heap, offset_bytes, info.unwrap_or(live), live);
            }
        }
        LogCall::ReleaseResource { resource } => lives.release(*resource),
        _ => {}
    }
}
