//! Records as rows in this build's layout, whatever the trace's own table.

use super::column::{ColumnPlace, place};
use super::selecting::Selecting;
use super::values::FieldPart;
use taut_schemas::{EventCode, EventSchema};
use taut_traces::ThreadExtract;

/// Location in a trace of the fields of an event of this build.
#[derive(Debug)]
pub(crate) struct RowColumns {
    /// The event's code in the trace.
    pub code: EventCode,
    places: Vec<ColumnPlace>,
}

/// The rows of some records.
#[derive(Debug, Default)]
pub(crate) struct Rows<'a>(Vec<FieldPart<'a>>);

impl RowColumns {
    /// Locates an event of this build, and selects it; `None` if the trace lacks it.
    pub fn select(selecting: &mut Selecting<'_>, event: &EventSchema) -> Option<RowColumns> {
        let found = selecting.schema().named(&event.provider, &event.name, event.opcode)?;
        let places: Vec<ColumnPlace> = event.fields.iter().map(|field| place(found, field)).collect();
        let names: Vec<&str> = places.iter().filter_map(|place| place.name.as_deref()).collect();
        selecting.named(found, &names);
        Some(RowColumns { code: found.code, places })
    }

    /// As [`select`](Self::select), for the event's first field only.
    pub fn select_first(selecting: &mut Selecting<'_>, event: &EventSchema) -> Option<RowColumns> {
        let first = EventSchema { fields: event.fields.iter().take(1).cloned().collect(), ..event.clone() };
        RowColumns::select(selecting, &first)
    }

    /// The rows of a thread's records.
    pub fn rows<'a>(&self, records: &'a ThreadExtract) -> Rows<'a> {
        let event = records.columns.iter().find(|columns| columns.code == self.code);
        Rows(event.map_or_else(Vec::new, |event| self.places.iter().map(|place| place.part(event)).collect()))
    }
}

impl Rows<'_> {
    /// Writes a record's row. Missing fields are zero or empty, as in a replay.
    pub fn write(&self, row: u32, out: &mut Vec<u8>) {
        out.clear();
        for part in &self.0 {
            if part.append(row, out).is_none() {
                // The record does not exist.
                return;
            }
        }
    }
}
