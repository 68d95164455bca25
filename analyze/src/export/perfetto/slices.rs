//! Calls as nested slices of their threads, marks as instants.
//!
//! After lost records, calls end as [`Joiner`](taut_traces::Joiner) decides. A call that never returned and that
//! no later record ends stays open: viewers draw it to the trace's end.

use super::super::record_batch::record_error;
use super::arguments::Arguments;
use super::flows::Flows;
use super::interning::{Name, Sort};
use super::packets::{DebugAnnotation, EventType, TrackEvent};
use super::phases::Phases;
use super::sequence::Sequence;
use super::spans::{Note, notes};
use super::thread::{Thread, lost};
use super::tracks::{PROCESS_TRACK, Tracks};
use crate::error::AnalyzeError;
use crate::events::Events;
use foldhash::HashMap;
use taut_schemas::{
    EventCode, EventSchema, Opcode, SchemaTable, TaskId, d3d12_callbacks, d3d12_ddi, info, mark, start, stop,
};
use taut_traces::{BlockInfo, Damage, Row, RowField, Trace};

/// The field with the background task, of events that have one.
fn task_fields(schema: &SchemaTable) -> HashMap<EventCode, RowField<TaskId>> {
    let fields = [
        RowField::find(schema, stop::<d3d12_callbacks::QueueProcessingWork>().output()),
        RowField::find(schema, start::<d3d12_ddi::ProcessBackgroundWork>().task()),
    ];
    fields.into_iter().flatten().map(|field| (field.code(), field)).collect()
}

/// Presentation of an event's records.
struct SliceKind {
    name: Name,
    category: Name,
    arguments: Arguments,
    /// True if calls of the event are made inside no other call.
    is_outermost: bool,
    is_phase: bool,
    /// The task field, for flows.
    task: Option<RowField<TaskId>>,
}

impl SliceKind {
    fn new(schema: &SchemaTable, event: &EventSchema, outermost: &[bool]) -> SliceKind {
        let is_phase = |phase: &EventSchema| phase.code == event.code;
        SliceKind {
            name: Name::new(Sort::EventName, &event.name),
            category: Name::new(Sort::Category, event.layer.name()),
            arguments: Arguments::new(schema, event),
            is_outermost: outermost[usize::from(event.code.0)],
            is_phase: schema.find(info::<mark::WorkloadPhase>().event_ref()).is_some_and(is_phase),
            task: None,
        }
    }
}

/// State of all threads during the pass over the trace.
pub struct Slices<'a> {
    trace: &'a Trace,
    kinds: HashMap<EventCode, SliceKind>,
    threads: HashMap<u32, Thread>,
    phases: Phases,
    flows: Flows,
    /// Name of a call's result.
    result: Name,
    /// The track of events that name no track.
    default_track: Option<u64>,
}

impl<'a> Slices<'a> {
    pub fn new(trace: &'a Trace, flows: Flows, tracks: &mut Tracks) -> Slices<'a> {
        let schema = &trace.header().schema;
        let outermost = Events::new(schema).outermost();
        let kinds = schema.events.iter().map(|event| (event.code, SliceKind::new(schema, event, &outermost)));
        let mut kinds: HashMap<EventCode, SliceKind> = kinds.collect();
        for (code, field) in task_fields(schema) {
            kinds.entry(code).and_modify(|kind| kind.task = Some(field));
        }
        let threads = &trace.summary().threads;
        let busiest = threads.iter().max_by_key(|thread| thread.events).map(|thread| thread.thread);
        let threads: HashMap<u32, Thread> =
            threads.iter().map(|thread| (thread.thread, Thread::new(trace, thread.thread, tracks))).collect();
        let default_track = busiest.and_then(|thread| threads.get(&thread)).map(|thread| thread.track);
        let result = Name::new(Sort::AnnotationName, "result");
        Slices { trace, kinds, threads, phases: Phases::new(schema, tracks), flows, result, default_track }
    }

    /// Track of events without an explicit track: the track of the thread with the most events, which keeps the file
    /// small.
    pub fn default_track(&self) -> Option<u64> {
        self.default_track
    }

    /// Adds damage: open calls of its thread may have returned in the lost records.
    pub fn damage(&mut self, at_ns: u64, damage: &Damage, sequence: &mut Sequence) {
        let hit = |block: &&BlockInfo| {
            damage.offset.checked_sub(block.offset).is_some_and(|inside| inside < block.length_bytes.into())
        };
        let thread = self.trace.blocks().iter().find(hit).and_then(|block| self.threads.get_mut(&block.thread));
        let track = thread.map_or(PROCESS_TRACK, |thread| {
            thread.gap = true;
            thread.track
        });
        let mut note_list = vec![Note::Text("damage", damage.to_string())];
        note_list.extend(damage.events_lost.map(|events| Note::Number("events", events)));
        lost(at_ns, track, &note_list, sequence);
    }

    /// Adds the next record.
    ///
    /// # Errors
    /// The row does not match the event's layout.
    pub fn row(&mut self, at_ns: u64, row: &Row<'_>, sequence: &mut Sequence) -> Result<(), AnalyzeError> {
        let (Some(thread), Some(kind)) = (self.threads.get_mut(&row.thread), self.kinds.get_mut(&row.code)) else {
            return Ok(());
        };
        thread.catch_up(at_ns, row.stamp, sequence);
        let annotations = kind.arguments.of(row.payload, &mut sequence.interning);
        let annotations = annotations.map_err(|error| record_error(self.trace, row, &error))?;
        if kind.is_phase {
            let category = sequence.interning.name(&mut kind.category);
            return self.phases.mark(at_ns, category, row.payload, annotations, sequence);
        }
        let mut event =
            TrackEvent { track_uuid: Some(thread.track), debug_annotations: annotations, ..Default::default() };
        let kind_of_event = match row.code.opcode() {
            Some(Opcode::Start) => {
                thread.begin(row.code, kind.is_outermost, at_ns, sequence);
                EventType::SliceBegin
            }
            Some(Opcode::Stop) => {
                let results = std::mem::take(&mut event.debug_annotations);
                if !results.is_empty() {
                    let name_iid = Some(sequence.interning.name(&mut self.result));
                    event.debug_annotations =
                        vec![DebugAnnotation { name_iid, dict_entries: results, ..Default::default() }];
                }
                if thread.end(row.code, at_ns, sequence) {
                    EventType::SliceEnd
                } else {
                    let note_list = [Note::Text("start", "not recorded".to_owned())];
                    event.debug_annotations.extend(notes(&note_list, sequence));
                    EventType::Instant
                }
            }
            _ => EventType::Instant,
        };
        if kind_of_event != EventType::SliceEnd {
            event.category_iids = vec![sequence.interning.name(&mut kind.category)];
            event.name_iid = Some(sequence.interning.name(&mut kind.name));
        }
        if let Some(task) = &kind.task {
            event.flow_ids = self.flows.of(task.read(row.payload)?).into_iter().collect();
        }
        event.r#type = Some(kind_of_event as i32);
        // Left out on the default track, which has the most events: this keeps the file small.
        event.track_uuid = event.track_uuid.filter(|_| Some(thread.track) != self.default_track);
        sequence.event(at_ns, event);
        Ok(())
    }

    /// Ends the trace.
    pub fn finish(&mut self, at_ns: u64, sequence: &mut Sequence) {
        let mut threads: Vec<&mut Thread> = self.threads.values_mut().collect();
        threads.sort_by_key(|thread| thread.track);
        threads.into_iter().for_each(|thread| thread.catch_up(at_ns, u64::MAX, sequence));
    }
}
