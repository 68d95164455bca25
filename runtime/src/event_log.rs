//! A tap that keeps what it is told.

use crate::context::Tap;
use taut_schemas::{Call, CodecError, Decoder, Encoder, EventCode, Field, Mark, Opcode};

/// Keeps every event's code and row, in order.
#[derive(Debug, Clone, Default)]
pub struct EventLog {
    /// The events.
    pub events: Vec<(EventCode, Vec<u8>)>,
}

impl EventLog {
    /// The arguments of every call of one kind.
    pub fn started<C: Call>(&self) -> Vec<C> {
        self.rows(EventCode::new(C::ID, Opcode::Start), C::decode)
    }

    /// The results of every call of one kind.
    pub fn stopped<C: Call>(&self) -> Vec<C::Output> {
        self.rows(EventCode::new(C::ID, Opcode::Stop), <C::Output as Field>::decode)
    }

    /// The marks of one kind.
    pub fn marks<M: Mark>(&self) -> Vec<M> {
        self.rows(EventCode::new(M::ID, Opcode::Info), M::decode)
    }

    /// Only what this build encoded is here, so every row can be decoded.
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
