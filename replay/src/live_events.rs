//! Buffer for the events of a live call until the recorded events are compared with them.

use taut_runtime::Tap;
use taut_schemas::{Encoder, EventCode};

/// Events of one thread's current call, oldest first.
#[derive(Debug, Default)]
pub struct LiveEvents {
    /// Code of each event and the end of its row in `rows`.
    events: Vec<(EventCode, usize)>,
    rows: Vec<u8>,
    /// Number of events taken, and the offset of the next event's row.
    taken: usize,
    taken_bytes: usize,
}

impl LiveEvents {
    /// Removes all events and keeps the allocated memory.
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

    /// Returns the codes of all events, taken or not.
    pub fn codes(&self) -> impl Iterator<Item = EventCode> {
        self.events.iter().map(|(code, _)| *code)
    }

    /// Returns the code of the oldest event left.
    pub fn next_code(&self) -> Option<EventCode> {
        self.events.get(self.taken).map(|(code, _)| *code)
    }

    /// Returns the row of the newest event, unless it was taken.
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
