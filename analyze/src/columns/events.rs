//! The events of a trace's own schema table, by the part they play.

use std::collections::HashMap;
use taut_schemas::{EventCode, EventSchema, Layer, Opcode, SchemaTable};

/// The events of a schema table.
#[derive(Debug, Clone, Copy)]
pub struct Events<'a> {
    schema: &'a SchemaTable,
}

impl<'a> Events<'a> {
    /// Those of this table.
    pub fn new(schema: &'a SchemaTable) -> Self {
        Self { schema }
    }

    /// Start events of API calls whose names begin with `prefix`: a call and its numbered successors
    /// (`CreateHeap`, `CreateHeap1`).
    pub fn api_starts(self, prefix: &'a str) -> impl Iterator<Item = &'a EventSchema> {
        self.of(Layer::Api, Opcode::Start).filter(|event| event.provider == "d3d12").filter(move |event| {
            let number = event.name.strip_prefix(prefix);
            number.is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()))
        })
    }

    /// For each code whether its calls are made in no other call: starts of inputs.
    pub fn outermost(self) -> Vec<bool> {
        // Codes are 16 bits wide.
        let mut outermost = vec![false; 1 << 16];
        let inputs = Layer::ALL.into_iter().filter(|layer| layer.is_input());
        let starts = inputs.flat_map(|layer| self.of(layer, Opcode::Start));
        starts.for_each(|event| outermost[usize::from(event.code.0)] = true);
        outermost
    }

    /// For each code whether it starts an API call.
    pub fn api_calls(self) -> Vec<bool> {
        let mut api = vec![false; 1 << 16];
        self.of(Layer::Api, Opcode::Start).for_each(|event| api[usize::from(event.code.0)] = true);
        api
    }

    /// Events of a layer and opcode.
    pub fn of(self, layer: Layer, opcode: Opcode) -> impl Iterator<Item = &'a EventSchema> {
        self.schema.events.iter().filter(move |event| event.layer == layer && event.opcode == opcode)
    }

    /// The mark of this name.
    pub fn mark(self, name: &str) -> Option<&'a EventSchema> {
        self.of(Layer::Mark, Opcode::Info).find(|event| event.name == name)
    }

    /// The start or stop event of the DDI call of this name.
    pub fn ddi(self, name: &str, opcode: Opcode) -> Option<&'a EventSchema> {
        self.of(Layer::Ddi, opcode).find(|event| event.name == name)
    }

    /// The event of this code.
    pub fn event(self, code: EventCode) -> Option<&'a EventSchema> {
        self.schema.event(code)
    }

    /// The stop event of a call.
    pub fn stop_of(self, start: &EventSchema) -> Option<&'a EventSchema> {
        self.schema.event(EventCode::new(start.code.id(), Opcode::Stop))
    }

    /// The names of an enumeration's values.
    pub fn value_names(self, enumeration: &str) -> HashMap<u64, &'a str> {
        let values = self.schema.code(enumeration).into_iter().flat_map(|code| &code.values);
        values.map(|(value, name)| (*value, name.trim_start_matches('_'))).collect()
    }

    /// The name of an enumerator's value, or the value itself; of a field without names, the value.
    pub fn value_name(self, enumeration: &str, value: u64) -> String {
        let code = self.schema.code(enumeration);
        let found = code.and_then(|code| code.values.iter().find(|(known, _)| *known == value));
        found.map_or_else(|| value.to_string(), |(_, name)| name.trim_start_matches('_').to_owned())
    }
}
