//! Joined calls with a column for every scalar and text field that the trace's schema table knows of them.

use super::frame::Frame;
use crate::analysis::Analysis;
use crate::columns::{Events, JoinedCall, Records, Selecting, ThreadFields};
use crate::error::AnalyzeError;
use std::collections::BTreeSet;
use taut_schemas::{EventCode, FieldKind, Layer, Opcode};

/// A call in a table: its thread's place among the threads, and its place among the thread's calls.
pub(super) type CallPlace = (u32, u32);

/// One field, under one name in all calls that have it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct WideField {
    stop: bool,
    name: String,
    text: bool,
}

impl WideField {
    /// Arguments keep their names; results come after `result_`, but for `hr`.
    fn column_name(&self) -> String {
        let name = self.name.replace('.', "_");
        if self.stop && name != "hr" { format!("result_{name}") } else { name }
    }
}

/// The calls of a layer, with all their scalar and text fields.
pub(super) struct WideCalls {
    /// The records they come from.
    pub records: Records,
    layer: Layer,
    fields: BTreeSet<WideField>,
}

impl WideCalls {
    /// Reads the calls of a layer.
    pub fn read(analysis: &Analysis<'_>, layer: Layer) -> Result<WideCalls, AnalyzeError> {
        let events = Events::new(&analysis.trace().header().schema);
        let mut selecting = Selecting::default();
        let mut fields = BTreeSet::new();
        for opcode in [Opcode::Start, Opcode::Stop] {
            for event in events.of(layer, opcode) {
                for field in &event.fields {
                    let text = match field.kind {
                        FieldKind::Scalar(_) => false,
                        FieldKind::Text => true,
                        _ => continue,
                    };
                    selecting.present(event, &[&field.name]);
                    fields.insert(WideField { stop: opcode == Opcode::Stop, name: field.name.clone(), text });
                }
            }
        }
        Ok(WideCalls { records: Records::read(analysis.trace(), selecting)?, layer, fields })
    }

    /// The call at a place.
    pub fn call(&self, place: CallPlace) -> &JoinedCall {
        &self.records.threads[place.0 as usize].calls[place.1 as usize]
    }

    /// Adds thread, name, stamps and duration of these calls, and all their fields.
    pub fn columns(&self, analysis: &Analysis<'_>, places: &[CallPlace], frame: &mut Frame) {
        let events = Events::new(&analysis.trace().header().schema);
        let calls = || places.iter().map(|place| self.call(*place));
        let threads = places.iter().map(|place| self.records.threads[place.0 as usize].thread);
        let names = calls().map(|call| events.event(call.code).map_or("unknown", |event| event.name.as_str()));
        frame.column("thread", threads.collect::<Vec<u32>>());
        frame.column("name", names.collect::<Vec<&str>>());
        frame.column("start_stamp", calls().map(|call| call.stamp).collect::<Vec<_>>());
        frame.column("stop_stamp", calls().map(|call| Some(call.stop?.stamp)).collect::<Vec<_>>());
        let duration = |call: &JoinedCall| analysis.ticks_to_ns(call.stop?.stamp.checked_sub(call.stamp)?);
        frame.column("duration_ns", calls().map(duration).collect::<Vec<_>>());
        let threads = self.records.fields();
        for field in &self.fields {
            if field.text {
                frame.named_by_trace(&field.column_name(), self.texts(events, field, places, &threads));
            } else {
                frame.named_by_trace(&field.column_name(), self.numbers(events, field, places, &threads));
            }
        }
    }

    /// The record of a call that may hold a field.
    fn record(&self, field: &WideField, place: CallPlace) -> Option<(EventCode, u32)> {
        let call = self.call(place);
        match field.stop {
            true => Some((EventCode::new(call.code.id(), Opcode::Stop), call.stop?.row)),
            false => Some((call.code, call.row)),
        }
    }

    /// Codes whose records hold a field.
    fn holders(&self, events: Events<'_>, field: &WideField) -> Vec<EventCode> {
        let opcode = if field.stop { Opcode::Stop } else { Opcode::Start };
        let holders = events.of(self.layer, opcode);
        holders.filter(|event| event.fields.iter().any(|f| f.name == field.name)).map(|event| event.code).collect()
    }

    fn numbers(
        &self,
        events: Events<'_>,
        field: &WideField,
        places: &[CallPlace],
        threads: &[ThreadFields<'_>],
    ) -> Vec<Option<u64>> {
        let holders = self.holders(events, field);
        let columns = threads
            .iter()
            .map(|thread| holders.iter().map(|code| (*code, thread.numbers(*code, &field.name))).collect::<Vec<_>>());
        let columns: Vec<_> = columns.collect();
        let value = |place: &CallPlace| {
            let (code, row) = self.record(field, *place)?;
            columns[place.0 as usize].iter().find(|(holder, _)| *holder == code)?.1.get(row)
        };
        places.iter().map(value).collect()
    }

    fn texts(
        &self,
        events: Events<'_>,
        field: &WideField,
        places: &[CallPlace],
        threads: &[ThreadFields<'_>],
    ) -> Vec<Option<String>> {
        let holders = self.holders(events, field);
        let value = |place: &CallPlace| {
            let (code, row) = self.record(field, *place)?;
            holders.contains(&code).then(|| threads[place.0 as usize].text(code, &field.name, row))
        };
        places.iter().map(value).collect()
    }
}
