//! Which fields of which events to read.

use crate::error::AnalyzeError;
use taut_schemas::EventSchema;
use taut_traces::Selection;

/// A [`Selection`] in the making.
#[derive(Debug, Default)]
pub struct Selecting {
    selection: Selection,
}

impl Selecting {
    /// Reads these fields, without which the event cannot be understood.
    ///
    /// # Errors
    /// The trace's table has no such field.
    pub fn required(&mut self, event: &EventSchema, fields: &[&str]) -> Result<(), AnalyzeError> {
        for field in fields {
            if !event.fields.iter().any(|known| known.name == *field) {
                let known: Vec<&str> = event.fields.iter().map(|known| known.name.as_str()).collect();
                return Err(AnalyzeError::Field {
                    event: event.name.clone(),
                    opcode: event.opcode,
                    field: (*field).to_owned(),
                    found: known.join(", "),
                });
            }
        }
        self.present(event, fields);
        Ok(())
    }

    /// Reads those of these fields that the event has.
    pub fn present(&mut self, event: &EventSchema, fields: &[&str]) {
        let known = event.fields.iter().map(|field| &field.name).filter(|name| fields.contains(&name.as_str()));
        let known: Vec<String> = known.cloned().collect();
        match self.selection.events.iter_mut().find(|(code, _)| *code == event.code) {
            Some((_, fields)) => known.into_iter().for_each(|name| {
                if !fields.contains(&name) {
                    fields.push(name);
                }
            }),
            None => self.selection.events.push((event.code, known)),
        }
    }

    /// The selection.
    pub fn finish(self) -> Selection {
        self.selection
    }
}
