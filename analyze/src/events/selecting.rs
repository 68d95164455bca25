//! Selects the fields of events to read.

use super::column::{Column, ElementColumn, lacking};
use crate::error::AnalyzeError;
use taut_schemas::{EventRef, EventSchema, Field, FieldRef, HResultCode, SchemaTable};
use taut_traces::Selection;

/// A [`Selection`] under construction.
#[derive(Debug)]
pub struct Selecting<'a> {
    schema: &'a SchemaTable,
    selection: Selection,
}

impl<'a> Selecting<'a> {
    /// An empty selection for a trace with this table.
    pub fn new(schema: &'a SchemaTable) -> Selecting<'a> {
        Selecting { schema, selection: Selection::default() }
    }

    /// The trace's table.
    pub fn schema(&self) -> &'a SchemaTable {
        self.schema
    }

    /// Selects the records of an event without fields, if the trace has the event.
    pub fn event(&mut self, event: EventRef) {
        if let Some(event) = self.schema.find(event) {
            self.named(event, &[]);
        }
    }

    /// Selects a field that is required if the trace has its event; `None` if it lacks the event.
    ///
    /// # Errors
    /// The trace's table has the event, but not all of the field.
    pub fn needed<T: Field>(&mut self, field: FieldRef<T>) -> Result<Option<Column<T>>, AnalyzeError> {
        let Some(event) = self.schema.find(field.event_ref()) else { return Ok(None) };
        if let Some(field) = lacking(event, field) {
            let known: Vec<&str> = event.fields.iter().map(|known| known.name.as_str()).collect();
            return Err(AnalyzeError::Field {
                event: event.name.clone(),
                opcode: event.opcode,
                field,
                found: known.join(", "),
            });
        }
        Ok(self.wanted(field))
    }

    /// Selects the part of a field that the trace has; `None` if it has none.
    pub fn wanted<T: Field>(&mut self, field: FieldRef<T>) -> Option<Column<T>> {
        let event = self.schema.find(field.event_ref())?;
        let column = Column::find(self.schema, field);
        let names: Vec<&str> = column.iter().flat_map(Column::names).collect();
        self.named(event, &names);
        column
    }

    /// Selects a member of an optional descriptor; `None` if the trace lacks it.
    pub fn wanted_member<D: Field, T: Field>(
        &mut self,
        optional: FieldRef<Option<D>>,
        member: fn(FieldRef<D>) -> FieldRef<T>,
    ) -> Option<ElementColumn<T>> {
        self.wanted(optional)?;
        ElementColumn::find(self.schema, optional, member)
    }

    /// Selects the result code in the stop of a call; `None` if the stop has no result code.
    pub(crate) fn result(&mut self, stop: &EventSchema) -> Option<Column<HResultCode>> {
        let column = Column::of_stop(stop)?;
        let names: Vec<&str> = column.names().collect();
        self.named(stop, &names);
        Some(column)
    }

    /// Selects the fields of this list that an event of the trace has.
    pub fn named(&mut self, event: &EventSchema, fields: &[&str]) {
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

    /// Returns the selection.
    pub fn finish(self) -> Selection {
        self.selection
    }
}
