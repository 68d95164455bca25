//! The trace that a replay writes.

use crate::thread::Thread;
use taut_schemas::{Encoder, EventCode};
use taut_traces::TraceWriter;

/// A replay's own trace, if one is wanted.
///
/// Events keep their recorded stamps where that leaves them in the order in which they happened now; one that comes up
/// where the recording has none takes the next stamp that does. So the new trace replays as this one did.
pub(crate) struct Output<'w> {
    writer: Option<&'w TraceWriter>,
    /// Stamp and thread of the last event written.
    last: (u64, u32),
}

impl<'w> Output<'w> {
    pub fn new(writer: Option<&'w TraceWriter>) -> Output<'w> {
        Output { writer, last: (0, 0) }
    }

    /// Whether anything is written.
    pub fn is_wanted(&self) -> bool {
        self.writer.is_some()
    }

    /// Writes an event of a thread, recorded at `stamp` if it was recorded at all.
    pub fn write(&mut self, thread: &mut Thread, stamp: u64, code: EventCode, row: &[u8]) {
        let Some(writer) = self.writer else { return };
        let (last_stamp, last_thread) = self.last;
        // Order is by (stamp, thread).
        let after_all = if thread.number > last_thread { last_stamp } else { last_stamp.saturating_add(1) };
        let stamp = stamp.max(after_all).max(thread.last_written_stamp.saturating_add(1));
        self.last = (stamp, thread.number);
        thread.last_written_stamp = stamp;
        let writer = thread.writer.get_or_insert_with(|| writer.thread(thread.number));
        writer.event(code, stamp, |encoder: &mut Encoder<'_>| encoder.raw(row));
    }
}
