//! One thread's way through the survey: record after record, block after block.

use super::super::fields::{Numbers, Optionals, ThreadFields};
use super::creation::CallColumns;
use super::deed::{Creation, Deed, DeedKind, Descriptions};
use super::health::{OpenCall, ThreadHealth};
use super::kinds::{Class, Kinds};
use super::parts::Part;
use crate::world::{Allocation, Backing, NameIndex, Names, round_up};
use std::collections::VecDeque;
use taut_schemas::{EventCode, HResultCode, HeapDesc, HeapId, MipRegion, Opcode, PhaseEdge, ResourceDesc, ResourceId};
use taut_traces::ThreadExtract;

/// VidMm gives out memory in pages of this size.
const PAGE_BYTES: u64 = 4096;

/// What is known of a thread so far.
#[derive(Debug, Default)]
pub(super) struct ThreadSurvey {
    /// What it did to the world and has not been told yet, in order.
    pub deeds: VecDeque<Deed>,
    /// The descriptions its creations refer to.
    pub descs: Descriptions,
    /// The names it gave.
    pub names: Names,
    /// Stamps of its API calls and phases, if lines are numbered.
    pub lines: Vec<u64>,
    /// Its `LogPosition` marks: stamp and number of the next line.
    pub positions: Vec<(u64, u64)>,
    /// How it went.
    pub health: ThreadHealth,
    /// Calls that have not returned, outermost first.
    open: Vec<OpenCall>,
    pending: Option<Pending>,
    last_stamp: Option<u64>,
    rows: Vec<u32>,
}

/// A call that makes up the world and has not returned.
#[derive(Debug)]
struct Pending {
    id: u16,
    part: Part,
    stamp: u64,
    wish: Wish,
    /// What the driver answered in it first and last.
    first: Option<Allocation>,
    last: Option<Allocation>,
    driver_heap_bytes: Option<u64>,
}

/// What a call asks for.
#[derive(Debug)]
enum Wish {
    Heap(HeapDesc),
    Resource { desc: ResourceDesc, mip_region: MipRegion, heap: HeapId, heap_offset_bytes: u64 },
    Release(u64),
    Name(u64, NameIndex),
}

/// The columns of a block that the survey reads record by record.
struct BlockColumns<'a> {
    fields: ThreadFields<'a>,
    parts: Vec<CallColumns<'a>>,
    /// Results of API calls, by the counters of their codes.
    hr: Vec<Numbers<'a>>,
    check_size_bytes: Numbers<'a>,
    check_alignment_bytes: Numbers<'a>,
    driver_heap_bytes: Optionals<'a>,
}

impl<'a> BlockColumns<'a> {
    fn new(kinds: &Kinds, block: &'a ThreadExtract) -> Self {
        let fields = ThreadFields::new(block);
        let parts = kinds.parts.calls.iter().map(|(start, part)| CallColumns::new(&fields, *start, *part)).collect();
        let mut hr = vec![Numbers::default(); kinds.counters];
        for code in &kinds.results {
            hr[usize::from(kinds.by_code[usize::from(code.0)].counter)] = fields.numbers(*code, "hr");
        }
        let check = |field| kinds.parts.check.map(|(_, stop)| fields.numbers(stop, field)).unwrap_or_default();
        let (check_size_bytes, check_alignment_bytes) = (check("size_bytes"), check("alignment_bytes"));
        let create = kinds.parts.create_at_driver;
        let driver_heap_bytes = create.map(|code| fields.optionals(code, "heap_desc", "size_bytes"));
        let driver_heap_bytes = driver_heap_bytes.unwrap_or_default();
        Self { parts, hr, check_size_bytes, check_alignment_bytes, driver_heap_bytes, fields }
    }
}

impl ThreadSurvey {
    /// Goes through the thread's next block; `None` stands for one that cannot be read.
    pub fn block(&mut self, kinds: &Kinds, number_lines: bool, block: Option<&ThreadExtract>) {
        let Some(block) = block else { return self.gap() };
        let columns = BlockColumns::new(kinds, block);
        self.rows.clear();
        self.rows.resize(kinds.counters, 0);
        for (code, stamp) in block.codes.iter().copied().zip(block.stamps.iter().copied()) {
            let kind = kinds.by_code[usize::from(code.0)];
            let next_row = &mut self.rows[usize::from(kind.counter)];
            let row = *next_row;
            *next_row += 1;
            self.health.steps.step(self.last_stamp.replace(stamp), stamp);
            match kind.class {
                Class::Other => {}
                Class::ApiStart(part) => {
                    if !self.open.is_empty() {
                        self.health.cut(self.open.drain(..));
                    }
                    self.open.push(OpenCall { code, stamp });
                    if number_lines {
                        self.lines.push(stamp);
                    }
                    self.pending = part.map(|place| {
                        let (part, columns_of_part) = (kinds.parts.at(place), &columns.parts[usize::from(place)]);
                        let wish = wish(part, columns_of_part, row, &mut self.names);
                        Pending::new(code, part, stamp, wish)
                    });
                }
                Class::TaskStart => {
                    self.health.cut(self.open.drain(..));
                    self.open.push(OpenCall { code, stamp });
                    self.pending = None;
                }
                Class::ApiStop(part) => {
                    self.result(code, columns.hr[usize::from(kind.counter)].at_u32(row));
                    self.close(code);
                    if let Some(place) = part {
                        self.done(code, &columns.parts[usize::from(place)], row);
                    }
                }
                Class::DdiStart => self.open.push(OpenCall { code, stamp }),
                Class::DriverCreateStart => {
                    self.open.push(OpenCall { code, stamp });
                    if let Some(pending) = &mut self.pending {
                        pending.driver_heap_bytes = columns.driver_heap_bytes.get(row);
                    }
                }
                Class::DdiStop => self.close(code),
                Class::CheckStop => {
                    self.close(code);
                    self.answered(&columns, row);
                }
                Class::Phase => self.phase(&columns.fields, (code, stamp, row), number_lines),
                Class::Position => self.positions.push((stamp, columns.fields.numbers(code, "seq").at(row))),
                Class::Message => self.health.message(&columns.fields, (code, stamp, row)),
                Class::Violation => self.health.violation(&columns.fields, (code, stamp, row)),
            }
        }
    }

    /// Records are missing from here on: calls that are open may have returned in them.
    pub fn gap(&mut self) {
        self.health.calls_cut_by_loss += self.open.drain(..).count() as u64;
        self.pending = None;
    }

    /// The trace is over.
    pub fn end(&mut self) {
        self.health.cut(self.open.drain(..));
    }

    /// The stamp before which it will do nothing more; `next` is that of its next record. What a call does is done when
    /// it returns, and told with the stamp of its start.
    pub fn floor(&self, next: Option<u64>) -> Option<u64> {
        self.pending.as_ref().map(|pending| pending.stamp).into_iter().chain(next).min()
    }

    /// A call returned. Those inside that did not never will.
    fn close(&mut self, stop: EventCode) {
        match self.open.iter().rposition(|open| open.code.id() == stop.id()) {
            Some(depth) => {
                if depth + 1 < self.open.len() {
                    self.health.cut(self.open.drain(depth + 1..));
                }
                self.open.truncate(depth);
            }
            None => self.health.stops_without_start += 1,
        }
    }

    fn result(&mut self, code: EventCode, hr: u32) {
        if hr >> 31 == 1 {
            *self.health.failed.entry((code, HResultCode(hr))).or_default() += 1;
        }
    }

    fn answered(&mut self, columns: &BlockColumns<'_>, row: u32) {
        let Some(pending) = &mut self.pending else { return };
        let (size_bytes, alignment_bytes) = (columns.check_size_bytes.get(row), columns.check_alignment_bytes.get(row));
        let (Some(size_bytes), Some(alignment_bytes)) = (size_bytes, alignment_bytes) else { return };
        // SizeInBytes is the driver's size rounded up to its alignment (tight-alignment checklist A-13).
        pending.last = Some(Allocation { size_bytes: round_up(size_bytes, alignment_bytes), alignment_bytes });
        pending.first = pending.first.or(pending.last);
    }

    fn phase(&mut self, fields: &ThreadFields<'_>, (code, stamp, row): (EventCode, u64, u32), number_lines: bool) {
        if number_lines {
            self.lines.push(stamp);
        }
        let kind = match PhaseEdge(fields.numbers(code, "edge").at_u32(row)) {
            PhaseEdge::BEGIN => {
                let name = fields.text(code, "name", row);
                let number = fields.numbers(code, "phase_index").at(row);
                DeedKind::PhaseBegan(if name.is_empty() { format!("phase {number}") } else { name }.into())
            }
            PhaseEdge::END => DeedKind::PhaseEnded,
            _ => return,
        };
        self.deeds.push_back(Deed { stamp, kind });
    }

    /// The call at hand returned: what it did is done if it succeeded.
    fn done(&mut self, stop: EventCode, columns: &CallColumns<'_>, row: u32) {
        let Some(pending) = self.pending.take_if(|pending| pending.id == stop.id()) else { return };
        if HResultCode(columns.hr.at_u32(row)) != HResultCode::S_OK {
            return;
        }
        let created = columns.object.at(row);
        let stamp = pending.stamp;
        let kind = match (pending.part, &pending.wish) {
            (Part::ReleaseHeap, Wish::Release(object)) if *object != 0 => DeedKind::HeapReleased(HeapId(*object)),
            (Part::ReleaseResource, Wish::Release(object)) if *object != 0 => {
                DeedKind::ResourceReleased(ResourceId(*object))
            }
            (_, Wish::Name(object, name)) if *object != 0 => DeedKind::Named(*object, *name),
            (_, Wish::Heap(desc)) if created != 0 => DeedKind::HeapCreated(HeapId(created), Box::new(*desc)),
            (part, Wish::Resource { desc, mip_region, heap, heap_offset_bytes }) if created != 0 => {
                let backing = match part {
                    Part::CreatePlaced => Backing::Placed { heap: *heap, heap_offset_bytes: *heap_offset_bytes },
                    Part::CreateCommitted => Backing::Committed { implicit_heap_bytes: pending.implicit_heap_bytes() },
                    _ => Backing::Reserved,
                };
                let desc = self.descs.number((*desc, *mip_region));
                DeedKind::ResourceCreated(Creation {
                    id: ResourceId(created),
                    desc,
                    backing,
                    allocation: pending.first,
                })
            }
            _ => return,
        };
        self.deeds.push_back(Deed { stamp, kind });
    }
}

/// What the call that starts with record `row` asks for.
fn wish(part: Part, columns: &CallColumns<'_>, row: u32, names: &mut Names) -> Wish {
    match part {
        Part::CreateHeap => Wish::Heap(columns.heap_desc(row)),
        Part::ReleaseHeap | Part::ReleaseResource => Wish::Release(columns.object.at(row)),
        Part::SetName => Wish::Name(columns.object.at(row), names.add(&columns.name.at(row))),
        Part::CreatePlaced | Part::CreateCommitted | Part::CreateReserved => {
            let (desc, mip_region) = columns.resource_desc(row);
            let (heap, heap_offset_bytes) = columns.place(row);
            Wish::Resource { desc, mip_region, heap, heap_offset_bytes }
        }
    }
}

impl Pending {
    fn new(code: EventCode, part: Part, stamp: u64, wish: Wish) -> Pending {
        debug_assert_eq!(code.opcode(), Some(Opcode::Start));
        Pending { id: code.id(), part, stamp, wish, first: None, last: None, driver_heap_bytes: None }
    }

    /// A committed resource asks the driver once with the least alignment of placed resources, as
    /// GetResourceAllocationInfo does, and then with that of committed resources (4096), for its implicit heap
    /// (tight-alignment checklist A-21). CreateHeapAndResource is told the size too; a trace may hold only one of the
    /// two.
    fn implicit_heap_bytes(&self) -> u64 {
        let answered = self.last.map(|answer| answer.size_bytes);
        round_up(self.driver_heap_bytes.max(answered).unwrap_or_default(), PAGE_BYTES)
    }
}
