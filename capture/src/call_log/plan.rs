//! What has to change for the log's calls to succeed under another driver than the log's.
//!
//! A dry run asks the driver for every resource that the log creates, before anything is recorded. Where all answers
//! for a heap's resources are the log's, its offsets stay. Where one is not, the application's allocator would have
//! placed differently: everything in that heap is placed anew, first fit in order of creation, and the heap is created
//! as large as that takes. What shares memory in the log still does.

use super::answers::{Answer, Answers, Comparison, supports_tight_alignment};
use super::group_layout::GroupLayout;
use super::line::{LogCall, LogLine, ResourceCreation};
use super::log::CallLog;
use super::sharing::Groups;
use super::silent::SilentDevice;
use super::survey::{Event, HeapLife, Placement, Survey};
use crate::workloads::free_map::FreeMap;
use std::collections::HashMap;
use taut_runtime::Settings;
use taut_schemas::{AllocationInfo, Driver, HeapDesc, HeapId, ResourceDesc, ResourceFlags, ResourceId};

/// Heaps are aligned to this unless they ask for more (d3d12.h: D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT).
const DEFAULT_ALIGNMENT_BYTES: u64 = 64 << 10;
/// What a heap has to ask for to hold MSAA textures (d3d12.h: D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT).
const MSAA_ALIGNMENT_BYTES: u64 = 4 << 20;

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
    pub fn new(log: &CallLog, answer: &Answer<'_>) -> Plan {
        let mut plan = Plan { drop_tight_flag: !supports_tight_alignment(answer), ..Plan::default() };
        let mut answers = Answers::new(answer);
        let mut survey = Survey::default();
        for line in &log.lines {
            let live = plan.ask(line, &mut answers);
            survey.line(line, live);
        }
        for life in survey.heaps.iter().filter(|life| !life.agrees) {
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
        let mut placer = Placer::new(life);
        for event in &life.events {
            match *event {
                Event::Create(index) => {
                    let placement = &life.placements[index];
                    if let Some(offset) = placer.create(index, life) {
                        self.offsets.insert(placement.resource, offset);
                        self.changes.placements_redone += 1;
                    }
                }
                Event::Release(index) => placer.release(index),
            }
        }
        let needed_bytes = placer.free.high_water_bytes();
        let alignment = life.placements.iter().map(|placement| placement.live.alignment_bytes).max();
        self.enlarge(life, needed_bytes, alignment.unwrap_or(0));
    }

    fn enlarge(&mut self, life: &HeapLife, needed_bytes: u64, needed_alignment_bytes: u64) {
        let mut desc = life.desc;
        if needed_bytes > desc.size_bytes {
            let size_bytes = needed_bytes.checked_next_multiple_of(DEFAULT_ALIGNMENT_BYTES).unwrap_or(needed_bytes);
            self.changes.heaps_grown += 1;
            self.changes.heap_growth_bytes += size_bytes - desc.size_bytes;
            desc.size_bytes = size_bytes;
        }
        if needed_alignment_bytes > desc.alignment_bytes.max(DEFAULT_ALIGNMENT_BYTES) {
            self.changes.heaps_realigned += 1;
            desc.alignment_bytes = MSAA_ALIGNMENT_BYTES;
        }
        if desc != life.desc {
            self.heaps.insert(life.heap, desc);
        }
    }
}

/// Places one heap's resources anew, groups that share memory as one. A group keeps its place from its first member's
/// creation to its last member's release.
struct Placer {
    groups: Groups,
    layouts: Vec<GroupLayout>,
    /// By group: its offset once placed, and its members not yet released.
    placed: Vec<(Option<u64>, usize)>,
    free: FreeMap,
}

impl Placer {
    fn new(life: &HeapLife) -> Placer {
        let groups = Groups::of(life);
        let layouts = groups.members.iter().map(|members| {
            let members: Vec<&Placement> = members.iter().map(|member| &life.placements[*member]).collect();
            GroupLayout::of(&members)
        });
        let layouts = layouts.collect();
        let placed = groups.members.iter().map(|members| (None, members.len())).collect();
        Placer { groups, layouts, placed, free: FreeMap::default() }
    }

    /// Where a resource lies; `None` if no heap could hold it.
    fn create(&mut self, index: usize, life: &HeapLife) -> Option<u64> {
        let group = self.groups.group_of[index];
        let layout = &self.layouts[group];
        let (offset, _) = &mut self.placed[group];
        if offset.is_none() {
            *offset = self.free.allocate(layout.size_bytes, layout.alignment_bytes);
        }
        let member = self.groups.members[group].binary_search(&index).ok()?;
        let offset = (*offset)?.checked_add(layout.offsets_bytes[member])?;
        debug_assert_eq!(offset % life.placements[index].live.alignment_bytes.max(1), 0);
        Some(offset)
    }

    fn release(&mut self, index: usize) {
        let group = self.groups.group_of[index];
        let (offset, members) = &mut self.placed[group];
        *members -= 1;
        if let (Some(offset), 0) = (*offset, *members) {
            self.free.free(offset, self.layouts[group].size_bytes);
        }
    }
}
