//! The survey of one thread: record after record, block after block.

use super::super::{Optionals, ThreadEvents, Values, View, values};
use super::creation::CallValues;
use super::health::{OpenCall, ThreadHealth};
use super::kinds::{Class, Kinds, Message, PhaseMark, Position, SnapshotHeap, SnapshotResource, Violation};
use super::rundown::{RundownReader, RundownRow};
use super::snapshot;
use super::world_calls::{DriverAnswer, WorldCall};
use super::world_event::{Creation, Descriptions, WorldEvent, WorldEventKind};
use super::world_indices::WorldIndices;
use crate::memory::{Allocation, Backing, NameIndex, Names, round_up};
use std::collections::VecDeque;
use taut_schemas::{
    EventCode, HResultCode, HeapDesc, HeapId, HeapType, MipRegion, Opcode, PhaseEdge, ResourceDesc, ResourceId,
};
use taut_traces::{Joiner, ThreadExtract};

/// Page size of VidMm's allocations.
pub(super) const PAGE_BYTES: u64 = 4096;

/// Survey state of a thread.
#[derive(Debug, Default)]
pub(super) struct ThreadSurvey {
    /// Events of the world that have not been merged, in order.
    events: VecDeque<WorldEvent>,
    /// Descriptions of its creations.
    pub descs: Descriptions,
    /// Names that it set.
    pub names: Names,
    /// The world's indices of these descriptions and names.
    pub world_indices: WorldIndices,
    /// Stamps of its API calls and phases, if lines are numbered.
    pub lines: Vec<u64>,
    /// `LogPosition` marks: stamp and number of the next line.
    pub positions: Vec<(u64, u64)>,
    /// Recording health of the thread.
    pub health: ThreadHealth,
    /// Calls that have not returned.
    open: Joiner<OpenCall>,
    pending: Option<Pending>,
    /// Path of the next created resource in its scene.
    scene_path: Option<NameIndex>,
    /// State of the rundown that the thread records.
    rundown: RundownReader,
    /// Stamp of the last record; true if that is of a rundown.
    last: Option<(u64, bool)>,
    rows: Vec<u32>,
}

/// A call that changes the world and has not returned.
#[derive(Debug)]
struct Pending {
    id: u16,
    part: WorldCall,
    stamp: u64,
    request: Request,
    /// The driver's first and last answer in the call.
    first: Option<Allocation>,
    last: Option<Allocation>,
    driver_heap_bytes: Option<u64>,
    /// Path of the created resource in its scene.
    scene_path: Option<NameIndex>,
}

/// Arguments of a call.
#[derive(Debug)]
enum Request {
    Heap(HeapDesc),
    Resource { desc: ResourceDesc, mip_region: MipRegion, heap: HeapId, heap_offset_bytes: u64, heap_type: HeapType },
    Release(u64),
    Name(u64, NameIndex),
}

/// The values of a block in the fields that the survey reads per record.
struct BlockValues<'a> {
    parts: Vec<CallValues<'a>>,
    /// Results of API calls, by the counters of their codes.
    hr: Vec<Values<'a, HResultCode>>,
    answer: Option<<DriverAnswer as View>::Values<'a>>,
    driver_heap_bytes: Optionals<'a>,
    phase: Option<<PhaseMark as View>::Values<'a>>,
    position: Option<<Position as View>::Values<'a>>,
    message: Option<<Message as View>::Values<'a>>,
    message_text: Values<'a, String>,
    violation: Option<<Violation as View>::Values<'a>>,
    violation_text: Values<'a, String>,
    scene_path: Values<'a, String>,
    snapshot_heap: Option<<SnapshotHeap as View>::Values<'a>>,
    snapshot_heap_name: Values<'a, String>,
    snapshot_resource: Option<<SnapshotResource as View>::Values<'a>>,
    snapshot_resource_name: Values<'a, String>,
}

impl<'a> BlockValues<'a> {
    fn new(kinds: &Kinds, block: &'a ThreadExtract) -> Self {
        let mut hr = vec![Values::default(); kinds.counters];
        for column in &kinds.results {
            hr[usize::from(kinds.by_code[usize::from(column.code().0)].counter)] = column.values(block);
        }
        let (parts, marks) = (&kinds.parts, &kinds.marks);
        let created = parts.create_at_driver.as_ref().and_then(|(_, column)| column.as_ref());
        Self {
            parts: parts.calls.iter().map(|columns| CallValues::new(columns, block)).collect(),
            hr,
            answer: parts.answer.as_ref().map(|found| found.values(block)),
            driver_heap_bytes: created.map(|column| column.values(block)).unwrap_or_default(),
            phase: marks.phase.as_ref().map(|found| found.values(block)),
            position: marks.position.as_ref().map(|found| found.values(block)),
            message: marks.message.as_ref().map(|found| found.values(block)),
            message_text: values(&marks.message_text, block),
            violation: marks.violation.as_ref().map(|found| found.values(block)),
            violation_text: values(&marks.violation_text, block),
            scene_path: values(&marks.scene_path, block),
            snapshot_heap: marks.snapshot_heap.as_ref().map(|found| found.values(block)),
            snapshot_heap_name: values(&marks.snapshot_heap_name, block),
            snapshot_resource: marks.snapshot_resource.as_ref().map(|found| found.values(block)),
            snapshot_resource_name: values(&marks.snapshot_resource_name, block),
        }
    }
}

/// A mark in a block.
#[derive(Debug, Clone, Copy)]
struct MarkRow {
    class: Class,
    stamp: u64,
    /// Index in the block.
    row: u32,
}

impl ThreadEvents for ThreadSurvey {
    type Waiting = WorldEvent;

    fn stamp(waiting: &WorldEvent) -> u64 {
        waiting.stamp
    }

    fn waiting(&mut self) -> &mut VecDeque<WorldEvent> {
        &mut self.events
    }

    /// The event of a call is added at its return, with the stamp of its start.
    fn floor(&self, next_record: u64) -> u64 {
        self.pending.as_ref().map_or(next_record, |pending| pending.stamp.min(next_record))
    }
}

impl ThreadSurvey {
    /// Processes the thread's next block; `None` stands for a damaged one.
    pub fn block(&mut self, kinds: &Kinds, number_lines: bool, block: Option<&ThreadExtract>) {
        let Some(block) = block else { return self.gap() };
        if block.codes.is_empty() {
            // Avoids the set-up cost in a trace with very many threads and few records.
            return;
        }
        let columns = BlockValues::new(kinds, block);
        self.rows.clear();
        self.rows.resize(kinds.counters, 0);
        for (code, stamp) in block.codes.iter().copied().zip(block.stamps.iter().copied()) {
            let kind = kinds.by_code[usize::from(code.0)];
            let next_row = &mut self.rows[usize::from(kind.counter)];
            let row = *next_row;
            *next_row += 1;
            let is_state = matches!(kind.class, Class::Rundown(_) | Class::State);
            // All records of a rundown have one stamp.
            if !is_state || self.last.is_none_or(|last| last != (stamp, true)) {
                self.health.steps.step(self.last.map(|(stamp, _)| stamp), stamp);
            }
            self.last = Some((stamp, is_state));
            match kind.class {
                Class::Other | Class::State => {}
                Class::ApiStart(part) => {
                    self.begins(code, stamp, true);
                    if number_lines {
                        self.lines.push(stamp);
                    }
                    self.pending = part.map(|place| {
                        let call = &columns.parts[usize::from(place)];
                        let request = request(call, row, &mut self.names);
                        let of_resource = matches!(request, Request::Resource { .. });
                        // The mark applies to the next resource only.
                        let scene_path = if of_resource { self.scene_path.take() } else { None };
                        Pending { scene_path, ..Pending::new(code, call.part, stamp, request) }
                    });
                }
                Class::TaskStart => {
                    self.begins(code, stamp, true);
                    self.pending = None;
                }
                Class::ApiStop(part) => {
                    self.result(code, columns.hr[usize::from(kind.counter)].or_default(row));
                    self.close(code);
                    if let Some(place) = part {
                        self.done(code, &columns.parts[usize::from(place)], row);
                    }
                }
                Class::DdiStart => self.begins(code, stamp, false),
                Class::DriverCreateStart => {
                    self.begins(code, stamp, false);
                    if let Some(pending) = &mut self.pending {
                        pending.driver_heap_bytes = columns.driver_heap_bytes.get(row);
                    }
                }
                Class::DdiStop => self.close(code),
                Class::CheckStop => {
                    self.close(code);
                    self.answered(&columns, row);
                }
                Class::Rundown(part) => {
                    let source = RundownRow { records: &kinds.rundown, block, part, stamp, row };
                    let events = self.rundown.record(source, &mut self.descs, &mut self.names);
                    self.events.extend(events.into_iter().flatten());
                }
                Class::Phase
                | Class::Position
                | Class::Message
                | Class::Violation
                | Class::ScenePath
                | Class::SnapshotHeap
                | Class::SnapshotResource => {
                    self.mark(&columns, MarkRow { class: kind.class, stamp, row }, number_lines);
                }
            }
        }
    }

    fn mark(&mut self, columns: &BlockValues<'_>, mark: MarkRow, number_lines: bool) {
        let MarkRow { class, stamp, row } = mark;
        match class {
            Class::Phase => {
                if number_lines {
                    self.lines.push(stamp);
                }
                let phase = columns.phase.as_ref().map(|values| PhaseMark::read(values, row));
                phase.into_iter().for_each(|phase| self.phase(stamp, phase));
            }
            Class::Position => {
                let seq = columns.position.as_ref().map(|values| Position::read(values, row).seq);
                self.positions.extend(seq.map(|seq| (stamp, seq)));
            }
            Class::Message => {
                if let Some(values) = &columns.message {
                    let text = || columns.message_text.or_default(row);
                    self.health.message(stamp, &Message::read(values, row), text);
                }
            }
            Class::Violation => {
                if let Some(values) = &columns.violation {
                    let text = || columns.violation_text.or_default(row);
                    self.health.violation(stamp, Violation::read(values, row), text);
                }
            }
            Class::ScenePath => self.scene_path = Some(self.names.add(&columns.scene_path.text(row))),
            Class::SnapshotHeap => {
                if let Some(values) = &columns.snapshot_heap {
                    let heap = SnapshotHeap::read(values, row);
                    let name = self.names.add(&columns.snapshot_heap_name.text(row));
                    self.events.extend(snapshot::heap(stamp, &heap, name));
                }
            }
            Class::SnapshotResource => {
                if let Some(values) = &columns.snapshot_resource {
                    let resource = SnapshotResource::read(values, row);
                    let name = self.names.add(&columns.snapshot_resource_name.text(row));
                    let desc = self.descs.number((snapshot::desc(&resource), MipRegion::default()));
                    self.events.extend(snapshot::resource(stamp, &resource, desc, name));
                }
            }
            _ => {}
        }
    }

    /// Closes open calls where records are missing: they may have returned in the missing records.
    pub fn gap(&mut self) {
        self.health.calls_cut_by_loss += self.open.gap().count() as u64;
        self.pending = None;
        self.scene_path = None;
    }

    /// Ends the trace: open calls never return.
    pub fn end(&mut self) {
        self.open.gap().for_each(|call| self.health.cut(call));
    }

    /// Begins a call. The calls that it cuts off never return.
    fn begins(&mut self, code: EventCode, stamp: u64, is_outermost: bool) {
        self.open.start(code, is_outermost, OpenCall { code, stamp }, |call| self.health.cut(call));
    }

    /// Ends a call. Calls inside it that have not returned never will.
    fn close(&mut self, stop: EventCode) {
        if self.open.stop(stop, |call| self.health.cut(call)).is_none() {
            self.health.stops_without_start += 1;
        }
    }

    fn result(&mut self, code: EventCode, hr: HResultCode) {
        // A caller that gets WAS_STILL_DRAWING tries again later: no failure.
        if hr.0 >> 31 == 1 && hr != HResultCode::DXGI_ERROR_WAS_STILL_DRAWING {
            *self.health.failed.entry((code, hr)).or_default() += 1;
        }
    }

    fn answered(&mut self, columns: &BlockValues<'_>, row: u32) {
        let (Some(pending), Some(values)) = (&mut self.pending, &columns.answer) else { return };
        let DriverAnswer { size_bytes, alignment_bytes } = DriverAnswer::read(values, row);
        // SizeInBytes is the driver's size rounded up to its alignment (tight-alignment checklist A-13).
        pending.last = Some(Allocation { size_bytes: round_up(size_bytes, alignment_bytes), alignment_bytes });
        pending.first = pending.first.or(pending.last);
    }

    fn phase(&mut self, stamp: u64, phase: PhaseMark) {
        let kind = match phase.edge.unwrap_or_default() {
            PhaseEdge::BEGIN => {
                let (name, number) = (phase.name.unwrap_or_default(), phase.phase_index.unwrap_or_default());
                WorldEventKind::PhaseBegan(if name.is_empty() { format!("phase {number}") } else { name }.into())
            }
            PhaseEdge::END => WorldEventKind::PhaseEnded,
            _ => return,
        };
        self.events.push_back(WorldEvent { stamp, kind });
    }

    /// Ends the pending call: its event is added if it succeeded.
    fn done(&mut self, stop: EventCode, columns: &CallValues<'_>, row: u32) {
        let Some(pending) = self.pending.take_if(|pending| pending.id == stop.id()) else { return };
        if columns.hr.or_default(row) != HResultCode::S_OK {
            return;
        }
        let created = columns.object.or_default(row).0;
        let stamp = pending.stamp;
        let kind = match (pending.part, &pending.request) {
            (WorldCall::ReleaseHeap, Request::Release(object)) if *object != 0 => {
                WorldEventKind::HeapReleased(HeapId(*object))
            }
            (WorldCall::ReleaseResource, Request::Release(object)) if *object != 0 => {
                WorldEventKind::ResourceReleased(ResourceId(*object))
            }
            (_, Request::Name(object, name)) if *object != 0 => WorldEventKind::Named(*object, *name),
            (_, Request::Heap(desc)) if created != 0 => WorldEventKind::HeapCreated(HeapId(created), Box::new(*desc)),
            (part, Request::Resource { desc, mip_region, heap, heap_offset_bytes, heap_type }) if created != 0 => {
                let backing = match part {
                    WorldCall::CreatePlaced => Backing::Placed { heap: *heap, heap_offset_bytes: *heap_offset_bytes },
                    WorldCall::CreateCommitted => {
                        Backing::Committed { implicit_heap_bytes: pending.implicit_heap_bytes(), heap_type: *heap_type }
                    }
                    _ => Backing::Reserved,
                };
                let desc = self.descs.number((*desc, *mip_region));
                WorldEventKind::ResourceCreated(Creation {
                    id: ResourceId(created),
                    desc,
                    backing,
                    allocation: pending.first,
                })
            }
            _ => return,
        };
        self.events.push_back(WorldEvent { stamp, kind });
        let used = pending.scene_path.map(|path| WorldEventKind::ScenePath(ResourceId(created), path));
        self.events.extend(used.map(|kind| WorldEvent { stamp, kind }));
    }
}

/// The arguments of the call whose start is record `row`.
fn request(call: &CallValues<'_>, row: u32, names: &mut Names) -> Request {
    match call.part {
        WorldCall::CreateHeap => Request::Heap(call.heap_desc.or_default(row)),
        WorldCall::ReleaseHeap | WorldCall::ReleaseResource => Request::Release(call.object.or_default(row).0),
        WorldCall::SetName => Request::Name(call.object.or_default(row).0, names.add(&call.name.text(row))),
        WorldCall::CreatePlaced | WorldCall::CreateCommitted | WorldCall::CreateReserved => {
            let (desc, mip_region) = call.resource_desc(row);
            let (heap, heap_offset_bytes) = call.place(row);
            let heap_type = call.heap_type.or_default(row);
            Request::Resource { desc, mip_region, heap, heap_offset_bytes, heap_type }
        }
    }
}

impl Pending {
    fn new(code: EventCode, part: WorldCall, stamp: u64, request: Request) -> Pending {
        debug_assert_eq!(code.opcode(), Some(Opcode::Start));
        Pending {
            id: code.id(),
            part,
            stamp,
            request,
            first: None,
            last: None,
            driver_heap_bytes: None,
            scene_path: None,
        }
    }

    /// Size of the implicit heap. For a committed resource the driver is queried once with the min alignment of placed
    /// resources, as for GetResourceAllocationInfo, and then with that of committed resources (4096), for the implicit
    /// heap (tight-alignment checklist A-21). CreateHeapAndResource has the size as an argument, too; a trace may hold
    /// only one of the two.
    fn implicit_heap_bytes(&self) -> u64 {
        let answered = self.last.map(|answer| answer.size_bytes);
        round_up(self.driver_heap_bytes.max(answered).unwrap_or_default(), PAGE_BYTES)
    }
}
