//! Reads the calls of a trace in order, each with its arguments and its result.

use crate::events::ValueNames;
use std::collections::{BTreeMap, VecDeque};
use taut_schemas::{EventCode, MessageId, MessageSeverity, Opcode, SchemaTable, info, mark};
use taut_traces::{Joiner, ReadError, RowField, Rows, Trace};

/// An API call, or an input of the machine.
#[derive(Debug, Default)]
pub(super) struct CallRecord {
    pub name: String,
    pub start: Option<(EventCode, Vec<u8>)>,
    /// Stop record; `None` if the call never returned.
    pub stop: Option<(EventCode, Vec<u8>)>,
    /// True if a what-if replay skipped it for lack of an object.
    pub skipped: bool,
}

/// Reads a trace's calls and counts its messages.
pub(super) struct CallReader<'t> {
    rows: Rows<'t>,
    schema: &'t SchemaTable,
    /// Per thread, the call that has not returned. Calls inside it are ignored.
    open: BTreeMap<u32, Joiner<CallRecord>>,
    /// Calls that have ended and were not returned yet.
    ended: VecDeque<(u32, CallRecord)>,
    marks: DiffMarks<'t>,
}

impl<'t> CallReader<'t> {
    pub fn new(trace: &'t Trace) -> CallReader<'t> {
        let schema = &trace.header().schema;
        let (open, ended) = (BTreeMap::new(), VecDeque::new());
        CallReader { rows: trace.rows(), schema, open, ended, marks: DiffMarks::new(schema) }
    }

    /// Number of messages, by severity and id.
    pub fn messages(self) -> BTreeMap<(String, String), u64> {
        self.marks.messages
    }

    /// The next call to end, and its thread; a call that never ended is returned when that is certain.
    pub fn next(&mut self) -> Result<Option<(u32, CallRecord)>, ReadError> {
        while self.ended.is_empty() {
            let Some(row) = self.rows.next_row() else {
                let unfinished = std::mem::take(&mut self.open);
                for (thread, mut open) in unfinished {
                    self.ended.extend(open.gap().map(|call| (thread, call)));
                }
                break;
            };
            let Some(event) = self.schema.event(row.code) else { continue };
            let thread = row.thread;
            match event.opcode {
                Opcode::Start if event.layer.is_input() => {
                    let start = Some((row.code, row.payload.to_vec()));
                    let call = CallRecord { name: event.name.clone(), start, ..CallRecord::default() };
                    let open = self.open.entry(thread).or_default();
                    open.start(row.code, true, call, |cut| self.ended.push_back((thread, cut)));
                }
                Opcode::Stop if event.layer.is_input() => {
                    let call = self.open.get_mut(&thread).and_then(|open| open.stop(row.code, drop));
                    let stop = Some((row.code, row.payload.to_vec()));
                    self.ended.extend(call.map(|call| (thread, CallRecord { stop, ..call })));
                }
                Opcode::Info => {
                    let skipped = self.marks.read(row.code, row.payload)?;
                    self.ended.extend(skipped.map(|call| (thread, call)));
                }
                _ => {}
            }
        }
        Ok(self.ended.pop_front())
    }
}

/// The marks that are read.
struct DiffMarks<'t> {
    skipped_name: Option<RowField<String>>,
    message: Option<(RowField<MessageSeverity>, RowField<MessageId>)>,
    severities: ValueNames<'t, MessageSeverity>,
    ids: ValueNames<'t, MessageId>,
    messages: BTreeMap<(String, String), u64>,
}

impl<'t> DiffMarks<'t> {
    fn new(schema: &'t SchemaTable) -> DiffMarks<'t> {
        let message = info::<mark::DebugMessage>();
        DiffMarks {
            skipped_name: RowField::find(schema, info::<mark::SkippedCall>().name()),
            message: RowField::find(schema, message.severity()).zip(RowField::find(schema, message.message_id())),
            severities: ValueNames::new(schema),
            ids: ValueNames::new(schema),
            messages: BTreeMap::new(),
        }
    }

    /// Counts a message; returns the call of a mark of a skipped call.
    fn read(&mut self, code: EventCode, row: &[u8]) -> Result<Option<CallRecord>, ReadError> {
        if let Some((severity, id)) = self.message.as_ref().filter(|(severity, _)| severity.code() == code) {
            let key = (self.severities.of(&severity.read(row)?), self.ids.of(&id.read(row)?));
            *self.messages.entry(key).or_default() += 1;
        }
        let Some(name) = self.skipped_name.as_ref().filter(|name| name.code() == code) else { return Ok(None) };
        Ok(Some(CallRecord { name: name.read(row)?, skipped: true, ..CallRecord::default() }))
    }
}
