//! Tap that stores all events.

use crate::context::Tap;
use taut_schemas::{Call, CodecError, Decoder, Encoder, EventCode, Field, Mark, Opcode};

/// Stores code and row of every event in order.
#[derive(Debug, Clone, Default)]
pub struct EventLog {
    pub events: Vec<(EventCode, Vec<u8>)>,
}

impl EventLog {
    /// Returns the arguments of all calls of one kind.
    pub fn started<C: Call>(&self) -> Vec<C> {
        self.rows(EventCode::new(C::ID, Opcode::Start), C::decode)
    }

    /// Returns the results of all calls of one kind.
    pub fn stopped<C: Call>(&self) -> Vec<C::Output> {
        self.rows(EventCode::new(C::ID, Opcode::Stop), <C::Output as Field>::decode)
    }

    /// Returns all marks of one kind.
    pub fn marks<M: Mark>(&self) -> Vec<M> {
        self.rows(EventCode::new(M::ID, Opcode::Info), M::decode)
    }

    /// Decodes all rows with a code. The log contains only rows that this build encoded, so every row can be decoded.
    fn rows<T>(&self, code: EventCode, decode: impl Fn(&mut Decoder<'_>) -> Result<T, CodecError>) -> Vec<T> {
        let rows = self.events.iter().filter(|(found, _)| *found == code);
        rows.filter_map(|(_, row)| decode(&mut Decoder::new(row)).ok()).collect()
    }
}

impl Tap for EventLog {
    fn event(&mut self, code: EventCode, payload: &dyn Fn(&mut Encoder<'_>)) {
        let mut row = Vec::new();
        payload(&mut Encoder::new(&mut row));
        self.events.push((code, row));
    }
}
