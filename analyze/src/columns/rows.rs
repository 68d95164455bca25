//! Records as rows of this build, whatever the trace's own table, for who reads rows.

use super::column::{ColumnPlace, place};
use super::selecting::Selecting;
use super::values::FieldPart;
use taut_schemas::{EventCode, EventSchema};
use taut_traces::ThreadExtract;

/// Where a trace has the fields that this build says an event has.
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
    /// Finds an event of this build, and reads it; none if the trace does not have it.
    pub fn select(selecting: &mut Selecting<'_>, event: &EventSchema) -> Option<RowColumns> {
        let found = selecting.schema().named(&event.provider, &event.name, event.opcode)?;
        let places: Vec<ColumnPlace> = event.fields.iter().map(|field| place(found, field)).collect();
        let names: Vec<&str> = places.iter().filter_map(|place| place.name.as_deref()).collect();
        selecting.named(found, &names);
        Some(RowColumns { code: found.code, places })
    }

    /// The same of the event's first field alone.
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
    /// Writes a record's row. What the trace does not have of it is zero or empty, as replay takes it to be.
    pub fn write(&self, row: u32, out: &mut Vec<u8>) {
        out.clear();
        for part in &self.0 {
            if part.append(row, out).is_none() {
                // There is no such record.
                return;
            }
        }
    }
}
