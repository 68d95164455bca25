//! Placements under a driver whose answers differ from the log's.

use super::check::check;
use super::sample::HEADER;
use crate::call_log::{CallLog, CallName, HeapCreation, LogCall, LogHeader, LogLine, Place, Plan, ResourceCreation};
use proptest::prelude::*;
use taut_runtime::repack::{DriverQuery, FreeMap};
use taut_schemas::format::Format;
use taut_schemas::{AllocationInfo, Dimension, HResultCode, HeapDesc, HeapId, ResourceDesc, ResourceFlags, ResourceId};

const TIGHT: ResourceFlags = ResourceFlags::USE_TIGHT_ALIGNMENT;

/// Returns a driver with buffers at `alignment_bytes` and sizes rounded up to it; it rejects the tight flag unless
/// `tight`.
fn driver(alignment_bytes: u64, tight: bool) -> impl Fn(&ResourceDesc, &[Format]) -> AllocationInfo {
    move |desc, _| match desc.flags.contains(TIGHT) && !tight {
        true => AllocationInfo { size_bytes: u64::MAX, alignment_bytes: 0 },
        false => AllocationInfo { size_bytes: desc.width.next_multiple_of(alignment_bytes), alignment_bytes },
    }
}

/// Writer of logs.
#[derive(Default)]
struct Script {
    lines: Vec<LogLine>,
    objects: u64,
}

impl Script {
    fn line(&mut self, call: LogCall) {
        let seq = self.lines.len() as u64;
        self.lines.push(LogLine { seq, thread: 0, test: 0, call });
    }

    fn heap(&mut self, size_bytes: u64) -> HeapId {
        self.objects += 1;
        let heap = HeapId(self.objects);
        let (desc, hr) = (HeapDesc { size_bytes, ..HeapDesc::default() }, HResultCode::S_OK);
        let (name, heap) = (CallName::CreateHeap, Some(heap));
        self.line(LogCall::CreateHeap(Box::new(HeapCreation { name, desc, protected_session: false, hr, heap })));
        HeapId(self.objects)
    }

    /// Adds a tight buffer; the log's driver aligns to 256.
    fn buffer(&mut self, heap: HeapId, offset_bytes: u64, width: u64) -> ResourceId {
        self.objects += 1;
        let desc = ResourceDesc { dimension: Dimension::BUFFER, width, flags: TIGHT, ..ResourceDesc::default() };
        self.line(LogCall::CreateResource(Box::new(ResourceCreation {
            name: CallName::CreatePlacedResource,
            place: Place::Placed { heap, offset_bytes },
            desc,
            mip_region: Default::default(),
            initial_state: 0,
            clear_value: None,
            castable_formats: Vec::new(),
            hr: HResultCode::S_OK,
            resource: Some(ResourceId(self.objects)),
            info: Some(driver(256, true)(&desc, &[])),
        })));
        ResourceId(self.objects)
    }

    fn release(&mut self, resource: ResourceId) {
        self.line(LogCall::ReleaseResource { resource });
    }

    fn log(self) -> CallLog {
        let header = LogHeader { version: 1, source: HEADER.to_owned(), allocator_flags: 0, tests: Default::default() };
        CallLog { header, lines: self.lines }
    }
}

/// Returns the offsets of a plan.
fn offsets(plan: &Plan, log: &CallLog) -> Vec<u64> {
    let creations = log.lines.iter().filter_map(|line| match &line.call {
        LogCall::CreateResource(creation) => Some(&**creation),
        _ => None,
    });
    let offsets = creations.filter_map(|creation| match creation.place {
        Place::Placed { offset_bytes, .. } => Some(plan.offset_bytes(creation.resource, offset_bytes)),
        _ => None,
    });
    offsets.collect()
}

#[test]
fn where_the_driver_answers_as_the_log_does_nothing_changes() {
    let mut script = Script::default();
    let heap = script.heap(65536);
    script.buffer(heap, 4096, 100);
    script.buffer(heap, 512, 300);
    let log = script.log();
    let answer = driver(256, true);
    let plan = Plan::new(&log, &answer);
    assert_eq!(offsets(&plan, &log), [4096, 512]);
    assert_eq!((plan.changes().resources_repacked, plan.changes().heaps_grown), (0, 0));
    assert_eq!((plan.changes().infos.equal, plan.changes().infos.different), (2, 0));
    check(&log, &plan, &answer, false);
}

#[test]
fn one_other_answer_redoes_its_heap_and_no_other() {
    let mut script = Script::default();
    let (one, two) = (script.heap(65536), script.heap(65536));
    script.buffer(one, 8192, 512);
    script.buffer(two, 8192, 512);
    script.buffer(one, 1024, 100);
    let log = script.log();
    // A width of 512 is a multiple of either alignment, so only the alignment differs; the placement remains.
    let answer = |desc: &ResourceDesc, formats: &[Format]| match desc.width {
        100 => driver(512, true)(desc, formats),
        _ => driver(256, true)(desc, formats),
    };
    let plan = Plan::new(&log, &answer);
    assert_eq!(offsets(&plan, &log), [0, 8192, 512]);
    assert_eq!(plan.changes().resources_repacked, 2);
    let first = &plan.changes().infos.first;
    assert_eq!(first.len(), 1);
    assert_eq!((first[0].seq, first[0].logged.size_bytes, first[0].live.size_bytes), (4, 256, 512));
}

#[test]
fn a_driver_without_tight_alignment_gets_no_tight_flag_and_larger_heaps() {
    let mut script = Script::default();
    let heap = script.heap(65536);
    let buffers: Vec<_> = (0..4).map(|index| script.buffer(heap, index * 256, 256)).collect();
    script.release(buffers[1]);
    script.buffer(heap, 1024, 256);
    let log = script.log();
    let answer = driver(65536, false);
    let plan = Plan::new(&log, &answer);
    assert_eq!(offsets(&plan, &log), [0, 65536, 131_072, 196_608, 65536]);
    let changes = plan.changes();
    assert_eq!((changes.flags_dropped, changes.resources_repacked), (5, 5));
    assert_eq!((changes.heaps_grown, changes.heap_growth_bytes, changes.heaps_realigned), (1, 3 * 65536, 0));
    check(&log, &plan, &answer, false);
}

#[test]
fn what_shares_memory_in_the_log_shares_it_still() {
    let mut script = Script::default();
    let heap = script.heap(65536);
    script.buffer(heap, 0, 1024);
    // Two separate buffers, each inside the first.
    script.buffer(heap, 0, 512);
    script.buffer(heap, 512, 512);
    script.buffer(heap, 1024, 256);
    let log = script.log();
    // Twice the alignment: everything still fits, so the placement remains.
    let answer = driver(512, true);
    let plan = Plan::new(&log, &answer);
    assert_eq!(offsets(&plan, &log), [0, 0, 512, 1024]);
    check(&log, &plan, &answer, false);
    // The parts grow beyond the whole: they share its start, and the fourth does not share memory.
    let answer = driver(4096, true);
    let plan = Plan::new(&log, &answer);
    assert_eq!(offsets(&plan, &log), [0, 0, 0, 4096]);
    check(&log, &plan, &answer, true);
}

#[test]
fn coarser_resources_realign_their_heap() {
    let mut script = Script::default();
    let heap = script.heap(65536);
    script.buffer(heap, 256, 256);
    let log = script.log();
    let answer = driver(4 << 20, true);
    let plan = Plan::new(&log, &answer);
    assert_eq!(plan.changes().heaps_realigned, 1);
    let logged = HeapDesc { size_bytes: 65536, ..HeapDesc::default() };
    assert_eq!(plan.heap(Some(heap), &logged).alignment_bytes, 4 << 20);
    check(&log, &plan, &answer, false);
}

#[test]
fn a_description_that_the_driver_refuses_leaves_the_others_alone() {
    let mut script = Script::default();
    let heap = script.heap(65536);
    script.buffer(heap, 256, 999);
    script.buffer(heap, 2048, 256);
    let log = script.log();
    let answer = |desc: &ResourceDesc, formats: &[Format]| match desc.width {
        999 => AllocationInfo { size_bytes: u64::MAX, alignment_bytes: 0 },
        _ => driver(256, true)(desc, formats),
    };
    let plan = Plan::new(&log, &answer);
    assert_eq!(offsets(&plan, &log), [256, 2048]);
    assert_eq!(plan.changes().infos.different, 1);
}

/// Returns a random sequence of creations and releases in one heap, placed first-fit at 256; some creations alias a
/// live resource.
fn heap_life(steps: &[(u64, u8)], aliasing: bool) -> CallLog {
    let mut script = Script::default();
    let heap = script.heap(1 << 20);
    let mut free = FreeMap::default();
    // Resource, offset, size; aliases have no size of their own in the free map.
    let mut live: Vec<(ResourceId, u64, Option<u64>)> = Vec::new();
    for &(width, choice) in steps {
        let size = width.next_multiple_of(256);
        match choice % 4 {
            0 if !live.is_empty() => {
                let (resource, offset, size) = live.swap_remove(width as usize % live.len());
                script.release(resource);
                if let Some(size) = size {
                    free.free(offset, size);
                }
            }
            1 if aliasing && !live.is_empty() => {
                let (_, offset, _) = live[width as usize % live.len()];
                let offset = offset + 256 * u64::from(choice / 64);
                live.push((script.buffer(heap, offset, width), offset, None));
            }
            _ => {
                let offset = free.allocate(size, 256).unwrap();
                live.push((script.buffer(heap, offset, width), offset, Some(size)));
            }
        }
    }
    script.log()
}

fn any_steps() -> impl Strategy<Value = Vec<(u64, u8)>> {
    prop::collection::vec((1_u64..3000, any::<u8>()), 1..120)
}

fn redo(log: &CallLog, answer: &DriverQuery<'_>, may_share: bool) -> usize {
    check(log, &Plan::new(log, answer), answer, may_share)
}

proptest! {
    #[test]
    fn redone_placements_never_overlap_where_the_log_has_none(steps in any_steps(), shift in 0_u32..9) {
        let log = heap_life(&steps, false);
        prop_assert_eq!(redo(&log, &driver(128 << shift, true), false), 0);
        prop_assert_eq!(redo(&log, &driver(128 << shift, false), false), 0);
    }

    #[test]
    fn redone_placements_keep_every_overlap_of_the_log(steps in any_steps(), shift in 0_u32..9) {
        let log = heap_life(&steps, true);
        redo(&log, &driver(128 << shift, true), true);
    }
}
