//! What the live call said, kept until the recorded events come up.

use std::collections::VecDeque;
use taut_runtime::Tap;
use taut_schemas::{Encoder, EventCode};

/// The events of one thread's current call, oldest first.
#[derive(Debug, Default)]
pub struct LiveEvents {
    events: VecDeque<(EventCode, std::ops::Range<usize>)>,
    rows: Vec<u8>,
}

impl LiveEvents {
    /// Forgets everything; the memory is kept.
    pub fn clear(&mut self) {
        self.events.clear();
        self.rows.clear();
    }

    /// Takes the oldest event.
    pub fn pop(&mut self) -> Option<(EventCode, &[u8])> {
        let (code, range) = self.events.pop_front()?;
        Some((code, &self.rows[range]))
    }

    /// Number of events left.
    pub fn len(&self) -> usize {
        self.events.len()
    }
}

impl Tap for LiveEvents {
    fn event(&mut self, code: EventCode, payload: &dyn Fn(&mut Encoder<'_>)) {
        let start = self.rows.len();
        payload(&mut Encoder::new(&mut self.rows));
        self.events.push_back((code, start..self.rows.len()));
    }
}
