//! Joined calls with a column for every scalar and text field that the trace's schema table knows of them.

use super::column::{ColumnDoc, ColumnKind, TableColumn};
use super::frame::Frame;
use crate::analysis::Analysis;
use crate::columns::{Events, JoinedCall, Records, Selecting, ThreadFields};
use crate::error::AnalyzeError;
use std::collections::BTreeMap;
use taut_schemas::{EventCode, EventSchema, FieldKind, Layer, Opcode};

/// A call in a table: its thread's place among the threads, and its place among the thread's calls.
pub(super) type CallPlace = (u32, u32);

/// One field, under one name in all calls that have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WideField {
    stop: bool,
    name: String,
    text: bool,
    /// The column's name: arguments keep theirs, results come after `result_`, but for `hr`. A name that is taken gets
    /// `arg_` before it.
    column: String,
    doc: String,
}

impl WideField {
    /// Every scalar and text field of a layer's calls: arguments by name, then results. `taken` are the table's other
    /// columns.
    pub fn all(analysis: &Analysis, layer: Layer, taken: &[ColumnDoc]) -> Vec<WideField> {
        let events = Events::new(&analysis.trace().header().schema);
        let mut fields = BTreeMap::new();
        for opcode in [Opcode::Start, Opcode::Stop] {
            for event in events.of(layer, opcode) {
                for field in &event.fields {
                    let text = match field.kind {
                        FieldKind::Scalar(_) => false,
                        FieldKind::Text => true,
                        _ => continue,
                    };
                    let key = (opcode == Opcode::Stop, field.name.as_str(), text);
                    fields.entry(key).or_insert(field.doc.as_str());
                }
            }
        }
        let mut columns: Vec<WideField> = Vec::with_capacity(fields.len());
        for ((stop, name, text), doc) in fields {
            let mut column = name.replace('.', "_");
            if stop && name != "hr" {
                column.insert_str(0, "result_");
            }
            while taken.iter().any(|known| known.name == column) || columns.iter().any(|known| known.column == column) {
                column.insert_str(0, "arg_");
            }
            columns.push(WideField { stop, name: name.to_owned(), text, column, doc: doc.to_owned() });
        }
        columns
    }
}

impl From<&WideField> for TableColumn {
    fn from(field: &WideField) -> TableColumn {
        let kind = if field.text { ColumnKind::Text } else { ColumnKind::U64 };
        TableColumn { name: field.column.clone(), kind, doc: field.doc.clone().into() }
    }
}

/// The calls of a layer, with all their scalar and text fields.
pub(super) struct WideCalls {
    /// The records they come from.
    pub records: Records,
    layer: Layer,
    fields: Vec<WideField>,
}

impl WideCalls {
    /// Reads the calls of a layer, with those of their fields that the frame wants.
    pub fn read(
        analysis: &Analysis,
        layer: Layer,
        taken: &[ColumnDoc],
        frame: &Frame<'_>,
    ) -> Result<WideCalls, AnalyzeError> {
        let events = Events::new(&analysis.trace().header().schema);
        let mut fields = WideField::all(analysis, layer, taken);
        fields.retain(|field| frame.wants(&field.column));
        let mut selecting = Selecting::default();
        for field in &fields {
            let opcode = if field.stop { Opcode::Stop } else { Opcode::Start };
            events.of(layer, opcode).for_each(|event| selecting.present(event, &[&field.name]));
        }
        let records = Records::read(analysis.trace(), selecting)?;
        analysis.met(records.damage());
        Ok(WideCalls { records, layer, fields })
    }

    /// The call at a place.
    pub fn call(&self, place: CallPlace) -> &JoinedCall {
        &self.records.threads[place.0 as usize].calls[place.1 as usize]
    }

    /// Adds thread, name, stamps and duration of these calls, and all their fields.
    pub fn columns(
        &self,
        analysis: &Analysis,
        places: &[CallPlace],
        frame: &mut Frame<'_>,
    ) -> Result<(), AnalyzeError> {
        let events = Events::new(&analysis.trace().header().schema);
        let calls = || places.iter().map(|place| self.call(*place));
        let threads = || places.iter().map(|place| self.records.threads[place.0 as usize].thread);
        frame.column("thread", || threads().collect::<Vec<u32>>());
        let starts: Vec<&EventSchema> = events.of(self.layer, Opcode::Start).collect();
        let names: Vec<&str> = starts.iter().map(|event| event.name.as_str()).chain(["unknown"]).collect();
        frame.words("name", &names, || {
            // Codes are 16 bits wide.
            let mut places = vec![starts.len() as u32; 1 << 16];
            (0..).zip(&starts).for_each(|(place, event)| places[usize::from(event.code.0)] = place);
            calls().map(|call| places[usize::from(call.code.0)]).collect()
        })?;
        frame.column("start_stamp", || calls().map(|call| call.stamp).collect::<Vec<u64>>());
        frame.column("stop_stamp", || calls().map(|call| Some(call.stop?.stamp)).collect::<Vec<Option<u64>>>());
        let duration = |call: &JoinedCall| analysis.ticks_to_ns(call.stop?.stamp.checked_sub(call.stamp)?);
        frame.column("duration_ns", || calls().map(duration).collect::<Vec<Option<u64>>>());
        let threads = self.records.fields();
        for field in &self.fields {
            if field.text {
                frame.column(&field.column, || self.texts(events, field, places, &threads));
            } else {
                frame.column(&field.column, || self.numbers(events, field, places, &threads));
            }
        }
        Ok(())
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
