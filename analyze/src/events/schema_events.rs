//! The events of a trace's own schema table, by role.

use super::value_names::ValueNames;
use taut_schemas::{EventCode, EventRef, EventSchema, Field, Layer, Opcode, SchemaTable};

/// The events of a schema table.
#[derive(Debug, Clone, Copy)]
pub struct Events<'a> {
    schema: &'a SchemaTable,
}

impl<'a> Events<'a> {
    /// Wraps a table.
    pub fn new(schema: &'a SchemaTable) -> Self {
        Self { schema }
    }

    /// Per code, true for starts of inputs, which are made inside no other call.
    pub fn outermost(self) -> Vec<bool> {
        // Codes are 16 bits wide.
        let mut outermost = vec![false; 1 << 16];
        let inputs = Layer::ALL.into_iter().filter(|layer| layer.is_input());
        let starts = inputs.flat_map(|layer| self.of(layer, Opcode::Start));
        starts.for_each(|event| outermost[usize::from(event.code.0)] = true);
        outermost
    }

    /// Per code, true for starts of API calls.
    pub fn api_calls(self) -> Vec<bool> {
        let mut api = vec![false; 1 << 16];
        self.of(Layer::Api, Opcode::Start).for_each(|event| api[usize::from(event.code.0)] = true);
        api
    }

    /// Events of a layer and opcode.
    pub fn of(self, layer: Layer, opcode: Opcode) -> impl Iterator<Item = &'a EventSchema> {
        self.schema.events.iter().filter(move |event| event.layer == layer && event.opcode == opcode)
    }

    /// Finds an event of the lists.
    pub fn find(self, event: EventRef) -> Option<&'a EventSchema> {
        self.schema.find(event)
    }

    /// Finds the event of this code.
    pub fn event(self, code: EventCode) -> Option<&'a EventSchema> {
        self.schema.event(code)
    }

    /// The stop event of a call.
    pub fn stop_of(self, start: &EventSchema) -> Option<&'a EventSchema> {
        self.schema.event(EventCode::new(start.code.id(), Opcode::Stop))
    }

    /// The names of an enumeration's values.
    pub fn names<T: Field>(self) -> ValueNames<'a, T> {
        ValueNames::new(self.schema)
    }
}
