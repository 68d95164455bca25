//! What the live call said, kept until the recorded events come up.

use taut_runtime::Tap;
use taut_schemas::{Encoder, EventCode};

/// The events of one thread's current call, oldest first.
#[derive(Debug, Default)]
pub struct LiveEvents {
    /// Each event and where its row ends.
    events: Vec<(EventCode, usize)>,
    rows: Vec<u8>,
    /// Events taken, and where the rows of the others begin.
    taken: usize,
    taken_bytes: usize,
}

impl LiveEvents {
    /// Forgets everything; the memory is kept.
    pub fn clear(&mut self) {
        self.events.clear();
        self.rows.clear();
        (self.taken, self.taken_bytes) = (0, 0);
    }

    /// Takes the oldest event.
    pub fn pop(&mut self) -> Option<(EventCode, &[u8])> {
        let (code, end) = *self.events.get(self.taken)?;
        let start = std::mem::replace(&mut self.taken_bytes, end);
        self.taken += 1;
        Some((code, &self.rows[start..end]))
    }

    /// The codes of all events, taken or not.
    pub fn codes(&self) -> impl Iterator<Item = EventCode> {
        self.events.iter().map(|(code, _)| *code)
    }

    /// The code of the oldest event left.
    pub fn next_code(&self) -> Option<EventCode> {
        self.events.get(self.taken).map(|(code, _)| *code)
    }

    /// The row of the newest event, unless it was taken.
    pub fn last(&self) -> Option<&[u8]> {
        let start = self.events.len().checked_sub(2).map_or(0, |before| self.events[before].1);
        (self.len() > 0).then(|| &self.rows[start..])
    }

    /// Number of events left.
    pub fn len(&self) -> usize {
        self.events.len() - self.taken
    }
}

impl Tap for LiveEvents {
    fn event(&mut self, code: EventCode, payload: &dyn Fn(&mut Encoder<'_>)) {
        payload(&mut Encoder::new(&mut self.rows));
        self.events.push((code, self.rows.len()));
    }
}
