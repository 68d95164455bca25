//! What each event code means to the survey.

use super::super::{Events, Selecting};
use super::parts::{Part, Parts};
use crate::error::AnalyzeError;
use taut_schemas::{EventCode, FieldKind, Layer, Opcode, SchemaTable};
use taut_traces::Selection;

/// What a record is to the survey.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Class {
    /// Nothing it looks at.
    #[default]
    Other,
    /// An API call begins. If it makes up the world: its place in [`Kinds::parts`].
    ApiStart(Option<u8>),
    /// An API call returns.
    ApiStop(Option<u8>),
    /// The machine does something by itself; it ends like an API call.
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
}

/// Class of a code, and the counter of its records within a block; 0 for codes of which no field is read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Kind {
    pub class: Class,
    pub counter: u16,
}

/// The marks that the survey reads, by their codes in the trace.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MarkCodes {
    pub phase: Option<EventCode>,
    pub position: Option<EventCode>,
    pub message: Option<EventCode>,
    pub violation: Option<EventCode>,
}

/// What to read of a trace, and what its codes mean.
#[derive(Debug)]
pub(crate) struct Kinds {
    /// By code.
    pub(super) by_code: Vec<Kind>,
    /// Counters there are, the unused one with number 0 among them.
    pub(super) counters: usize,
    pub(super) parts: Parts,
    pub(super) marks: MarkCodes,
    /// Stop codes of API calls that have a result code.
    pub(super) results: Vec<EventCode>,
    pub(super) selection: Selection,
}

impl Kinds {
    /// Finds the calls and marks, and selects the fields they need.
    ///
    /// # Errors
    /// The trace's table lacks a field without which a call cannot be understood.
    pub fn new(schema: &SchemaTable) -> Result<Kinds, AnalyzeError> {
        let events = Events::new(schema);
        let mut selecting = Selecting::default();
        let parts = Parts::select(events, &mut selecting)?;
        let marks = select_marks(events, &mut selecting)?;
        let mut results = Vec::new();
        for stop in events.of(Layer::Api, Opcode::Stop) {
            if stop.fields.iter().any(|field| field.name == "hr" && matches!(field.kind, FieldKind::Scalar(_))) {
                selecting.present(stop, &["hr"]);
                results.push(stop.code);
            }
        }
        let selection = selecting.finish();
        let mut kinds =
            Kinds { by_code: classes(events, &parts, marks), counters: 1, parts, marks, results, selection };
        for (code, _) in &kinds.selection.events {
            kinds.by_code[usize::from(code.0)].counter = kinds.counters as u16;
            kinds.counters += 1;
        }
        Ok(kinds)
    }
}

fn select_marks(events: Events<'_>, selecting: &mut Selecting) -> Result<MarkCodes, AnalyzeError> {
    let mut mark = |name, required: &[&str], present: &[&str]| {
        let Some(event) = events.mark(name) else { return Ok(None) };
        selecting.required(event, required)?;
        selecting.present(event, present);
        Ok::<_, AnalyzeError>(Some(event.code))
    };
    Ok(MarkCodes {
        phase: mark("WorkloadPhase", &[], &["phase_index", "edge", "name"])?,
        position: mark("LogPosition", &["seq"], &[])?,
        message: mark("DebugMessage", &["severity", "message_id"], &["object", "description"])?,
        violation: mark("DriverViolation", &["rule"], &["lint", "description"])?,
    })
}

fn classes(events: Events<'_>, parts: &Parts, marks: MarkCodes) -> Vec<Kind> {
    // Codes are 16 bits wide.
    let mut by_code = vec![Kind::default(); 1 << 16];
    let part = |start: EventCode| {
        let place = parts.calls.iter().position(|(code, _)| *code == start)?;
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
    let known = [
        (parts.check.map(|(_, stop)| stop), Class::CheckStop),
        (parts.create_at_driver, Class::DriverCreateStart),
        (marks.phase, Class::Phase),
        (marks.position, Class::Position),
        (marks.message, Class::Message),
        (marks.violation, Class::Violation),
    ];
    known.into_iter().filter_map(|(code, class)| Some((code?, class))).for_each(|(code, class)| set(code, class));
    by_code
}

impl Parts {
    /// The part at a place that a [`Class`] holds.
    pub(super) fn at(&self, place: u8) -> Part {
        self.calls[usize::from(place)].1
    }
}
