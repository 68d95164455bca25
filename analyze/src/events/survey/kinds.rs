//! The role of each event code in the survey.

use super::super::{Column, Events, Found, Selecting};
use super::rundown::{Part, RundownRecords};
use super::world_calls::WorldCalls;
use crate::error::AnalyzeError;
use crate::view;
use taut_schemas::{
    CpuPageProperty, Dimension, EventCode, HResultCode, HeapFlags, HeapId, HeapType, Layer, MemoryPool, MessageId,
    MessageSeverity, Opcode, PhaseEdge, ResourceFlags, ResourceId, SchemaTable, TextureLayout, info, mark, state,
};
use taut_traces::Selection;

/// Class of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Class {
    /// Ignored.
    #[default]
    Other,
    /// An API call begins; with its index in [`Kinds::parts`] if it changes the world.
    ApiStart(Option<u8>),
    /// An API call returns.
    ApiStop(Option<u8>),
    /// An input of the machine begins; it ends like an API call.
    TaskStart,
    /// A DDI call begins.
    DdiStart,
    /// A DDI call returns.
    DdiStop,
    /// CheckResourceAllocationInfo returns.
    CheckStop,
    /// CreateHeapAndResource begins.
    DriverCreateStart,
    /// A WorkloadPhase mark.
    Phase,
    /// A LogPosition mark.
    Position,
    /// A DebugMessage mark.
    Message,
    /// A DriverViolation mark.
    Violation,
    /// A ScenePath mark.
    ScenePath,
    /// A SnapshotHeap mark.
    SnapshotHeap,
    /// A SnapshotResource mark.
    SnapshotResource,
    /// A record of a rundown that describes the world.
    Rundown(Part),
    /// Another record of a rundown.
    State,
}

/// Class of a code, and the counter of its records within a block; 0 for codes without selected fields.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CodeKind {
    pub class: Class,
    pub counter: u16,
}

view! {
    /// A phase of the workload begins or ends.
    #[derive(Debug)]
    pub(super) struct PhaseMark of info mark::WorkloadPhase {} if any {
        phase_index: u32,
        edge: PhaseEdge,
        name: String,
    }
}

view! {
    /// A position in the call log.
    #[derive(Debug)]
    pub(super) struct Position of info mark::LogPosition {
        seq: u64,
    }
}

view! {
    /// The fields by which messages of the debug layer are counted.
    #[derive(Debug)]
    pub(super) struct Message of info mark::DebugMessage {
        severity: MessageSeverity,
        message_id: MessageId,
    }
}

view! {
    /// The fields by which driver violations are counted.
    #[derive(Debug)]
    pub(super) struct Violation of info mark::DriverViolation {
        rule: String,
    } if any {
        lint: bool,
    }
}

view! {
    /// A heap that an allocator holds.
    #[derive(Debug)]
    pub(super) struct SnapshotHeap of info mark::SnapshotHeap {
        heap: HeapId,
        size_bytes: u64,
        heap_type: HeapType,
        cpu_page_property: CpuPageProperty,
        memory_pool: MemoryPool,
        flags: HeapFlags,
    }
}

view! {
    /// A resource that an allocator holds.
    #[derive(Debug)]
    pub(super) struct SnapshotResource of info mark::SnapshotResource {
        resource: ResourceId,
        heap: HeapId,
        heap_offset_bytes: u64,
        size_bytes: u64,
        heap_type: HeapType,
        dimension: Dimension,
        layout: TextureLayout,
        flags: ResourceFlags,
    }
}

/// The marks that the survey reads, as located in the trace.
#[derive(Debug)]
pub(super) struct SurveyMarks {
    pub phase: Option<Found<PhaseMark>>,
    pub position: Option<Found<Position>>,
    pub message: Option<Found<Message>>,
    /// Description of a message.
    pub message_text: Option<Column<String>>,
    pub violation: Option<Found<Violation>>,
    /// Description of a violation.
    pub violation_text: Option<Column<String>>,
    pub scene_path: Option<Column<String>>,
    pub snapshot_heap: Option<Found<SnapshotHeap>>,
    pub snapshot_heap_name: Option<Column<String>>,
    pub snapshot_resource: Option<Found<SnapshotResource>>,
    pub snapshot_resource_name: Option<Column<String>>,
}

impl SurveyMarks {
    fn select(selecting: &mut Selecting<'_>) -> Result<SurveyMarks, AnalyzeError> {
        Ok(SurveyMarks {
            phase: Found::select(selecting)?,
            position: Found::select(selecting)?,
            message: Found::select(selecting)?,
            message_text: selecting.wanted(info::<mark::DebugMessage>().description()),
            violation: Found::select(selecting)?,
            violation_text: selecting.wanted(info::<mark::DriverViolation>().description()),
            scene_path: selecting.wanted(info::<mark::ScenePath>().path()),
            snapshot_heap: Found::select(selecting)?,
            snapshot_heap_name: selecting.wanted(info::<mark::SnapshotHeap>().name()),
            snapshot_resource: Found::select(selecting)?,
            snapshot_resource_name: selecting.wanted(info::<mark::SnapshotResource>().name()),
        })
    }
}

/// The fields to read of a trace, and the classes of its codes.
#[derive(Debug)]
pub(crate) struct Kinds {
    /// Classes by code.
    pub(super) by_code: Vec<CodeKind>,
    /// Number of counters, the unused counter 0 included.
    pub(super) counters: usize,
    pub(super) parts: WorldCalls,
    pub(super) marks: SurveyMarks,
    pub(super) rundown: RundownRecords,
    /// The result codes of the API calls that have one.
    pub(super) results: Vec<Column<HResultCode>>,
    pub(super) selection: Selection,
}

impl Kinds {
    /// Finds the calls and marks, and selects their fields.
    ///
    /// # Errors
    /// The trace's table lacks a required field of a call.
    pub fn new(schema: &SchemaTable) -> Result<Kinds, AnalyzeError> {
        let events = Events::new(schema);
        let mut selecting = Selecting::new(schema);
        let parts = WorldCalls::select(&mut selecting)?;
        let marks = SurveyMarks::select(&mut selecting)?;
        let rundown = RundownRecords::select(&mut selecting)?;
        let stops = events.of(Layer::Api, Opcode::Stop);
        let results = stops.filter_map(|stop| selecting.result(stop)).collect();
        let selection = selecting.finish();
        let by_code = classes(events, &parts, &marks, &rundown);
        let mut kinds = Kinds { by_code, counters: 1, parts, marks, rundown, results, selection };
        for (code, _) in &kinds.selection.events {
            kinds.by_code[usize::from(code.0)].counter = kinds.counters as u16;
            kinds.counters += 1;
        }
        Ok(kinds)
    }
}

fn classes(events: Events<'_>, parts: &WorldCalls, marks: &SurveyMarks, rundown: &RundownRecords) -> Vec<CodeKind> {
    // Codes are 16 bits wide.
    let mut by_code = vec![CodeKind::default(); 1 << 16];
    let part = |start: EventCode| {
        let place = parts.calls.iter().position(|call| call.start == start)?;
        u8::try_from(place).ok()
    };
    let mut set = |code: EventCode, class| by_code[usize::from(code.0)].class = class;
    for start in events.of(Layer::Api, Opcode::Start) {
        set(start.code, Class::ApiStart(part(start.code)));
        set(EventCode::new(start.code.id(), Opcode::Stop), Class::ApiStop(part(start.code)));
    }
    for start in events.of(Layer::Task, Opcode::Start) {
        set(start.code, Class::TaskStart);
        set(EventCode::new(start.code.id(), Opcode::Stop), Class::ApiStop(None));
    }
    for start in events.of(Layer::Ddi, Opcode::Start) {
        set(start.code, Class::DdiStart);
        set(EventCode::new(start.code.id(), Opcode::Stop), Class::DdiStop);
    }
    events.of(Layer::Mark, Opcode::Info).filter(|event| event.provider == state::FAMILY.provider).for_each(|event| {
        set(event.code, Class::State);
    });
    let known = [
        (parts.answer.as_ref().map(|answer| answer.code), Class::CheckStop),
        (parts.create_at_driver.as_ref().map(|(code, _)| *code), Class::DriverCreateStart),
        (marks.phase.as_ref().map(|mark| mark.code), Class::Phase),
        (marks.position.as_ref().map(|mark| mark.code), Class::Position),
        (marks.message.as_ref().map(|mark| mark.code), Class::Message),
        (marks.violation.as_ref().map(|mark| mark.code), Class::Violation),
        (marks.scene_path.as_ref().map(Column::code), Class::ScenePath),
        (marks.snapshot_heap.as_ref().map(|mark| mark.code), Class::SnapshotHeap),
        (marks.snapshot_resource.as_ref().map(|mark| mark.code), Class::SnapshotResource),
    ];
    let known = known.into_iter().chain(rundown.codes().map(|(code, part)| (code, Class::Rundown(part))));
    known.filter_map(|(code, class)| Some((code?, class))).for_each(|(code, class)| set(code, class));
    by_code
}
