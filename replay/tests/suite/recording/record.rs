//! Decoded events of a recording.

use taut_schemas::{Call, Decoder, EventCode, Layer, Mark, Opcode};
use taut_traces::Trace;

/// Event of a recording.
pub struct Record {
    pub thread: u32,
    code: EventCode,
    payload: Vec<u8>,
}

impl Record {
    /// Decodes all events in order.
    pub fn all(trace: &Trace) -> Vec<Record> {
        let (mut rows, mut all) = (trace.rows(), Vec::new());
        while let Some(row) = rows.next_row() {
            all.push(Record { thread: row.thread, code: row.code, payload: row.payload.to_vec() });
        }
        all
    }

    /// Returns the arguments of this call, if it starts here.
    pub fn begun<C: Call>(&self) -> Option<C> {
        let mut decoder = Decoder::new(&self.payload);
        (self.code == EventCode::new(C::ID, Opcode::Start)).then(|| {
            if C::LAYER != Layer::Ddi {
                // Lock wait time.
                decoder.u64().expect("a wait");
            }
            C::decode(&mut decoder).expect("arguments")
        })
    }

    /// Returns the result of this call, if it ends here.
    pub fn ended<C: Call>(&self) -> Option<C::Output> {
        use taut_schemas::Field;
        let ends = self.code == EventCode::new(C::ID, Opcode::Stop);
        ends.then(|| C::Output::decode(&mut Decoder::new(&self.payload)).expect("an answer"))
    }

    /// Returns the content of this mark, if the event is one.
    pub fn mark<M: Mark>(&self) -> Option<M> {
        let is = self.code == EventCode::new(M::ID, Opcode::Info);
        is.then(|| M::decode(&mut Decoder::new(&self.payload)).expect("a mark"))
    }
}
